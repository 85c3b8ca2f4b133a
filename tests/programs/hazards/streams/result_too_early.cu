// The copy back is in a stream that does not wait for the kernel.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    fill<<<4, 256, 0, a>>>(d, N, 7);                             // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, b);     // B
    cudaStreamSynchronize(b);
    return h[0] == 7 || h[0] == 0 ? finish() : 1;
}
