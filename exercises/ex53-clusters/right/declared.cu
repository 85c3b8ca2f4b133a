// The kernel itself says how large its clusters are, and is launched as every other.
#include "ex53.h"

namespace cg = cooperative_groups;

/* Block 0 of a cluster loads the tile; the others read it out of its shared memory. */
__global__ void __cluster_dims__(CLUSTER, 1, 1) sharedTiles(const float *in, float *out, long long cycles)
{
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    int rank = (int)cluster.block_rank(), blocks = (int)cluster.num_blocks();
    size_t at = (size_t)(blockIdx.x / blocks) * TILE;

    if (rank == 0) loadTile(tile, in + at);
    cluster.sync();                     /* the tile is there, and so is every block */

    makePart(out + at, cluster.map_shared_rank(tile, 0), rank, blocks, cycles);
    cluster.sync();                     /* nobody reads it any more: block 0 may end */
}

void clusterPipeline(const float *h_in, float *h_out, float *d_in, float *d_out, long long cycles)
{
    cudaFuncSetAttribute(sharedTiles, cudaFuncAttributeMaxDynamicSharedMemorySize, TILE_BYTES);

    cudaStream_t stream[STREAMS];
    for (int s = 0; s < STREAMS; s++) cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaStream_t s = stream[i % STREAMS];
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        sharedTiles<<<BLOCKS, THREADS, TILE_BYTES, s>>>(d_in + at, d_out + at, cycles);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
    }

    for (int s = 0; s < STREAMS; s++) {
        cudaStreamSynchronize(stream[s]);
        cudaStreamDestroy(stream[s]);
    }
}
