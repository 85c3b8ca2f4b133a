// caught-by: hazards, on a card: nothing
// the block that has the tile ends while the others still read it
#include "ex53.h"

namespace cg = cooperative_groups;

/* Block 0 of a cluster loads the tile; the others read it out of its shared memory. */
__global__ void sharedTiles(const float *in, float *out, long long cycles)
{
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    int rank = (int)cluster.block_rank(), blocks = (int)cluster.num_blocks();
    size_t at = (size_t)(blockIdx.x / blocks) * TILE;

    if (rank == 0) loadTile(tile, in + at);
    cluster.sync();                     /* the tile is there, and so is every block */

    makePart(out + at, cluster.map_shared_rank(tile, 0), rank, blocks, cycles);
}

void clusterPipeline(const float *h_in, float *h_out, float *d_in, float *d_out, long long cycles)
{
    cudaFuncSetAttribute(sharedTiles, cudaFuncAttributeMaxDynamicSharedMemorySize, TILE_BYTES);

    cudaStream_t stream[STREAMS];
    for (int s = 0; s < STREAMS; s++) cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);

    cudaLaunchAttribute cluster[1];
    cluster[0].id = cudaLaunchAttributeClusterDimension;
    cluster[0].val.clusterDim.x = CLUSTER;
    cluster[0].val.clusterDim.y = 1;
    cluster[0].val.clusterDim.z = 1;

    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = TILE_BYTES;
    config.attrs = cluster;
    config.numAttrs = 1;

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        config.stream = stream[i % STREAMS];
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, config.stream);
        cudaLaunchKernelEx(&config, sharedTiles, d_in + at, d_out + at, cycles);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, config.stream);
    }

    for (int s = 0; s < STREAMS; s++) {
        cudaStreamSynchronize(stream[s]);
        cudaStreamDestroy(stream[s]);
    }
}
