// An event that is destroyed while it is pending keeps what it ordered; one that takes its place orders nothing.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e;
    cudaEventCreate(&e);
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
    cudaEventRecord(e, a);
#ifdef RIGHT
    cudaStreamWaitEvent(b, e, 0);
    cudaEventDestroy(e);
#else
    cudaEventDestroy(e);
    cudaEventCreate(&e);
    cudaStreamWaitEvent(b, e, 0);
    cudaEventDestroy(e);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
