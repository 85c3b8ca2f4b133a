/* Exercise 46: the default stream trap. What you may rely on is in ex46.h; the lesson is `make ex46-lesson`. */
#include <thread>
#include "ex46.h"

/* A. The library can be given a stream. */
void withStream(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    /* TODO: There is a stream per batch, and yet nothing overlaps: look at the timeline for what stands between the
     * batches. Reach this: the heartbeats run beside the batches. */
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
        libHeartbeat();
    }

    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
}

/* B. The library cannot be given a stream. */
void nonBlocking(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    /* TODO: Take your own streams out of the default stream's way. What did it keep in order until now that still has to
     * be in order? */
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
        oldHeartbeat();
    }
    oldSummary(d_out);

    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
}

/* C. Two host threads, each with work of its own. */
static void worker(float *data)
{
    /* TODO: Both threads launch into the one default stream of the device. Let each have a default stream of its own. */
    for (int i = 0; i < STEPS; i++) step<<<BLOCKS, THREADS>>>(data, i);
    cudaStreamSynchronize(0);
}

void twoThreads(float *first, float *second)
{
    std::thread one(worker, first), two(worker, second);
    one.join();
    two.join();
}
