/* Two kernels that fill the device, then two of half its size: `room` has 16 multiprocessors of 2048 threads. */
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

__global__ void full(float *data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }
__global__ void half(float *data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }

int main(void)
{
    const int threads = 1024, all = 32;              /* two blocks to a multiprocessor */
    float *data[2];
    cudaStream_t stream[2];
    for (int i = 0; i < 2; i++) {
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        cudaMalloc((void **)&data[i], all * threads * sizeof(float));
        cudaMemset(data[i], 0, all * threads * sizeof(float));
    }
    cudaDeviceSynchronize();
    nvtxRangePushA("work");
    for (int i = 0; i < 2; i++) full<<<all, threads, 0, stream[i]>>>(data[i]);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++) half<<<all / 2, threads, 0, stream[i]>>>(data[i]);
    cudaDeviceSynchronize();
    nvtxRangePop();
    for (int i = 0; i < 2; i++) {
        cudaStreamDestroy(stream[i]);
        cudaFree(data[i]);
    }
    return 0;
}
