// A kernel launches another one. What is wrong in that one is found as in any; what the parent writes before it, and
// grids one after the other in a stream, are ordered.
// flags: -rdc=true
// hazard: global-race 15 15
// right: -DRIGHT
#include <cuda_runtime.h>
#ifdef RIGHT
#define PLACE blockIdx.x
#else
#define PLACE 0
#endif

__global__ void child(int *p)
{
    p[PLACE] = (int)blockIdx.x;
}
__global__ void after(int *p)
{
    p[100 + threadIdx.x] += p[threadIdx.x];
}
__global__ void parent(int *p)
{
    p[threadIdx.x] = 5;
    __syncthreads();
    if (threadIdx.x == 0) {
        child<<<4, 1>>>(p);
        after<<<1, 32>>>(p);
    }
}

int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    parent<<<1, 32>>>(p);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(p);
    return error != cudaSuccess;
}
