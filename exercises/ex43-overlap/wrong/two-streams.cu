// caught-by: overlap
// two streams in turn: with three stages, three batches have to be under way
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[2];
    for (int s = 0; s < 2; s++) cudaStreamCreate(&stream[s]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i % 2]);
        work<<<BLOCKS, THREADS, 0, stream[i % 2]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i % 2]);
    }

    for (int s = 0; s < 2; s++) {
        cudaStreamSynchronize(stream[s]);
        cudaStreamDestroy(stream[s]);
    }
}
