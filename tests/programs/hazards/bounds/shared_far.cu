// An array of 64 for a block of 1024 threads: the host's memory behind it must not be hit.
// hazard: out-of-bounds A
// right: -DRIGHT
#include "../hazards.h"
#ifdef RIGHT
enum { ROOM = 1024 };
#else
enum { ROOM = 64 };
#endif
__global__ void all(int *out)
{
    __shared__ int s[ROOM];
    int t = blockDim.x - 1 - threadIdx.x;
    s[t] = t;                                                    // A
    __syncthreads();
    out[threadIdx.x] = s[t ^ 1];
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    all<<<1, 1024>>>(d);
    cudaDeviceSynchronize();
    return finish();
}
