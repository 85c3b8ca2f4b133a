// caught-by: compute-ahead, on a card: nothing
// one buffer for results
#include "ex52.h"

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void specialized(const float *in, float *out, int tiles, long long cycles)
{
    extern __shared__ float4 shared[];
    float *input[2] = {(float *)shared, (float *)shared + 2 * TILE};
    float *result[2] = {input[1] + 2 * TILE, input[1] + 3 * TILE};
    __shared__ barrier inputFree[2], inputFull[2], resultFree[2], resultFull[2];

    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int role = warp.meta_group_rank(), lane = warp.thread_rank();
    if (block.thread_rank() == 0)
        for (int s = 0; s < 2; s++) {           /* two warps meet at each: one that waits, one that only arrives */
            init(&inputFree[s], 64);
            init(&inputFull[s], 64);
            if (s == 0) init(&resultFree[0], 64), init(&resultFull[0], 64);
        }
    block.sync();                               /* the last time that all three meet */

    if (role == COMPUTER) (void)inputFree[0].arrive(), (void)inputFree[1].arrive();     /* at first all buffers are free */
    if (role == STORER) (void)resultFree[0].arrive();

    int n = 0;                                  /* the block's own count of tiles: buffers take turns by it */
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, n++) {
        int s = n % 2;
        if (role == LOADER) {
            inputFree[s].arrive_and_wait();
            cuda::memcpy_async(warp, input[s], in + (size_t)tile * 2 * TILE, INPUT_BYTES, inputFull[s]);
            (void)inputFull[s].arrive();        /* full when all have arrived and the copy has */
        } else if (role == COMPUTER) {
            inputFull[s].arrive_and_wait();
            resultFree[0].arrive_and_wait();
            computeTile(lane, input[s], result[0], cycles);
            (void)inputFree[s].arrive();
            (void)resultFull[0].arrive();
        } else {
            resultFull[0].arrive_and_wait();
            storeTile(lane, out + (size_t)tile * TILE, result[0]);
            (void)resultFree[0].arrive();
        }
    }
}

void pipelined(const char *h_in, char *h_out, long long cycles)
{
    enum { STREAMS = 3 };
    cudaStream_t stream[STREAMS];
    for (int i = 0; i < STREAMS; i++) cudaStreamCreate(&stream[i]);
    cudaFuncSetAttribute((const void *)specialized, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);

    for (int i = 0; i < BATCHES; i++) {
        cudaStream_t mine = stream[i % STREAMS];
        char *d_in, *d_out;
        cudaMallocAsync((void **)&d_in, BATCH_IN_BYTES, mine);
        cudaMallocAsync((void **)&d_out, BATCH_OUT_BYTES, mine);
        cudaMemcpyAsync(d_in, h_in + i * BATCH_IN_BYTES, BATCH_IN_BYTES, cudaMemcpyHostToDevice, mine);
        specialized<<<BLOCKS, THREADS, SHARED_BYTES, mine>>>((const float *)d_in, (float *)d_out, ALL_TILES, cycles);
        cudaMemcpyAsync(h_out + i * BATCH_OUT_BYTES, d_out, BATCH_OUT_BYTES, cudaMemcpyDeviceToHost, mine);
        cudaFreeAsync(d_in, mine);
        cudaFreeAsync(d_out, mine);
    }

    for (int i = 0; i < STREAMS; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
}
