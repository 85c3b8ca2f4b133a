// It waits, but one read stands before. A trigger at once is no mistake: what waits reads the end.
// hazard: race A 15
// err: touches the memory before its cudaGridDependencySynchronize()
// err: fix: move cudaGridDependencySynchronize() in the kernel of B before that access
// right: -DRIGHT
#include "dependent.h"
__global__ void A(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    p[rank()] = 1;
}
__global__ void B(int *to, const int *p, const int *own)
{
#ifdef RIGHT
    int value = own[rank()];
#else
    int value = p[rank()];
#endif
    cudaGridDependencySynchronize();
    to[rank()] = value + p[rank()];
}
int main()
{
    int *p, *to, *own; cudaMalloc(&p, BYTES); keep(p); cudaMalloc(&to, BYTES); keep(to);
    cudaMalloc(&own, BYTES); keep(own);
    cudaStream_t s = stream();
    A<<<4, 256, 0, s>>>(p);                                      // A
    early(s, B, to, p, own);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    return finish();
}
