// The loop that the manual shows reads plainly before it tries: that is fine. A plain read and nothing more is not.
// hazard: global-race A B
// right: -DRIGHT
#include "../hazards.h"
__global__ void most(int *p, int *out)
{
    int value = threadIdx.x, old = *p, expected;
#ifdef RIGHT
    do {
        expected = old;
        old = atomicCAS(p, expected, max(expected, value));
    } while (old != expected);
    out[threadIdx.x] = old;
#else
    expected = value;
    if (value > 40) atomicMax(out, old + expected);
    __syncwarp();
}
__global__ void others(int *p, int *out)
{
    if (threadIdx.x < 32) out[threadIdx.x] = *p;                 // A
    else atomicMax(p, threadIdx.x);                              // B
#endif
}
int main()
{
    int *p; cudaMalloc(&p, BYTES); keep(p);
    int *out; cudaMalloc(&out, BYTES); keep(out);
    most<<<1, 64>>>(p, out);
#ifndef RIGHT
    others<<<1, 64>>>(p, out);
#endif
    cudaDeviceSynchronize();
    return finish();
}
