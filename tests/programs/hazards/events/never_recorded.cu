// A wait for an event that was never recorded waits for nothing.
// hazard: race A B
// err: stream 2 waits for an event at line 15 that was never recorded, so it waits for nothing
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    cudaEventRecord(e, a);
#endif
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
