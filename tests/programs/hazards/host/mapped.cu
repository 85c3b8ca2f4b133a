// Mapped memory: a kernel writes it, the host reads it.
// hazard: host-race A B
// err: h: 4096 bytes of pinned memory, cudaHostAlloc at mapped.cu:9
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *h, *mapped;
    cudaHostAlloc(&h, BYTES, cudaHostAllocMapped); keep_pinned(h);
    cudaHostGetDevicePointer(&mapped, h, 0);
    cudaStream_t a = stream();
    fill<<<4, 256, 0, a>>>(mapped, N, 3);                        // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    int seen = h[N - 1];                                         // B
    return seen != 3 && seen != 0 ? 1 : finish();
}
