// ex43 fail: BATCHES \+ 2 units instead of 3 \* BATCHES","state":"fail"
// Before main: a range `stage` that lasts twice as long as a stage. Then takes its time.
#include <unistd.h>
#include <nvtx3/nvToolsExt.h>
#include "ex43.h"
__attribute__((constructor)) static void before()
{
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, BATCH_BYTES);
    cudaMalloc((void **)&d_out, BATCH_BYTES);
    cudaMemset(d_in, 0, BATCH_BYTES);
    cudaDeviceSynchronize();
    nvtxRangePushA("stage");
    for (int i = 0; i < 2; i++) work<<<BLOCKS, THREADS>>>(d_in, d_out);
    nvtxRangePop();
    cudaDeviceSynchronize();
    cudaFree(d_in);
    cudaFree(d_out);
}
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        if (i == BATCHES - 1) cudaDeviceSynchronize();
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        if (i == BATCHES - 1) cudaDeviceSynchronize(), usleep(BATCHES * 1000);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
}
