// The second copy writes over what device 1 may still read: the way back needs an event, too.
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
    cudaMemcpyPeerAsync(y, 1, x, 0, BYTES, a);
    order(a, b);
    cudaSetDevice(1);
    add<<<4, 256, 0, b>>>(y, N);                                 // A
#ifdef RIGHT
    cudaEvent_t read; cudaEventCreate(&read);
    cudaEventRecord(read, b);
    cudaStreamWaitEvent(a, read, 0);
#endif
    cudaSetDevice(0);
    cudaMemcpyPeerAsync(y, 1, x, 0, BYTES, a);                   // B
#ifdef RIGHT
    cudaStreamSynchronize(a);
    cudaEventDestroy(read);
#endif
    return finish();
}
