// In the same stream, after the free.
// hazard: use-after-free A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d;
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaMallocAsync(&d, BYTES, a);
    fill<<<4, 256, 0, a>>>(d, N, 1);
#ifdef RIGHT
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);
    cudaFreeAsync(d, a);
    cudaStreamSynchronize(a);
#else
    cudaFreeAsync(d, a);                                         // A
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // B
#endif
    return finish();
}
