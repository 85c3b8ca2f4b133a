// A loop of queries that saw the end is as good as a wait; one query whose answer nobody looks at is not.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaEvent_t e = event();
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
    cudaEventRecord(e, a);
#ifdef RIGHT
    while (cudaEventQuery(e) == cudaErrorNotReady) { }
#else
    cudaEventQuery(e);
#endif
    int seen = h[0];                                             // B
    return seen ? 1 : finish();
}
