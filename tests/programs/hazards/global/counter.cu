// A counter that all threads count up.
// hazard: global-race A A
// err: use an atomic operation
// right: -DRIGHT
#include "../hazards.h"
__global__ void count(const int *in, int *found)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
    if (in[i] == 0) atomicAdd(found, 1);
#else
    if (in[i] == 0) *found += 1;                                 // A
#endif
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *found; cudaMalloc(&found, BYTES); keep(found);
    cudaMemset(a, 0, BYTES);
    cudaMemset(found, 0, sizeof *found);
    count<<<N / 64, 64>>>(a, found);
    cudaDeviceSynchronize();
    return finish();
}
