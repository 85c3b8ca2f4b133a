/* Three batches, one after the other: the first figure of lessons/00-start.md. */
#include <cuda_runtime.h>

enum { BATCHES = 3, N = 4096 };

__global__ void add_one(float *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = v[i] + 1.0f;
}

int main(void)
{
    float *h_v, *d_v;
    cudaMallocHost((void **)&h_v, BATCHES * N * sizeof(float));
    cudaMalloc((void **)&d_v, BATCHES * N * sizeof(float));
    for (int i = 0; i < BATCHES * N; i++) h_v[i] = (float)i;

    for (int b = 0; b < BATCHES; b++) {
        cudaMemcpy(d_v + b * N, h_v + b * N, N * sizeof(float), cudaMemcpyHostToDevice);
        add_one<<<16, 256>>>(d_v + b * N, N);
        cudaMemcpy(h_v + b * N, d_v + b * N, N * sizeof(float), cudaMemcpyDeviceToHost);
    }

    cudaFree(d_v);
    cudaFreeHost(h_v);
    return 0;
}
