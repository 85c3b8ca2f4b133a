// Rounds over an array in place: the read of one round against the write of the next.
// hazard: global-race A B
// err: in one round of the loop and
// err: put another __syncthreads() after line 13, before the next round
// right: -DRIGHT
#include "../hazards.h"
__global__ void smooth(int *p, int rounds)
{
    int t = threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        int next = p[(t + 1) % 64];                              // A
        __syncthreads();
        p[t] = next + 1;                                         // B
#ifdef RIGHT
        __syncthreads();
#endif
    }
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    cudaMemset(a, 0, BYTES);
    smooth<<<1, 64>>>(a, 4);
    cudaDeviceSynchronize();
    return finish();
}
