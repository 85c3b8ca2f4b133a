// ex43 refused: a kernel of your own \(work\) cannot be graded
// The same through a pointer: cudaLaunchKernel.
#include "ex43.h"
namespace mine {
__global__ void work(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
}
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        const float *in = d_in + at;
        float *out = d_out + at;
        void *arguments[] = {&in, &out};
        cudaLaunchKernel((const void *)mine::work, dim3(BLOCKS), dim3(THREADS), arguments, 0, stream[i]);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamSynchronize(stream[i]);
        cudaStreamDestroy(stream[i]);
    }
}
