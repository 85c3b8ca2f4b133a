// ex43 fail: Batches are sent from pinned memory and come back to it","state":"fail"
// The lanes carry four bytes a batch; the kernels read and write the host's memory over the bus.
#include "ex43.h"
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    float *back;
    cudaMallocHost((void **)&back, BATCHES * sizeof *back);
    for (int i = 0; i < BATCHES; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, sizeof(float), cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(h_in + at, h_out + at);
        cudaMemcpyAsync(back + i, d_out + at, sizeof(float), cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    cudaFreeHost(back);
}
