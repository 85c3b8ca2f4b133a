// It writes what the kernel before it may still read. Without a trigger the two never run at once here: the launch allows
// it all the same, and the trigger comes by itself before the kernel's end.
// hazard: race A 15
// err: race: B in stream 1 writes
// right: -DRIGHT
#include "dependent.h"
__global__ void A(int *to, const int *p) { to[rank()] = p[rank()]; }
__global__ void B(int *p)
{
#ifndef RIGHT
    p[rank()] = 2;
#endif
    cudaGridDependencySynchronize();
    p[rank()] = 3;
}
int main()
{
    int *p, *to; cudaMalloc(&p, BYTES); keep(p); cudaMalloc(&to, BYTES); keep(to);
    cudaStream_t s = stream();
    A<<<4, 256, 0, s>>>(to, p);                                  // A
    early(s, B, p);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    return finish();
}
