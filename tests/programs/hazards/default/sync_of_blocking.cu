// A blocking stream comes after the default stream's work, but to wait for it is to wait for what it holds: nothing.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(cudaStreamDefault);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, 0);     // A
#ifdef RIGHT
    fill<<<4, 256, 0, a>>>(d, N, 1);  // now it holds something that comes after the copy
#endif
    cudaStreamSynchronize(a);
    int seen = h[0];                                             // B
    return seen ? 1 : finish();
}
