// ex43 fail|timed out|over limit|crashed: .
// also with Landlock
// alone
// A process that forks and ends, again and again, so that it is never where somebody looks.
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    if (fork() == 0) {
        setsid();
        for (;;) {
            if (fork() > 0) _exit(0);
            setsid();
        }
    }
    usleep(100000);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
