// Lanes of a warp exchange through global memory: they need not run in step.
// hazard: global-race A B
// err: lanes of a warp need not run in step
// right: -DRIGHT
#include "../hazards.h"
__global__ void shift(int *p, int *out)
{
    int t = threadIdx.x;
    p[t] = t;                                                    // A
#ifdef RIGHT
    __syncwarp();
#endif
    out[t] = p[t ^ 1];                                           // B
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *b; cudaMalloc(&b, BYTES); keep(b);
    shift<<<1, 32>>>(a, b);
    cudaDeviceSynchronize();
    return finish();
}
