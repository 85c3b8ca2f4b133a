// The source of a copy to device 1 is filled anew while the copy may still read it.
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
    cudaMemcpyPeerAsync(y, 1, x, 0, BYTES, b);                   // A
#ifdef RIGHT
    cudaEvent_t sent; cudaEventCreate(&sent);
    cudaEventRecord(sent, b);
    cudaStreamWaitEvent(a, sent, 0);
#endif
    cudaSetDevice(0);
    fill<<<4, 256, 0, a>>>(x, N, 1);                             // B
#ifdef RIGHT
    cudaStreamSynchronize(a);
    cudaEventDestroy(sent);
#endif
    return finish();
}
