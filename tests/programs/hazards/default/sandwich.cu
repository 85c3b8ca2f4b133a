// Blocking stream, default stream, blocking stream: each comes after the one before. A non-blocking one in the first
// place does not.
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
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    cudaStream_t a = stream(FLAGS), b = stream(cudaStreamDefault);
    fill<<<4, 256, 0, a>>>(x, N, 1);                             // A
    move<<<4, 256>>>(y, x, N);                                   // B
    add<<<4, 256, 0, b>>>(y, N);
    add<<<4, 256, 0, b>>>(x, N);
    cudaStreamSynchronize(b);
    return finish();
}
