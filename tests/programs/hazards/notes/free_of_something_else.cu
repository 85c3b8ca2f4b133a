// The host reads a result because cudaFree of some other memory happened to wait for the device.
// check: hazards
// hazard: not-guaranteed A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *other; cudaMalloc(&other, BYTES);
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaFree(other);
    int seen = h[0];                                             // B
    return seen ? 1 : finish();
}
