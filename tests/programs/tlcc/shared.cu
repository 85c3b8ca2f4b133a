// Dynamic shared memory in all its spellings, and static shared memory.
// out: shared memory works
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__managed__ float out[256];

extern __shared__ __align__(16) unsigned char outer[];
namespace n { extern __shared__ int inner[]; }

__global__ void plain(float *p)
{
    extern __shared__ float s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
template <class T> __global__ void typed(T *p)
{
    __shared__ extern volatile unsigned char raw[];
    volatile T *s = (volatile T *)raw;
    s[threadIdx.x] = 2 * threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void square(float *p)
{
    extern __shared__ float tile[][8];
    tile[threadIdx.y][threadIdx.x] = threadIdx.y * 8 + threadIdx.x;
    __syncthreads();
    p[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void global_names(float *p)
{
    n::inner[threadIdx.x] = 5;
    __syncthreads();
    p[threadIdx.x] = ((int *)outer)[threadIdx.x] + n::inner[threadIdx.x];
}
__device__ float *helper() { extern __shared__ float h[]; return h; }
__global__ void fixed(float *p)
{
    static __shared__ float a[32];
    __shared__ volatile float b[2][16];
    __shared__ int k;
    a[threadIdx.x] = 1;
    b[threadIdx.x / 16][threadIdx.x % 16] = 2;
    if (threadIdx.x == 0) k = 3;
    helper()[threadIdx.x] = 4;
    __syncthreads();
    p[threadIdx.x] = a[31 - threadIdx.x] + b[0][0] + b[1][15] + k + helper()[0];
}

static void run(void) { assert(cudaDeviceSynchronize() == cudaSuccess); }

int main()
{
    float *p = out;
    plain<<<1, 32, 32 * sizeof(float)>>>(p); run(); assert(p[0] == 31 && p[31] == 0);
    typed<float><<<1, 32, 32 * sizeof(float)>>>(p); run(); assert(p[0] == 62 && p[31] == 0);
    square<<<1, dim3(8, 8), 64 * sizeof(float)>>>(p); run(); assert(p[1] == 8 && p[8] == 1);
    global_names<<<1, 32, 32 * sizeof(int)>>>(p); run(); assert(p[7] == 10);
    fixed<<<1, 32, 32 * sizeof(float)>>>(p); run(); assert(p[7] == 12);
    puts("shared memory works");
}
