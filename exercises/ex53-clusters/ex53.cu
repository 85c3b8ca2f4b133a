/* Exercise 53: clusters, shared tiles and streams. What you may rely on is in ex53.h; the lesson is `make ex53-lesson`. */
#include "ex53.h"

namespace cg = cooperative_groups;

__global__ void sharedTiles(const float *in, float *out, long long cycles)
{
    /* TODO: The results are right, but each of the CLUSTER blocks of a tile loads all of it. Reach this: they are a cluster;
     * one of them loads the tile into its shared memory, the others read it there (cluster.map_shared_rank). Think of
     * both: when may the others begin to read, and when may the block that has the tile end? */
    extern __shared__ float tile[];
    int rank = blockIdx.x % CLUSTER;
    size_t at = (size_t)(blockIdx.x / CLUSTER) * TILE;

    loadTile(tile, in + at);
    __syncthreads();

    makePart(out + at, tile, rank, CLUSTER, cycles);
}

void clusterPipeline(const float *h_in, float *h_out, float *d_in, float *d_out, long long cycles)
{
    /* TODO: One stream, and a launch without clusters. Reach this: STREAMS streams, batch i in stream i % STREAMS, and
     * cudaLaunchKernelEx with the attribute cudaLaunchAttributeClusterDimension. */
    cudaFuncSetAttribute(sharedTiles, cudaFuncAttributeMaxDynamicSharedMemorySize, TILE_BYTES);

    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream);
        sharedTiles<<<BLOCKS, THREADS, TILE_BYTES, stream>>>(d_in + at, d_out + at, cycles);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream);
    }

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
