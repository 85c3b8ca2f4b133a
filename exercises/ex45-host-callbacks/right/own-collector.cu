// The host function hands the buffer to a thread of the program's own, which collects it and gives it back.
#include <pthread.h>
#include <thread>
#include "ex45.h"

/* The pool: buffers that nobody uses. Two threads share it (yours, and the one that runs host functions), so it is
 * touched only under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static Buffer *pool[BUFFERS];
static int pooled;
static Buffer *there[BUFFERS];                       /* buffers with results */
static int arrivals;

static void give(Buffer *buffer)
{
    pthread_mutex_lock(&lock);
    if (pooled < BUFFERS) pool[pooled++] = buffer;
    pthread_cond_broadcast(&given);
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

/* Runs on a thread of the driver when the results have arrived. */
static void CUDART_CB arrived(void *data)
{
    pthread_mutex_lock(&lock);
    there[arrivals++] = (Buffer *)data;
    pthread_cond_broadcast(&given);
    pthread_mutex_unlock(&lock);
}

static void collect_all(void)
{
    for (int i = 0; i < BATCHES; i++) {
        pthread_mutex_lock(&lock);
        while (arrivals == 0) pthread_cond_wait(&given, &lock);
        Buffer *buffer = there[--arrivals];
        pthread_mutex_unlock(&lock);
        collectBatch(buffer);
        give(buffer);
    }
}

void streamBatches(Buffer buffers[BUFFERS])
{
    cudaStream_t stream[BUFFERS];                    /* buffer b uses stream b */
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamCreate(&stream[b]);
        give(&buffers[b]);
    }

    std::thread collector(collect_all);
    for (int i = 0; i < BATCHES; i++) {
        Buffer *buffer = take();
        cudaStream_t s = stream[buffer - buffers];
        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, THREADS, 0, s>>>(buffer->device);
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, arrived, buffer);
    }

    collector.join();
    pooled = 0;
    for (int b = 0; b < BUFFERS; b++) cudaStreamDestroy(stream[b]);
}
