// A block of more threads than there can be: the kernel never runs.
// hazard: failed-launch A
// err: failed with cudaErrorInvalidConfiguration (invalid configuration argument): the kernel did not run
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
#ifdef RIGHT
    fill<<<2, 2048>>>(d, N, 1);
    if (cudaGetLastError() != cudaSuccess) fill<<<N / 256, 256>>>(d, N, 1);
#else
    fill<<<1, 2048>>>(d, N, 1);                                  // A
#endif
    cudaDeviceSynchronize();
    return finish();
}
