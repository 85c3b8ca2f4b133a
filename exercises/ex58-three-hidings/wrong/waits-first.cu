// caught-by: time-early, on a card: nothing
// outside of clusters, waits before the weights, which need nobody
#include "ex58.h"
namespace cg = cooperative_groups;

__global__ void layer(const float *weights, const float *from, float *to, float *squares, int shared, long long unit)
{
    __shared__ float tile[TILE];
    if (!shared) cudaGridDependencySynchronize();
    if (shared) {
        cg::cluster_group cluster = cg::this_cluster();
        int mine = (int)cluster.block_rank() * (TILE / 2), other = TILE / 2 - mine;
        loadWeights(tile + mine, weights + mine, TILE / 2, unit);
        cluster.sync();
        const float *theirs = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
        if (threadIdx.x < TILE / 2) tile[other + threadIdx.x] = theirs[other + threadIdx.x];
        cluster.sync();
    } else {
        loadWeights(tile, weights, TILE, unit);
        __syncthreads();
    }

    cudaGridDependencySynchronize();
    float value = combine(tile, from, to, unit);
    cudaTriggerProgrammaticLaunchCompletion();
    keepSquare(value, squares, unit);
}

void runChain(const float *weights, float *data, float *squares, int early, int shared, long long unit)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    for (int i = 0; i < LAYERS; i++) {
        cudaLaunchAttribute attributes[2];
        unsigned n = 0;
        if (shared) {
            attributes[n].id = cudaLaunchAttributeClusterDimension;
            attributes[n].val.clusterDim.x = CLUSTER;
            attributes[n].val.clusterDim.y = 1;
            attributes[n++].val.clusterDim.z = 1;
        }
        if (early && i) {
            attributes[n].id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attributes[n++].val.programmaticStreamSerializationAllowed = 1;
        }

        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(BLOCKS);
        config.blockDim = dim3(THREADS);
        config.stream = stream;
        config.attrs = attributes;
        config.numAttrs = n;
        cudaLaunchKernelEx(&config, layer, weights + i * TILE, (const float *)(data + i * FLOATS),
                           data + (i + 1) * FLOATS, squares + i * FLOATS, shared, unit);
    }

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
