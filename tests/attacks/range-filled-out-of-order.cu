// ex45 fail: Nothing in the loop waits for a stream or the device","state":"fail"
// Fills the last batch second, which ends the part that is looked at, and waits for streams after it.
#include "ex45.h"
static void CUDART_CB nothing(void *) {}
static void batch(Buffer *buffer, int i, cudaStream_t s)
{
    fillBatch(buffer, i);
    cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, s);
    work<<<BLOCKS, THREADS, 0, s>>>(buffer->device);
    cudaMemcpyAsync(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, nothing, nullptr);
}
void streamBatches(Buffer buffers[BUFFERS])
{
    cudaStream_t stream[BUFFERS];
    bool used[BUFFERS] = {};
    for (int b = 0; b < BUFFERS; b++) cudaStreamCreate(&stream[b]);
    for (int k = 0; k < BATCHES; k++) {
        int b = k % BUFFERS, i = (k == 0 ? 0 : k == 1 ? BATCHES - 1 : k - 1);
        if (used[b]) {
            cudaStreamSynchronize(stream[b]);
            collectBatch(&buffers[b]);
        }
        batch(&buffers[b], i, stream[b]);
        used[b] = true;

    }
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamSynchronize(stream[b]);
        if (used[b]) collectBatch(&buffers[b]);
        cudaStreamDestroy(stream[b]);
    }

}
