// Two buffers, two independent races: both are reported.
// hazard: race A B
// hazard: race C D
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    int *h; cudaMallocHost(&h, 2 * BYTES); keep_pinned(h, 2 * BYTES);
    cudaStream_t a = stream(), b = stream(), c = stream();
    cudaMemcpyAsync(x, h, BYTES, cudaMemcpyHostToDevice, a);     // A
    cudaMemcpyAsync(y, h + N, BYTES, cudaMemcpyHostToDevice, b); // C
#ifdef RIGHT
    order(a, c);
    order(b, c);
#endif
    add<<<4, 256, 0, c>>>(x, N);                                 // B
    add<<<4, 256, 0, c>>>(y, N);                                 // D
    cudaStreamSynchronize(c);
    return finish();
}
