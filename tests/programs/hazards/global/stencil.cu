// A stencil in place: a block reads its neighbour's edge, which the neighbour may have written already.
// hazard: global-race A B
// err: used by threads of different blocks, unordered
// err: blocks run in any order
// right: -DRIGHT
#include "../hazards.h"
__global__ void blur(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i ? in[i - 1] : 0;                                // A
    __syncthreads();
    out[i] = left + i;                                           // B
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *b; cudaMalloc(&b, BYTES); keep(b);
    cudaMemset(a, 0, BYTES);
#ifdef RIGHT
    blur<<<N / 64, 64>>>(a, b);
#else
    blur<<<N / 64, 64>>>(a, a);
#endif
    cudaDeviceSynchronize();
    return finish();
}
