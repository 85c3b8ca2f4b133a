// Somebody waits for the event: not the stream that needs it.
// hazard: race A B
// err: an event is recorded after fill0 at line 12, but stream 2 does not wait for it before add
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream(), c = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
    cudaEventRecord(e, a);
#ifdef RIGHT
    cudaStreamWaitEvent(b, e, 0);
#endif
    cudaStreamWaitEvent(c, e, 0);
    fill<<<1, 1, 0, c>>>(d, 0, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
#ifdef RIGHT
    cudaStreamSynchronize(c);
#endif
    return finish();
}
