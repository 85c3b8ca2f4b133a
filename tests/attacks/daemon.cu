// ex43 fail: default stream
// also with Landlock
// Leaves a process behind that has its own session, and its parents are gone; it would write into a file for ever.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
            static char name[] = "threelane-attack-daemon";
            (void)name;
            for (;;) {
                int fd = open("/tmp/threelane-attack-daemon", O_WRONLY | O_CREAT | O_APPEND, 0600);
                if (fd >= 0) (void)!write(fd, "alive\n", 6), close(fd);
                usleep(1000);
            }
        }
        _exit(0);
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
