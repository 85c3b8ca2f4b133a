// The wait is called before the record: at that moment the event stands for nothing.
// hazard: race A B
// err: that is recorded only afterwards, at line 17
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
#else
    cudaStreamWaitEvent(b, e, 0);
    cudaEventRecord(e, a);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
