// The host touches thousands of pages before anybody hears of it; the first one is still being copied, and so is the last.
// hazard: host-race A C
// hazard: host-race B C
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    enum { PAGES = 3000, INTS = 1024 };
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    int *h; cudaMallocHost(&h, (size_t)PAGES * INTS * sizeof *h);
    cudaStream_t s = stream(), t = stream();
    cudaMemcpyAsync(x, h, BYTES, cudaMemcpyHostToDevice, s);                                         // A
    cudaMemcpyAsync(y, h + (size_t)(PAGES - 1) * INTS, BYTES, cudaMemcpyHostToDevice, t);            // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    for (int i = 0; i < 2 * PAGES; i++) h[(size_t)(i % PAGES) * INTS] = i;                           // C
#ifndef RIGHT
    cudaDeviceSynchronize();
#endif
    cudaFreeHost(h);
    return finish();
}
