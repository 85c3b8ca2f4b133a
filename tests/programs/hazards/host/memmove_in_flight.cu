// memmove within a buffer, half of which a copy writes: it reads and writes there.
// hazard: host-race A B
// err: h[2048..
// right: -DRIGHT
#include <cstring>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaMemcpyAsync(h + N / 2, d, BYTES / 2, cudaMemcpyDeviceToHost, a);         // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    memmove(h, h + 1, BYTES - 4);                                // B
    return finish();
}
