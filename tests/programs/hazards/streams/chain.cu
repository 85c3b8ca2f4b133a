// Three streams in a chain, and one link is missing: the ends are not ordered either, but only the gap is reported.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream(), c = stream();
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a);     // A
#ifdef RIGHT
    order(a, b);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    order(b, c);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, c);
    cudaStreamSynchronize(c);
    return finish();
}
