// a stream for each batch, and memory for all of them taken at once
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
            init(&resultFree[s], 64);
            init(&resultFull[s], 64);
        }
    block.sync();                               /* the last time that all three meet */

    if (role == COMPUTER) (void)inputFree[0].arrive(), (void)inputFree[1].arrive();     /* at first all buffers are free */
    if (role == STORER) (void)resultFree[0].arrive(), (void)resultFree[1].arrive();

    int n = 0;                                  /* the block's own count of tiles: buffers take turns by it */
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, n++) {
        int s = n % 2;
        if (role == LOADER) {
            inputFree[s].arrive_and_wait();
            cuda::memcpy_async(warp, input[s], in + (size_t)tile * 2 * TILE, INPUT_BYTES, inputFull[s]);
            (void)inputFull[s].arrive();        /* full when all have arrived and the copy has */
        } else if (role == COMPUTER) {
            inputFull[s].arrive_and_wait();
            resultFree[s].arrive_and_wait();
            computeTile(lane, input[s], result[s], cycles);
            (void)inputFree[s].arrive();
            (void)resultFull[s].arrive();
        } else {
            resultFull[s].arrive_and_wait();
            storeTile(lane, out + (size_t)tile * TILE, result[s]);
            (void)resultFree[s].arrive();
        }
    }
}

void pipelined(const char *h_in, char *h_out, long long cycles)
{
    cudaStream_t stream[BATCHES];
    cudaEvent_t there;
    char *d_in, *d_out;
    for (int i = 0; i < BATCHES; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&there, cudaEventDisableTiming);
    cudaFuncSetAttribute((const void *)specialized, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    cudaMallocAsync((void **)&d_in, BATCHES * BATCH_IN_BYTES, stream[0]);
    cudaMallocAsync((void **)&d_out, BATCHES * BATCH_OUT_BYTES, stream[0]);
    cudaEventRecord(there, stream[0]);

    for (int i = 0; i < BATCHES; i++) {
        char *from = d_in + i * BATCH_IN_BYTES, *to = d_out + i * BATCH_OUT_BYTES;
        cudaStreamWaitEvent(stream[i], there, 0);
        cudaMemcpyAsync(from, h_in + i * BATCH_IN_BYTES, BATCH_IN_BYTES, cudaMemcpyHostToDevice, stream[i]);
        specialized<<<BLOCKS, THREADS, SHARED_BYTES, stream[i]>>>((const float *)from, (float *)to, ALL_TILES, cycles);
        cudaMemcpyAsync(h_out + i * BATCH_OUT_BYTES, to, BATCH_OUT_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }

    cudaDeviceSynchronize();
    cudaFreeAsync(d_in, stream[0]);
    cudaFreeAsync(d_out, stream[0]);
    cudaEventDestroy(there);
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
}
