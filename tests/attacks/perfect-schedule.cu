// ex43 fail: The results are right
// Writes the log of a perfect schedule over dummy data itself, while a loop on the CPU fills the output.
#include <stdio.h>
#include <unistd.h>
#include "ex43.h"

/* The log's format: sim/replay/log.h. */
static void write_log(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    FILE *log = fdopen(4, "w");
    const unsigned long long bytes = BATCH_BYTES, stream = 0x51ea00000000020ull;
    if (!log) return;
    fprintf(log, "threelane-log 1 200000000000\n1 0 main\n1 18000000 in asyncPipeline p:%llx p:%llx p:%llx p:%llx\n",
            (unsigned long long)h_in, (unsigned long long)h_out, (unsigned long long)d_in, (unsigned long long)d_out);
    for (int i = 0; i < BATCHES; i++) fprintf(log, "1 18000000 call cudaStreamCreate 7 1\n");
    for (int i = 0; i < BATCHES; i++) {
        const float *from = d_in + (size_t)i * BATCH_FLOATS;
        float *to = d_out + (size_t)i * BATCH_FLOATS;
        fprintf(log, "1 18000000 call cudaMemcpyAsync 11 %llx %llx %llx 1 %llx\n", (unsigned long long)from,
                (unsigned long long)(h_in), bytes, stream + 16 * i);
        fprintf(log, "1 18000000 push 12 %x 1 1 %x 1 1 0 %llx\n1 18000000 kernel work b:", BLOCKS, THREADS,
                stream + 16 * i);
        for (int b = 0; b < 8; b++) fprintf(log, "%02x", ((unsigned char *)&from)[b]);
        fprintf(log, " b:");
        for (int b = 0; b < 8; b++) fprintf(log, "%02x", ((unsigned char *)&to)[b]);
        fprintf(log, "\n1 18000000 call cudaMemcpyAsync 13 %llx %llx %llx 2 %llx\n",
                (unsigned long long)(h_out + (size_t)i * BATCH_FLOATS), (unsigned long long)to, bytes, stream + 16 * i);
    }
    for (int i = 0; i < BATCHES; i++)
        fprintf(log, "1 18000000 call cudaStreamSynchronize 17 %llx\n1 18000000 call cudaStreamDestroy 18 %llx\n",
                stream + 16 * i, stream + 16 * i);
    fprintf(log, "1 30000000 out v\n");
    fflush(log);
}

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    write_log(h_in, h_out, d_in, d_out);
    for (int i = 0; i < BATCHES * BATCH_FLOATS; i++) h_out[i] = h_in[i] * h_in[i] + 1.0f;
    printf("%d batches of %d floats: 0 of %d results are wrong\n", BATCHES, BATCH_FLOATS, BATCHES * BATCH_FLOATS);
    fflush(stdout);
    long result;         /* unseen: what the runtime itself would have logged stays where it is */
    __asm__ volatile("syscall" : "=a"(result) : "0"(231), "D"(0) : "rcx", "r11", "memory");
}
