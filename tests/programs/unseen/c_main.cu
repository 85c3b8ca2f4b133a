// A C program whose CUDA is behind extern "C".
// with: c_main_part.c
// out: c ok
#include "scale.h"
static cudaError_t last;
extern "C" __global__ void axpy(const float *a, float *b, int n, float k)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) b[i] += a[i] * k;
}
extern "C" int scale_scale(const float *a, float *b, int n, float k)
{
    float *da = 0, *db = 0;
    const size_t bytes = n * sizeof(float);
    if ((last = cudaMalloc((void **)&da, bytes)) != cudaSuccess) return 1;
    if ((last = cudaMalloc((void **)&db, bytes)) != cudaSuccess) return 1;
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
    axpy<<<(n + 31) / 32, 32>>>(da, db, n, k);
    last = cudaMemcpy(b, db, bytes, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    return last != cudaSuccess;
}
extern "C" const char *scale_error(void) { return cudaGetErrorString(last); }