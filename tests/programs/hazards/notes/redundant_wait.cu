// An event within one stream orders nothing that the stream does not order.
// check: hazards
// hazard: redundant A
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);
#ifndef RIGHT
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(a, e, 0);                                // A
#endif
    add<<<4, 256, 0, a>>>(d, N);
    (void)e;
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    return finish();
}
