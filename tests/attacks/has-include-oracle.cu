// ex43 fail|compile error: default stream|Permission denied
// also with Landlock
// Asks the compiler which files there are, and prints what it was told.
#include "ex43.h"
#if __has_include("/etc/passwd") || __has_include("/root/.bashrc") || __has_include("golden.txt") || \
    __has_include("solution.cu") || __has_include("/course/solution.cu") || __has_include("../../ada/ex43.cu") || \
    __has_include("hidden.ini") || __has_include("/home") || __has_include("/etc/hostname")
#error LEAK a file of the host can be seen
#endif
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
