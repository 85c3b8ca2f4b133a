// ex43 timed out|fail: .
// Threads that still run when main returns, and write into everything.
#include <pthread.h>
#include <stdlib.h>
#include "ex43.h"

static float *target;
static void *scribble(void *) { for (;;) for (int i = 0; i < BATCH_FLOATS; i++) target[i] = 1.0f; }
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    target = (float *)malloc(BATCH_BYTES);
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        pthread_create(&thread, nullptr, scribble, nullptr);
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
