// ex43 fail|crashed: default stream|status 97
// also with Landlock
// Starts itself again with a library loaded before all others, and with variables that the grader reads.
#include <stdlib.h>
#include <unistd.h>
#include "ex43.h"

__attribute__((constructor)) static void again()
{
    if (getenv("AGAIN")) return;
    setenv("AGAIN", "1", 1);
    setenv("LD_PRELOAD", "/tmp/evil.so:/usr/lib/x86_64-linux-gnu/libSegFault.so", 1);
    setenv("LD_AUDIT", "/tmp/evil.so", 1);
    setenv("GCONV_PATH", "/tmp", 1);
    setenv("THREELANE_MODEL", "h200", 1);
    setenv("THREELANE_SEED", "5", 1);
    setenv("THREELANE_TRACE", "/tmp/trace", 1);
    setenv("THREELANE_RESULTS", "/tmp/results", 1);
    char *words[] = {(char *)"/proc/self/exe", nullptr};
    execv(words[0], words);
}
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
