// caught-by: loads, on a card: time-more
// in a cluster, too, each block loads the whole tile
#include "ex58.h"
namespace cg = cooperative_groups;

__global__ void layer(const float *weights, const float *from, float *to, float *squares, int shared, long long unit)
{
    __shared__ float tile[TILE];
    if (shared) {
        cg::cluster_group cluster = cg::this_cluster();
        loadWeights(tile, weights, TILE, unit);
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
