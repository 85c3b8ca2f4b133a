// ex43 fail: Batches are sent from pinned memory and come back to it","state":"fail"
// The lanes carry as many bytes as the data have, back into memory of its own; the data go over the bus.
#include "ex43.h"
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    float *dummy;
    cudaMallocHost((void **)&dummy, BATCHES * BATCH_BYTES);
    for (int i = 0; i < BATCHES; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(h_in + at, h_out + at);
        cudaMemcpyAsync(dummy + at, d_in + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    cudaFreeHost(dummy);
}
