// ex43 fail: over limit|At no moment|results are right
// Writes results into device memory with cudaMemset, a byte at a time.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < 64; i++) {
        float x = h_in[i] * h_in[i] + 1.0f;
        for (int b = 0; b < 4; b++) cudaMemset((char *)(d_out + i) + b, ((unsigned char *)&x)[b], 1);
    }
    cudaMemcpy(h_out, d_out, BATCHES * BATCH_BYTES, cudaMemcpyDeviceToHost);
    (void)d_in;
}
