// ex43 timed out|over limit|fail|crashed: .
// also with Landlock
// alone
// Threads without an end, none of which ends.
#include <pthread.h>
#include <unistd.h>
#include "ex43.h"

static void *sleeper(void *) { for (;;) pause(); }
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < 100000; i++) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, sleeper, nullptr) != 0) break;
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
