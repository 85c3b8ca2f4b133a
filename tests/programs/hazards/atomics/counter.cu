// Two kernels count in one place at the same time: with atomics that is right.
// hazard: race A B
// err: d[0..3]
// right: -DRIGHT
#include "../hazards.h"
__global__ void count(int *p)
{
#ifdef RIGHT
    atomicAdd(p, 1);
#else
    if (threadIdx.x == 0) *p += blockDim.x;
#endif
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    count<<<1, 64, 0, a>>>(d);                                   // A
    count<<<1, 64, 0, b>>>(d);                                   // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
