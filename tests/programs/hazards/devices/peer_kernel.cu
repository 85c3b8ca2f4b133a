// Device 1 writes device 0's memory with a kernel of its own, while a kernel of device 0 does, too.
// run: THREELANE_MODEL=unit+devices=2
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    cudaStream_t a = stream();
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaStream_t b = stream();
    cudaSetDevice(0);
    fill<<<4, 256, 0, a>>>(x, N, 1);                             // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaSetDevice(1);
    add<<<4, 256, 0, b>>>(x, N);                                 // B
#ifdef RIGHT
    cudaStreamSynchronize(b);
#endif
    return finish();
}
