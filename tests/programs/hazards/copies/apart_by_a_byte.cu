// 1D copies that touch, side by side; one byte longer they meet.
// hazard: race A B
// err: d[1000..1000]
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    char *d; cudaMalloc(&d, BYTES); keep(d);
    char *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
#ifdef RIGHT
    size_t n = 1000;
#else
    size_t n = 1001;
#endif
    cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice, a);         // A
    cudaMemsetAsync(d + 1000, 0, 96, b);                         // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
