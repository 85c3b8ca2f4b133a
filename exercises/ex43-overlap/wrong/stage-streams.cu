// caught-by: hazards, on a card: order-in
// a stream for each stage and no events: nothing says that a batch has arrived when its kernel starts
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[3];
    for (int s = 0; s < 3; s++) cudaStreamCreate(&stream[s]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[0]);
        work<<<BLOCKS, THREADS, 0, stream[1]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[2]);
    }

    for (int s = 0; s < 3; s++) {
        cudaStreamSynchronize(stream[s]);
        cudaStreamDestroy(stream[s]);
    }
}
