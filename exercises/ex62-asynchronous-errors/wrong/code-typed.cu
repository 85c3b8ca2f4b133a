// caught-by: launch, on a card: nothing
// one code is looked for, and another comes
#include "ex62.h"

/* True if the device is lost: an error that is over leaves every later call working. */
static bool lost(void)
{
    cudaGetLastError();                              /* the error that is being handled is nobody else's */
    return cudaDeviceSynchronize() != cudaSuccess;
}

/* What is in the buffer's stream ends; its batch is collected. */
static cudaError_t finish(Buffer *buffer, cudaStream_t stream)
{
    cudaError_t error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess && buffer->batch >= 0) collectBatch(buffer);
    buffer->batch = -1;
    return error;
}

/* The device is lost: nothing can be asked of it any more, not even to give things back. */
static int give_up(int batch, cudaError_t error)
{
    report(batch, RUN, error);
    return error;
}

int runBatches(Buffer buffers[BUFFERS], int careful)
{
    cudaStream_t stream[BUFFERS];                    /* buffer b uses stream b */
    float *scratch[BATCHES];
    cudaError_t error;
    cudaGetLastError();                              /* what others left behind is none of ours */

    for (int i = 0; i < BATCHES; i++) {
        error = cudaMalloc((void **)&scratch[i], scratchOf(i));
        if (error == cudaSuccess) continue;
        if (lost()) return give_up(NOBODY_KNOWS, error);
        report(i, ALLOCATE, error);
        scratch[i] = NULL;
    }
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamCreate(&stream[b]);
        buffers[b].batch = -1;
    }

    for (int i = 0; i < BATCHES; i++) {
        Buffer *buffer = &buffers[i % BUFFERS];
        cudaStream_t s = stream[i % BUFFERS];
        error = finish(buffer, s);
        if (error != cudaSuccess) return give_up(NOBODY_KNOWS, error);
        if (!scratch[i]) continue;

        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, threadsOf(i), 0, s>>>(buffer->device, scratch[i], tableOf(i));
        error = cudaGetLastError();                  /* of the launch, or of the copy before it */
        if (error == cudaErrorInvalidValue) {
            if (lost()) return give_up(NOBODY_KNOWS, error);
            report(i, LAUNCH, error);
            buffer->batch = -1;
            continue;
        }
        if (careful) {
            error = cudaStreamSynchronize(s);
            if (error != cudaSuccess) return give_up(i, error);
        }
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
    }

    for (int b = 0; b < BUFFERS; b++) {
        error = finish(&buffers[(BATCHES + b) % BUFFERS], stream[(BATCHES + b) % BUFFERS]);
        if (error != cudaSuccess) return give_up(NOBODY_KNOWS, error);
    }
    for (int b = 0; b < BUFFERS; b++) cudaStreamDestroy(stream[b]);
    for (int i = 0; i < BATCHES; i++) cudaFree(scratch[i]);
    return 0;
}
