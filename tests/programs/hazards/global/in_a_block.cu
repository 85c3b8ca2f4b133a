// Threads of a block exchange through global memory.
// hazard: global-race A B
// err: used by two threads of a block, unordered
// err: put __syncthreads() between the two
// right: -DRIGHT
#include "../hazards.h"
__global__ void reverse(int *p, int *out)
{
    int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    p[first + t] = t;                                            // A
#ifdef RIGHT
    __syncthreads();
#endif
    out[first + t] = p[first + blockDim.x - 1 - t];              // B
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *b; cudaMalloc(&b, BYTES); keep(b);
    reverse<<<N / 64, 64>>>(a, b);
    cudaDeviceSynchronize();
    return finish();
}
