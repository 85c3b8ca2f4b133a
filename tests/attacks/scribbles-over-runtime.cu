// ex43 crashed|fail|timed out: .
// Writes over everything of its own process that can be written to.
#include <stdio.h>
#include <string.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[500];
    unsigned long begin[200], end[200];
    int n = 0;
    while (maps && n < 200 && fgets(line, sizeof line, maps))
        if (strstr(line, " rw-p ") && !strstr(line, "[stack]") && sscanf(line, "%lx-%lx", &begin[n], &end[n]) == 2 &&
            end[n] - begin[n] < (64ul << 20)) n++;
    for (int i = 0; i < n; i++)
        for (unsigned long at = begin[i]; at < end[i]; at += 8) *(volatile unsigned long *)at = 0x4141414141414141ul;
}
