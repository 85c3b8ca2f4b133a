// caught-by: buffers
// allocates a pinned buffer for each batch, so that nothing ever has to come back
#include "ex45.h"

static void CUDART_CB arrived(void *data)
{
    collectBatch((Buffer *)data);
}

void streamBatches(Buffer buffers[BUFFERS])
{
    static Buffer own[BATCHES];
    cudaStream_t stream[BUFFERS];
    (void)buffers;
    for (int b = 0; b < BUFFERS; b++) cudaStreamCreate(&stream[b]);
    for (int i = 0; i < BATCHES; i++) {
        cudaMallocHost((void **)&own[i].host, BATCH_BYTES);
        cudaMalloc((void **)&own[i].device, BATCH_BYTES);
    }

    for (int i = 0; i < BATCHES; i++) {
        Buffer *buffer = &own[i];
        cudaStream_t s = stream[i % BUFFERS];
        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, THREADS, 0, s>>>(buffer->device);
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, arrived, buffer);
    }

    cudaDeviceSynchronize();
    for (int b = 0; b < BUFFERS; b++) cudaStreamDestroy(stream[b]);
    for (int i = 0; i < BATCHES; i++) {
        cudaFreeHost(own[i].host);
        cudaFree(own[i].device);
    }
}
