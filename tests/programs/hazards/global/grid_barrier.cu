// A barrier of the grid made by hand: without fences it does not order what the blocks have written.
// hazard: global-race A B
// err: put __threadfence() between the write and the operation on the flag
// right: -DRIGHT
#include "../hazards.h"
__device__ unsigned arrived;
__global__ void rotate(int *p, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = i;                                                    // A
#ifdef RIGHT
    __threadfence();
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < gridDim.x) {}
    }
    __syncthreads();
    out[i] = p[(i + 64) % (gridDim.x * blockDim.x)];             // B
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *b; cudaMalloc(&b, BYTES); keep(b);
    rotate<<<8, 64>>>(a, b);
    cudaDeviceSynchronize();
    return finish();
}
