// ex43 timed out: did not end|never
// A kernel is waited for that spins on the clock for ever: one of the exercise's, with a count that the student has
// changed.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    for (;;) {
        work<<<BLOCKS, THREADS, 0, s>>>(d_in, d_out);
        cudaStreamSynchronize(s);
    }
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
