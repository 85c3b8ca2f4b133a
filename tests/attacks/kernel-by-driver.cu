// ex43 refused: a kernel of your own
// A kernel of its own, by the driver's launch.
#include <cuda.h>
#include "ex43.h"

__global__ void mine(const float *in, float *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < BATCH_FLOATS; i += gridDim.x * blockDim.x) out[i] = in[i] * in[i] + 1.0f;
}


void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        const float *from = d_in + at;
        float *to = d_out + at;
        void *arguments[] = {&from, &to};
        cudaFunction_t function;
        cudaGetFuncBySymbol(&function, (const void *)mine);
        cuLaunchKernel((CUfunction)function, BLOCKS, 1, 1, THREADS, 1, 1, 0, (CUstream)stream[i], arguments, NULL);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }

    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
}
