// caught-by: default
// asynchronous calls, but no stream of its own: everything queues in the default stream
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
    cudaDeviceSynchronize();
}
