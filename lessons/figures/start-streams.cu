/* The same three batches in three streams: the second figure of lessons/00-start.md. */
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
    cudaStream_t stream[BATCHES];
    cudaMallocHost((void **)&h_v, BATCHES * N * sizeof(float));
    cudaMalloc((void **)&d_v, BATCHES * N * sizeof(float));
    for (int i = 0; i < BATCHES * N; i++) h_v[i] = (float)i;

    for (int b = 0; b < BATCHES; b++) {
        cudaStreamCreate(&stream[b]);
        cudaMemcpyAsync(d_v + b * N, h_v + b * N, N * sizeof(float), cudaMemcpyHostToDevice, stream[b]);
        add_one<<<16, 256, 0, stream[b]>>>(d_v + b * N, N);
        cudaMemcpyAsync(h_v + b * N, d_v + b * N, N * sizeof(float), cudaMemcpyDeviceToHost, stream[b]);
    }
    for (int b = 0; b < BATCHES; b++) {
        cudaStreamSynchronize(stream[b]);
        cudaStreamDestroy(stream[b]);
    }

    cudaFree(d_v);
    cudaFreeHost(h_v);
    return 0;
}
