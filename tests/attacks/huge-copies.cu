// ex43 over limit|fail|timed out: .
// Work for the player: gigabytes of device memory, set again and again.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    char *big = nullptr;
    cudaMalloc(&big, 8ull << 30);
    for (int i = 0; i < 1000; i++) cudaMemset(big, i, 8ull << 30);
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
