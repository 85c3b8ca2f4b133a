// The host saw that a stream is done: what it issues then, in any stream, comes after that.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    while (cudaStreamQuery(a) == cudaErrorNotReady) { }
#else
    if (cudaStreamQuery(a) == cudaSuccess) return 1;
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
#ifdef RIGHT
    while (cudaStreamQuery(b) == cudaErrorNotReady) { }
#endif
    return finish();
}
