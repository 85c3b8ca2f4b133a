// Two copies to one place: which is last?
// hazard: race A B
// err: H2D1 in stream 2 writes d[0..4095], H2D0 in stream 1 writes it
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, 2 * BYTES); keep_pinned(h, 2 * BYTES);
    cudaStream_t a = stream(), b = stream();
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaMemcpyAsync(d, h + N, BYTES, cudaMemcpyHostToDevice, b); // B
    cudaStreamSynchronize(b);
    return finish();
}
