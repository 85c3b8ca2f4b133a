// The event stands for what the stream held at the call: not yet the kernel.
// hazard: race A B
// err: stream 2 waits for an event at line 19 that was last recorded at line 13, before fill1 was issued
// err: fix: record an event in stream 1 after line 15 and make stream 2 wait for it before line 20
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
    fill<<<1, 1, 0, a>>>(d, 0, 0);
    cudaEventRecord(e, a);

    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    cudaEventRecord(e, a);
#endif
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
