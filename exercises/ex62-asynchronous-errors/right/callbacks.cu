// the buffers come back by callbacks, which are told of an error: the pool does not starve
#include <pthread.h>
#include "ex62.h"

/* The pool: buffers that nobody uses. Two threads share it, so it is touched only under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static Buffer *pool[BUFFERS];
static int pooled;
static cudaError_t broken;                           /* what a callback was told; under the lock */

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

static void CUDART_CB arrived(cudaStream_t stream, cudaError_t status, void *data)
{
    Buffer *buffer = (Buffer *)data;
    (void)stream;
    if (status == cudaSuccess) collectBatch(buffer);
    pthread_mutex_lock(&lock);
    if (status != cudaSuccess) broken = status;
    pthread_mutex_unlock(&lock);
    give(buffer);
}

static cudaError_t state(void)
{
    pthread_mutex_lock(&lock);
    cudaError_t now = broken;
    pthread_mutex_unlock(&lock);
    return now;
}

int runBatches(Buffer buffers[BUFFERS], int careful)
{
    cudaError_t error;
    cudaGetLastError();
    cudaStream_t stream[BUFFERS];                    /* buffer b uses stream b */
    float *scratch[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        error = cudaMalloc((void **)&scratch[i], scratchOf(i));
        if (error == cudaSuccess) continue;
        report(i, ALLOCATE, error);
        cudaGetLastError();
        scratch[i] = NULL;
    }
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamCreate(&stream[b]);
        give(&buffers[b]);
    }

    for (int i = 0; i < BATCHES; i++) {
        if (!scratch[i]) continue;
        Buffer *buffer = take();
        if (state() != cudaSuccess) {
            report(NOBODY_KNOWS, RUN, state());
            return state();
        }
        cudaStream_t s = stream[buffer - buffers];
        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, threadsOf(i), 0, s>>>(buffer->device, scratch[i], tableOf(i));
        error = cudaGetLastError();
        if (error != cudaSuccess) {
            if (cudaDeviceSynchronize() != cudaSuccess) {
                report(NOBODY_KNOWS, RUN, error);
                return error;
            }
            report(i, LAUNCH, error);
            cudaStreamSynchronize(s);
            give(buffer);
            continue;
        }
        if (careful) {
            error = cudaStreamSynchronize(s);
            if (error != cudaSuccess) {
                report(i, RUN, error);
                return error;
            }
        }
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
        if (cudaStreamAddCallback(s, arrived, buffer, 0) != cudaSuccess) give(buffer);
    }

    for (int b = 0; b < BUFFERS; b++) take();        /* all back: every batch has been collected, or lost */
    error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        report(NOBODY_KNOWS, RUN, error);
        return error;
    }
    for (int b = 0; b < BUFFERS; b++) cudaStreamDestroy(stream[b]);
    for (int i = 0; i < BATCHES; i++) cudaFree(scratch[i]);
    return 0;
}
