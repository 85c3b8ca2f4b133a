// ex43 fail: does not hold with parameters that are drawn
// never: with BATCHES=[3568]|H2D[4-7]
// Right with the parameters that everybody knows, and in one stream with others.
#include "ex43.h"
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[BATCHES == 4 ? i : 0]);
        work<<<BLOCKS, THREADS, 0, stream[BATCHES == 4 ? i : 0]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[BATCHES == 4 ? i : 0]);
    }

    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
}
