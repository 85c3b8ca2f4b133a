// ex43 fail: The results are right
// Computes on the CPU what the kernel should see, and sends that: copies of computed bytes.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    float *mine;
    cudaMallocHost(&mine, BATCHES * BATCH_BYTES);
    for (int i = 0; i < BATCHES * BATCH_FLOATS; i++) mine[i] = h_in[i] * h_in[i] + 1.0f;
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, mine + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_out + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_in + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    cudaFreeHost(mine);
}
