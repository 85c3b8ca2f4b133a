// B running sum over blocks, each of which waits for the flag of the one before: the sum is written before the flag, but
// without a fence may be seen after it.
// hazard: global-race A B
// err: put __threadfence() between the write and the operation on the flag
// right: -DRIGHT
#include "../hazards.h"
__global__ void scan(const int *in, int *sums, volatile int *flags)
{
    int b = blockIdx.x, before = 0;
    if (threadIdx.x) return;
    if (b) {
        while (flags[b - 1] == 0) {}
#ifdef RIGHT
        __threadfence();
#endif
        before = sums[b - 1];                                    // A
    }
    sums[b] = before + in[b];                                    // B
#ifdef RIGHT
    __threadfence();
#endif
    flags[b] = 1;
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *sums; cudaMalloc(&sums, BYTES); keep(sums);
    int *flags; cudaMalloc(&flags, BYTES); keep(flags);
    cudaMemset(a, 0, BYTES);
    cudaMemset(flags, 0, BYTES);
    scan<<<32, 32>>>(a, sums, flags);
    cudaDeviceSynchronize();
    return finish();
}
