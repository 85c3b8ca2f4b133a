// Three device buffers in turn; an event says when a buffer has been read for the last time.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    enum { BUFFERS = 3 };
    cudaStream_t stream[BATCHES];
    cudaEvent_t back[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&back[i], cudaEventDisableTiming);
    }

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS, in_turn = (size_t)(i % BUFFERS) * BATCH_FLOATS;
        if (i >= BUFFERS) cudaStreamWaitEvent(stream[i], back[i - BUFFERS], 0);
        cudaMemcpyAsync(d_in + in_turn, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + in_turn, d_out + in_turn);
        cudaMemcpyAsync(h_out + at, d_out + in_turn, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
        cudaEventRecord(back[i], stream[i]);
    }

    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
        cudaEventDestroy(back[i]);
    }
}
