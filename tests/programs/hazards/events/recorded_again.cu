// A second record, in another stream, replaces the one that was meant.
// hazard: race A B
// err: the event that stream 2 waits for at line 17 was recorded after fill0 at line 12, but once more at line 15
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream(), c = stream();
    cudaEvent_t e = event(), other = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
    cudaEventRecord(e, a);
    fill<<<1, 1, 0, c>>>(d, 0, 0);
#ifndef RIGHT
    cudaEventRecord(e, c);
#endif
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    (void)other;
#ifdef RIGHT
    cudaStreamSynchronize(c);
#endif
    return finish();
}
