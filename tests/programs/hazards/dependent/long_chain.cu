// Many launches in a row that all begin early and wait for nothing: the last one is as little in order with one in the middle
// as with the one before it. Where each waits, it comes after all of them.
// hazard: race 15 15
// right: -DRIGHT
#include "dependent.h"
enum { LAUNCHES = 70, BACK = 64 };
__global__ void A(int *p, const int *from)
{
    cudaTriggerProgrammaticLaunchCompletion();
#ifdef RIGHT
    cudaGridDependencySynchronize();
#endif
    p[rank()] = from[rank()];
}
int main()
{
    int *p, *own, *to; cudaMalloc(&p, BYTES), cudaMalloc(&own, BYTES * LAUNCHES), cudaMalloc(&to, BYTES);
    keep(p), keep(own, BYTES * LAUNCHES), keep(to);
    cudaStream_t s = stream();
    A<<<4, 256, 0, s>>>(own, p);
    for (int i = 1; i < LAUNCHES; i++) early(s, A, own + i * N, p);
    early(s, A, to, own + (LAUNCHES - BACK) * N);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    return finish();
}
