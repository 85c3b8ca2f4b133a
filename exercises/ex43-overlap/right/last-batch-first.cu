// The last batch is issued first; the host waits for an event of each batch.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    cudaEvent_t back[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&back[i], cudaEventDisableTiming | cudaEventBlockingSync);
    }

    for (int i = BATCHES - 1; i >= 0; i--) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
        cudaEventRecord(back[i], stream[i]);
    }

    for (int i = 0; i < BATCHES; i++) {
        cudaEventSynchronize(back[i]);
        cudaEventDestroy(back[i]);
        cudaStreamDestroy(stream[i]);
    }
}
