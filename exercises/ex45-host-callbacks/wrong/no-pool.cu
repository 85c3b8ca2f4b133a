// caught-by: hazards, on a card: results
// uses the buffers in turn and does not wait for one to come back
#include "ex45.h"

/* Runs on a thread of the driver when the results have arrived. No CUDA calls in here. */
static void CUDART_CB arrived(void *data)
{
    collectBatch((Buffer *)data);
}

void streamBatches(Buffer buffers[BUFFERS])
{
    cudaStream_t stream[BUFFERS];                    /* buffer b uses stream b */
    for (int b = 0; b < BUFFERS; b++) cudaStreamCreate(&stream[b]);

    for (int i = 0; i < BATCHES; i++) {
        Buffer *buffer = &buffers[i % BUFFERS];
        cudaStream_t s = stream[i % BUFFERS];
        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, THREADS, 0, s>>>(buffer->device);
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, arrived, buffer);
    }

    cudaDeviceSynchronize();
    for (int b = 0; b < BUFFERS; b++) cudaStreamDestroy(stream[b]);
}
