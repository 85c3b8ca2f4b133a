// A copy to pageable memory happened to block; that it does is not promised. cudaMemcpy promises it.
// check: hazards
// hazard: not-guaranteed A B
// err: why: D2H0 was over only because a call happened to wait
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    static int h[N];
#ifdef RIGHT
    cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
#else
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, 0);     // A
#endif
    int seen = h[0];                                             // B
    return seen ? 1 : finish();
}
