// The host waits, for the wrong stream.
// hazard: host-race A B
// err: why: the host waited for stream 2 at line 16, not for stream 1, where D2H0 is
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
    add<<<4, 256, 0, b>>>(d, 0);
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaStreamSynchronize(b);
    int seen = h[5];                                             // B
    return seen ? 1 : finish();
}
