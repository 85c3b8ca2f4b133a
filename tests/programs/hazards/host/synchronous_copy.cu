// cudaMemcpy from pageable memory has read its source when it returns: filling it again is right. From a pinned buffer
// that an asynchronous copy reads as well it is not.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *pinned; cudaMallocHost(&pinned, BYTES); keep_pinned(pinned);
    int h[N] = {1, 2, 3};
    cudaStream_t a = stream();
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice);
    h[0] = 4;
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice);
    h[0] = 5;
    cudaDeviceSynchronize();
#ifdef RIGHT
    cudaMemcpy(d, pinned, BYTES, cudaMemcpyHostToDevice);
#else
    cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, a);                // A
#endif
    pinned[0] = 1;                                               // B
    (void)a;
    return finish();
}
