// Threads without an element return before a barrier: the others pass it, as on a card, and a note says so.
// check: all
// hazard: early-return A
// err: 24 of 128 threads of block (7,0,0) had ended when the others met at a barrier
// out: sum 499500
// right: -DRIGHT
#include "../hazards.h"

__global__ void total(const int *in, int *out, int n)
{
    __shared__ int part[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
#ifndef RIGHT
    if (i >= n) { part[threadIdx.x] = 0; return; }
#endif
    __syncthreads();                                                             // A
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < (int)blockDim.x && blockIdx.x * blockDim.x + k < (unsigned)n; k++) sum += part[k];
        atomicAdd(out, sum);
    }
}

int main()
{
    int n = 1000, h[1000], *in, *out, sum;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    total<<<8, 128>>>(in, out, n);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    printf("sum %d\n", sum);
    cudaFree(in); cudaFree(out);
    return 0;
}
