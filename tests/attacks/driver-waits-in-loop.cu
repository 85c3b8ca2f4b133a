// ex45 fail: Nothing in the loop waits for a stream or the device","state":"fail"
// Empty host functions, and a loop that waits for its streams by the driver's calls.
#include <cuda.h>
#include "ex45.h"

static void CUDART_CB nothing(void *data)
{
    (void)data;
}

void streamBatches(Buffer buffers[BUFFERS])
{
    cudaStream_t stream[BUFFERS];
    for (int b = 0; b < BUFFERS; b++) cudaStreamCreateWithFlags(&stream[b], cudaStreamNonBlocking);
    for (int i = 0; i < BATCHES; i++) {
        Buffer *buffer = &buffers[i % BUFFERS];
        cudaStream_t s = stream[i % BUFFERS];
        if (i >= BUFFERS) {
            cuStreamSynchronize((CUstream)s);
            collectBatch(buffer);
        }
        fillBatch(buffer, i);
        cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
        work<<<BLOCKS, THREADS, 0, s>>>(buffer->device);
        cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, nothing, NULL);
    }
    cuCtxSynchronize();
    for (int i = BATCHES - BUFFERS; i < BATCHES; i++) collectBatch(&buffers[i % BUFFERS]);
    for (int b = 0; b < BUFFERS; b++) cudaStreamDestroy(stream[b]);
}
