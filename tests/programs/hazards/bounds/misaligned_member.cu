// A part of a vector is reached through a pointer to the vector: that must lie where a vector may lie, also where the
// part itself does.
// hazard: misaligned A
// err: at an address that is not a multiple of 16
// err: misaligned address
// out: 716 716
// right: -DRIGHT
#include "../hazards.h"
__global__ void first(float *p, int from)
{
#ifdef RIGHT
    from *= 4;
#endif
    reinterpret_cast<float4 *>(p + from)->y = 1;                 // A
}
int main()
{
    float *d; cudaMalloc(&d, BYTES); keep(d);
    first<<<1, 1>>>(d, 1);
    int status = cudaDeviceSynchronize(), again = cudaDeviceSynchronize();
#ifndef RIGHT
    printf("%d %d\n", status, again);
    return 0;
#endif
    return finish() + status + again;
}
