// The loop that the manual shows reads plainly before it tries: that is fine. A plain read and nothing more is not.
// hazard: global-race A B
// right: -DRIGHT
#include "../hazards.h"
__global__ void most(int *p, int *out)
{
    int value = threadIdx.x, old = *p, expected;                 // A
#ifdef RIGHT
    do {
        expected = old;
        old = atomicCAS(p, expected, max(expected, value));
    } while (old != expected);
    out[threadIdx.x] = old;
#else
    if (old < value) expected = old, atomicMax(out, value + expected);
    if (value > 40) atomicMax(p, value);                         // B
#endif
}
int main()
{
    int *p; cudaMalloc(&p, BYTES); keep(p);
    int *out; cudaMalloc(&out, BYTES); keep(out);
    most<<<1, 64>>>(p, out);
    cudaDeviceSynchronize();
    return finish();
}
