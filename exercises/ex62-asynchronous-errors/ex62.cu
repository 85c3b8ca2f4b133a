/* Exercise 62: asynchronous errors. What you may rely on is in ex62.h; the lesson is `make ex62-lesson`.
 *
 * TODO: This is the pipeline of exercise 45. As long as nothing goes wrong it is right, and fast. Give it the handling of
 * errors that ex62.h describes. The runs launch, memory, kernel, late and earlier each break something else. */
#include <pthread.h>
#include "ex62.h"

/* The pool: buffers that nobody uses. Two threads share it, so it is touched only under the lock. */
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

static void CUDART_CB arrived(void *data)
{
    Buffer *buffer = (Buffer *)data;
    collectBatch(buffer);
    give(buffer);
}

int runBatches(Buffer buffers[BUFFERS], int careful)
{
    (void)careful;
    cudaStream_t stream[BUFFERS];                    /* buffer b uses stream b */
    float *scratch[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaMalloc((void **)&scratch[i], scratchOf(i));
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamCreate(&stream[b]);
        give(&buffers[b]);
    }

    for (int i = 0; i < BATCHES; i++) {
        Buffer *buffer = take();
        cudaStream_t s = stream[buffer - buffers];
        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, threadsOf(i), 0, s>>>(buffer->device, scratch[i], tableOf(i));
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, arrived, buffer);
    }

    for (int b = 0; b < BUFFERS; b++) take();        /* all back: every batch has been collected */
    for (int b = 0; b < BUFFERS; b++) cudaStreamDestroy(stream[b]);
    for (int i = 0; i < BATCHES; i++) cudaFree(scratch[i]);
    return 0;
}
