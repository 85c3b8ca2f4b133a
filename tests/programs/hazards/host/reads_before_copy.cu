// The host looks at the result before the copy is done: at four bytes of it.
// hazard: host-race A B
// err: host code reads h[20..23], D2H0 in stream 1 writes it
// err: fix: record an event in stream 1 after line 13 and wait for it with cudaEventSynchronize before line 17
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();

    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    int seen = h[5];                                             // B
    return seen ? 1 : finish();
}
