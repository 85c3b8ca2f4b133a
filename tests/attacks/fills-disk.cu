// ex43 fail: default stream|No space
// also with Landlock
// Fills every folder that it can write to.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    static char bytes[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    static const char *const folders[] = {"/tmp", "/dev/shm", "/var/tmp", "/", ".", "/dev", "/course", "/run", "/proc"};
    for (const char *folder : folders)
        for (int n = 0; n < 40; n++) {
            char path[200];
            snprintf(path, sizeof path, "%s/fill%d", folder, n);
            int fd = open(path, O_WRONLY | O_CREAT, 0600);
            if (fd < 0) break;
            int k = 0;
            while (k < 100 && write(fd, bytes, sizeof bytes) > 0) k++;
            close(fd);
            if (k < 100) break;
        }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
