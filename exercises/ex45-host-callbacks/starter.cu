/* Exercise 45: host callbacks. What you may rely on is in ex45.h; the lesson is `make ex45-lesson`. */
#include <pthread.h>
#include "ex45.h"

/* The pool: buffers that nobody uses. Two threads share it (yours, and the one that runs host functions), so it is
 * touched only under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static Buffer *pool[BUFFERS];
static int pooled;

static void give(Buffer *buffer)
{
    pthread_mutex_lock(&lock);
    if (pooled < BUFFERS) pool[pooled++] = buffer;
    pthread_cond_signal(&given);
    pthread_mutex_unlock(&lock);
}

/* Waits until there is one. */
static Buffer *take(void)
{
    pthread_mutex_lock(&lock);
    while (pooled == 0) pthread_cond_wait(&given, &lock);
    Buffer *buffer = pool[--pooled];
    pthread_mutex_unlock(&lock);
    return buffer;
}

void streamBatches(Buffer buffers[BUFFERS])
{
    cudaStream_t stream[BUFFERS];                    /* buffer b uses stream b */
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamCreate(&stream[b]);
        give(&buffers[b]);
    }

    /* TODO: The loop waits for every batch, so only one buffer is ever in use. Reach this: the loop goes on with the
     * next batch as long as there is a free buffer, and each buffer is collected and given back by a host function
     * that its stream runs when the results have arrived. Return when every batch has been collected. */
    for (int i = 0; i < BATCHES; i++) {
        Buffer *buffer = take();
        cudaStream_t s = stream[buffer - buffers];
        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, THREADS, 0, s>>>(buffer->device);
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
        collectBatch(buffer);
        give(buffer);
    }

    for (int b = 0; b < BUFFERS; b++) {
        take();
        cudaStreamDestroy(stream[b]);
    }
}
