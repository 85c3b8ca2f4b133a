/* Three batches, three streams. The kernel of the second one is given a null pointer. */
#include <cuda_runtime.h>

__global__ void work(float *data) { data[threadIdx.x] += 1.0f; }

int main()
{
    float *h, *d;
    cudaStream_t s[3];
    cudaMallocHost((void **)&h, 3072);
    cudaMalloc((void **)&d, 3072);
    for (int i = 0; i < 3; i++) cudaStreamCreate(&s[i]);
    for (int i = 0; i < 3; i++) {
        cudaMemcpyAsync(d + 256 * i, h + 256 * i, 1024, cudaMemcpyHostToDevice, s[i]);
        work<<<1, 256, 0, s[i]>>>(i == 1 ? NULL : d + 256 * i);
        cudaMemcpyAsync(h + 256 * i, d + 256 * i, 1024, cudaMemcpyDeviceToHost, s[i]);
    }
    cudaStreamSynchronize(s[0]);
    cudaStreamSynchronize(s[2]);
    return 0;
}
