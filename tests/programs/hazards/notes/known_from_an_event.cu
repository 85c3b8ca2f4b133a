// The host knows from an event that the copy is done. To wait for the stream once more orders nothing.
// check: hazards
// hazard: redundant A
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); cudaMemset(d, 0, BYTES);
    cudaDeviceSynchronize();
    cudaStream_t a = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);
    cudaEventRecord(e, a);
    cudaEventSynchronize(e);
#ifndef RIGHT
    cudaStreamSynchronize(a);                                    // A
#endif
    cudaStreamDestroy(a);
    cudaEventDestroy(e);
    cudaFree(d);
    return 0;
}
