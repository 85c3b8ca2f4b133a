// cudaEventSynchronize returns when what was before the record is done, not what came after.
// hazard: host-race A B
// err: the host waits for an event at line 20 that was last recorded at line 14, before D2H0 was issued
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);
#ifndef RIGHT
    cudaEventRecord(e, a);
#endif
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaEventRecord(e, a);
#endif
    cudaEventSynchronize(e);
    int seen = h[0];                                             // B
    return seen == 1 || seen == 0 ? finish() : 1;
}
