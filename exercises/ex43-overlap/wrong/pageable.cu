// caught-by: pinned
// sends from a copy of the input made with malloc: pageable memory
#include <stdlib.h>
#include <string.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    float *input = (float *)malloc(BATCHES * BATCH_BYTES);
    float *output = (float *)malloc(BATCHES * BATCH_BYTES);
    cudaStream_t stream[BATCHES];
    memcpy(input, h_in, BATCHES * BATCH_BYTES);
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, input + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        work<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(output + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }

    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
    memcpy(h_out, output, BATCHES * BATCH_BYTES);
    free(input);
    free(output);
}
