// ex43 fail|crashed: .
// Copies and fills rectangles whose sizes wrap around.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaMemcpy2D(h_out, (size_t)-1, d_in, (size_t)-1, (size_t)-2, 3, cudaMemcpyDeviceToHost);
    cudaMemcpy2D(h_out, (size_t)1 << 63, d_in, (size_t)1 << 63, 8, 3, cudaMemcpyDeviceToHost);
    cudaMemcpy2D(h_out, 0, d_in, 0, 0, (size_t)-1, cudaMemcpyDeviceToHost);
    cudaMemset2D(d_out, (size_t)1 << 62, 0, 16, 5);
    cudaMemset2D(d_out, (size_t)-64, 0, 64, 64);
    cudaMemcpyAsync(d_out, h_in, (size_t)-1, cudaMemcpyHostToDevice, 0);
    cudaMemset(d_out, 0, (size_t)1 << 60);
    cudaGetLastError();
    /* TODO: This is right, but only one of the three lanes is ever busy. Reach this instead: while batch i computes,
     * batch i+1 arrives and batch i-1 goes back, so that BATCHES batches take BATCHES + 2 units and not
     * 3 * BATCHES. Give each batch a stream of its own, and return only when everything has arrived. */
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
