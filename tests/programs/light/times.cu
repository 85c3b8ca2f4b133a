// How long kernels last by their bytes and accesses: tests/cli/hazards.sh runs this with hooks everywhere and with few.
// run: THREELANE_ACCESSES=0 THREELANE_MODEL=h200
// err: checked in samples
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 1 << 17, SIDE = 128 };

__global__ void saxpy(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i] + y[i];
}
__global__ void matmul(const float *a, const float *b, float *c)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < SIDE; k++) sum += a[row * SIDE + k] * b[k * SIDE + column];
    c[row * SIDE + column] = sum;
}
__global__ void gather(const float *x, float *y)        // touches little of much memory
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += x[(unsigned)i * 2654435761u % N];
}

int main()
{
    float *x, *y, ms;
    cudaEvent_t from, to;
    cudaMalloc(&x, N * sizeof *x);
    cudaMalloc(&y, N * sizeof *y);
    cudaMemset(x, 0x3d, N * sizeof *x);
    cudaMemset(y, 0, N * sizeof *y);
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (int kind = 0; kind < 3; kind++) {
        cudaEventRecord(from);
        if (kind == 0) saxpy<<<N / 256, 256>>>(x, y);
        if (kind == 1) matmul<<<dim3(SIDE / 8, SIDE / 8), dim3(8, 8)>>>(x, x + SIDE * SIDE, y);
        if (kind == 2) gather<<<64, 64>>>(x, y);
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&ms, from, to);
        printf("%d: %.3f us\n", kind, ms * 1000);
    }
}
