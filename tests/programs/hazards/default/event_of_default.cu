// An event recorded in the default stream stands for the blocking streams, too.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
#ifdef RIGHT
enum { FLAGS = cudaStreamDefault };
#else
enum { FLAGS = cudaStreamNonBlocking };
#endif
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(FLAGS), b = stream();
    cudaEvent_t e = event();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
    cudaEventRecord(e, 0);
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
