// Two kernels on two halves of an array do not race; where they share one element they do.
// hazard: race A B
// err: d[2048..2051]
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
#ifdef RIGHT
    int first = N / 2;
#else
    int first = N / 2 + 1;
#endif
    fill<<<4, 256, 0, a>>>(d, first, 1);                         // A
    fill<<<4, 256, 0, b>>>(d + N / 2, N / 2, 2);                 // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
