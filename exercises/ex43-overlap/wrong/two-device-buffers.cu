// caught-by: hazards, on a card: results
// two device buffers in turn, and nothing makes a batch wait until its buffer is free
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS, in_turn = (size_t)(i % 2) * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + in_turn, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + in_turn, d_out + in_turn);
        cudaMemcpyAsync(h_out + at, d_out + in_turn, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }

    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
}
