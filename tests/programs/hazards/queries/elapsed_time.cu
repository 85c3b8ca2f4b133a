// cudaEventElapsedTime that succeeded has seen both events.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaEvent_t begin = event(), end = event();
    float ms;
    cudaEventRecord(begin, a);
#ifndef RIGHT
    cudaEventRecord(end, a);
#endif
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaEventRecord(end, a);
#endif
    while (cudaEventElapsedTime(&ms, begin, end) == cudaErrorNotReady) { }
    int seen = h[0];                                             // B
    return seen ? 1 : finish();
}
