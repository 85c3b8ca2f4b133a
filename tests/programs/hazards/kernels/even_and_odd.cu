// Even elements here, odd ones there: no race. Every third element there: those that both have.
// hazard: race A B
// err: d[0..4083]
// err: 684 of these 4084
// right: -DRIGHT
#include "../hazards.h"
__global__ void every(int *p, int first, int step)
{
    int i = first + step * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < N) p[i] = i;
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    every<<<4, 256, 0, a>>>(d, 0, 2);                            // A
#ifdef RIGHT
    every<<<4, 256, 0, b>>>(d, 1, 2);
    cudaDeviceSynchronize();
#else
    every<<<4, 256, 0, b>>>(d, 0, 3);                            // B
#endif
    return finish();
}
