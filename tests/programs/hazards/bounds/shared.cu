// One past the end of a __shared__ array; the next one must not be hit.
// hazard: out-of-bounds A
// err: writes s[256..259]
// err: s: 256 bytes of shared memory
// err: it ends right before
// err: make the array larger, or check the index before the access
// right: -DRIGHT
#include "../hazards.h"
#ifdef RIGHT
enum { ROOM = 65 };
#else
enum { ROOM = 64 };
#endif
__global__ void shift(int *out)
{
    __shared__ int s[ROOM], next[4];
    int t = threadIdx.x;
    if (t < 4) next[t] = 7;
    __syncthreads();
    s[t + 1] = t;                                                // A
    __syncthreads();
    out[t] = s[t ? t : 1] + next[t % 4];
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    shift<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    return finish();
}
