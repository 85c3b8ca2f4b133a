// A kernel waits for the one right before it, no further back: if that one has not waited, the first may still run.
// hazard: race A 15
// err: waits for the kernel right before it only
// err: fix: call cudaGridDependencySynchronize() in every kernel between A and C
// right: -DRIGHT
#include "dependent.h"
__global__ void A(int *p) { cudaTriggerProgrammaticLaunchCompletion(); p[rank()] = 1; }
__global__ void B(int *other)
{
    cudaTriggerProgrammaticLaunchCompletion();
#ifdef RIGHT
    cudaGridDependencySynchronize();
#endif
    other[rank()] = 2;
}
__global__ void C(int *to, const int *p)
{
    cudaGridDependencySynchronize();
    to[rank()] = p[rank()];
}
int main()
{
    int *p, *to, *other; cudaMalloc(&p, BYTES); keep(p); cudaMalloc(&to, BYTES); keep(to);
    cudaMalloc(&other, BYTES); keep(other);
    cudaStream_t s = stream();
    A<<<4, 256, 0, s>>>(p);                                      // A
    early(s, B, other);
    early(s, C, to, p);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    return finish();
}
