// All write the same: it does not matter who comes last, which is worth a note. Different values are a mistake.
// hazard: same-value A A
// hazard: global-race B B
// check: memory
// right: -DRIGHT
#include "../hazards.h"
__global__ void find(const int *in, int *found, int *who)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] != 0) return;
#ifdef RIGHT
    atomicExch(found, 1);
    atomicMax(who, i);
#else
    *found = 1;                                                  // A
    *who = i;                                                    // B
#endif
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *found; cudaMalloc(&found, BYTES); keep(found);
    cudaMemset(a, 0, BYTES);
    cudaMemset(found, 0, 8);
    find<<<N / 64, 64>>>(a, found, found + 100);
    cudaDeviceSynchronize();
    return finish();
}
