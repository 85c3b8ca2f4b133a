// memset on a buffer that a copy reads.
// hazard: host-race A B
// err: host code writes h[0..4095]
// right: -DRIGHT
#include <cstring>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    memset(h, 0, BYTES);                                         // B
    return finish();
}
