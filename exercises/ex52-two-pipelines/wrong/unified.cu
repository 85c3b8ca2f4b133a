// caught-by: hazards + errors, on a card: nothing
// a pipeline of the block without roles: every stage waits for all threads, and one warp commits
#include "ex52.h"
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void specialized(const float *in, float *out, int tiles, long long cycles)
{
    extern __shared__ float4 shared[];
    float *input[2] = {(float *)shared, (float *)shared + 2 * TILE};
    float *result[2] = {input[1] + 2 * TILE, input[1] + 3 * TILE};
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> inputState, resultState;

    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int role = warp.meta_group_rank(), lane = warp.thread_rank();
    auto inputs = cuda::make_pipeline(block, &inputState), results = cuda::make_pipeline(block, &resultState);

    int n = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, n++) {
        int s = n % 2;
        if (role == LOADER) {
            inputs.producer_acquire();
            cuda::memcpy_async(warp, input[s], in + (size_t)tile * 2 * TILE, INPUT_BYTES, inputs);
            inputs.producer_commit();
        } else if (role == COMPUTER) {
            inputs.consumer_wait();
            results.producer_acquire();
            computeTile(lane, input[s], result[s], cycles);
            inputs.consumer_release();
            results.producer_commit();
        } else {
            results.consumer_wait();
            storeTile(lane, out + (size_t)tile * TILE, result[s]);
            results.consumer_release();
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
