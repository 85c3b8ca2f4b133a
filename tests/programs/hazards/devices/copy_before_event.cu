// What a copy brings to device 1 is read there before it has arrived: the copy is in a stream of device 0.
// run: THREELANE_MODEL=unit+devices=2
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    cudaStream_t a = stream();
    cudaSetDevice(1);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    cudaStream_t b = stream();
    cudaSetDevice(0);
    cudaMemcpyPeerAsync(y, 1, x, 0, BYTES, a);                   // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaSetDevice(1);
    add<<<4, 256, 0, b>>>(y, N);                                 // B
#ifdef RIGHT
    cudaStreamSynchronize(b);
#endif
    return finish();
}
