/* Exercise 52: warps that hand tiles to each other, and batches in streams. What you may rely on is in ex52.h; the lessons
 * are `make ex52-lesson` and lessons/inside-a-block.md. */
#include "ex52.h"

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void specialized(const float *in, float *out, int tiles, long long cycles)
{
    /* TODO 1: Every warp has its role, but all wait for all, three times a tile: while one works, two stand still.
     * Reach this: the loader may be two tiles ahead of the computer, and the computer two ahead of the storer. There is room
     * for it in shared memory: two inputs (2 * TILE floats each) and two results (TILE floats each). A buffer is handed over
     * by two barriers, "full" and "free", at which only the two warps concerned meet. After they have been made, no more
     * block.sync(). */
    extern __shared__ float4 shared[];
    float *input = (float *)shared, *result = input + 4 * TILE;

    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int role = warp.meta_group_rank(), lane = warp.thread_rank();

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        if (role == LOADER) loadTile(lane, input, in + (size_t)tile * 2 * TILE);
        block.sync();
        if (role == COMPUTER) computeTile(lane, input, result, cycles);
        block.sync();
        if (role == STORER) storeTile(lane, out + (size_t)tile * TILE, result);
        block.sync();
    }
}

void pipelined(const char *h_in, char *h_out, long long cycles)
{
    /* TODO 2: One stream, one batch after the other, and memory that stops the device. Give the batches streams in turn (how
     * many are needed?), take their memory from the pool (cudaMallocAsync, cudaFreeAsync), and wait only at the end. */
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    for (int i = 0; i < BATCHES; i++) {
        char *d_in, *d_out;
        cudaMalloc((void **)&d_in, BATCH_IN_BYTES);
        cudaMalloc((void **)&d_out, BATCH_OUT_BYTES);
        cudaMemcpyAsync(d_in, h_in + i * BATCH_IN_BYTES, BATCH_IN_BYTES, cudaMemcpyHostToDevice, stream);
        specialized<<<BLOCKS, THREADS, SHARED_BYTES, stream>>>((const float *)d_in, (float *)d_out, ALL_TILES, cycles);
        cudaMemcpyAsync(h_out + i * BATCH_OUT_BYTES, d_out, BATCH_OUT_BYTES, cudaMemcpyDeviceToHost, stream);
        cudaFree(d_in);
        cudaFree(d_out);
    }

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
