// The input of a kernel is replaced while it may still be read.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d_in; cudaMalloc(&d_in, BYTES); keep(d_in);
    int *d_out; cudaMalloc(&d_out, BYTES); keep(d_out);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    move<<<4, 256, 0, a>>>(d_out, d_in, N);                      // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaMemcpyAsync(d_in, h, BYTES, cudaMemcpyHostToDevice, b);  // B
    cudaStreamSynchronize(b);
    return finish();
}
