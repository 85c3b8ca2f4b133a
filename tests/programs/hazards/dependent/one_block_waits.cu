// What one block waits for, another one does not know; a barrier of the block tells the threads of it.
// hazard: race A 15
// right: -DRIGHT
#include "dependent.h"
__global__ void A(int *p) { p[rank()] = 1; }
__global__ void B(int *to, const int *p)
{
#ifdef RIGHT
    if (threadIdx.x == 0) cudaGridDependencySynchronize();
#else
    if (rank() == 0) cudaGridDependencySynchronize();
#endif
    __syncthreads();
    to[rank()] = p[rank()];
}
int main()
{
    int *p, *to; cudaMalloc(&p, BYTES); keep(p); cudaMalloc(&to, BYTES); keep(to);
    cudaStream_t s = stream();
    A<<<4, 256, 0, s>>>(p);                                      // A
    early(s, B, to, p);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    return finish();
}
