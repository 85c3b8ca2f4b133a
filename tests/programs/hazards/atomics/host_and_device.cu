// The host watches a counter in mapped memory that a kernel raises: atomically, or plainly.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
__global__ void count(int *p) { atomicAdd(p, 1); }
int main()
{
    int *h; cudaHostAlloc(&h, 64, cudaHostAllocMapped); keep_pinned(h, 64);
    cudaStream_t a = stream();
    count<<<1, 64, 0, a>>>(h);                                   // A
#ifdef RIGHT
    int seen = *(volatile int *)h;
    cudaStreamSynchronize(a);
#else
    int seen = *h;                                               // B
#endif
    return seen < 0 ? 1 : finish();
}
