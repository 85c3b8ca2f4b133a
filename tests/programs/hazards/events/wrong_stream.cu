// Recorded in the stream that waits, not in the one that is to be waited for.
// hazard: race A B
// err: was recorded at line 13 in stream 2, not in stream 1, where fill is
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifndef RIGHT
    cudaEventRecord(e, b);
#else
    cudaEventRecord(e, a);
#endif
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
