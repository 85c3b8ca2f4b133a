// A kernel that begins when the one before it has triggered reads what that one writes, and does not wait for it. That
// the other has made a fence does not help: nobody has promised that the trigger comes with it.
// hazard: race A 15
// err: does not call cudaGridDependencySynchronize()
// err: that A has triggered only lets B begin, and publishes nothing, fence or not
// right: -DRIGHT
#include "dependent.h"
__global__ void A(int *p)
{
    p[rank()] = 1;
    __threadfence();
    cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void B(int *to, const int *p)
{
#ifdef RIGHT
    cudaGridDependencySynchronize();
#endif
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
