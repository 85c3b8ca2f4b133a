// Two kernels, and the event between them: the second is not covered.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
    fill<<<2, 256, 0, a>>>(d, N / 2, 1);
#ifndef RIGHT
    cudaEventRecord(e, a);
#endif
    fill<<<2, 256, 0, a>>>(d + N / 2, N / 2, 1);                 // A
#ifdef RIGHT
    cudaEventRecord(e, a);
#endif
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
