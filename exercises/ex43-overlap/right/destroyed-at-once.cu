// Each stream is destroyed as soon as its batch is issued: its work ends all the same; one wait for the device.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{

    for (int i = 0; i < BATCHES; i++) {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream);
        work<<<BLOCKS, THREADS, 0, stream>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream);
        cudaStreamDestroy(stream);
    }

    cudaDeviceSynchronize();
}
