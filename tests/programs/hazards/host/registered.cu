// Memory from malloc, registered: copies of it are as asynchronous as those of pinned memory.
// hazard: host-race A B
// err: h: 4096 bytes of registered memory, cudaHostRegister at registered.cu:11
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h = (int *)malloc(BYTES);
    cudaStream_t a = stream();
    cudaHostRegister(h, BYTES, 0);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    h[0]++;                                                      // B
#ifndef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaHostUnregister(h);
    free(h);
    return finish();
}
