// The same with cudaStreamQuery; of another stream it says nothing.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    while (cudaStreamQuery(a) != cudaSuccess) { }
#else
    while (cudaStreamQuery(b) != cudaSuccess) { }
#endif
    int seen = h[0];                                             // B
    (void)b;
    return seen ? 1 : finish();
}
