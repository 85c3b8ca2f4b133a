// caught-by: default
// one cudaMemcpy brings all results back at the end: nothing goes back while anything computes
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
    }

    cudaMemcpy(h_out, d_out, BATCHES * BATCH_BYTES, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
}
