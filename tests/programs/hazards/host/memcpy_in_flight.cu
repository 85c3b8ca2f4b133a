// memcpy out of a buffer that is still on its way: the second half of it.
// hazard: host-race A B
// err: host code reads h[2048..4095]
// right: -DRIGHT
#include <cstring>
#include "../hazards.h"
int main()
{
    static int mine[N];
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    memcpy(mine, h + N / 2, BYTES / 2);                          // B
    return mine[0] ? 1 : finish();
}
