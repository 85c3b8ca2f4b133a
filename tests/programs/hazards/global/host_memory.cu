// Managed memory, mapped memory and variables of the device are shared by all threads, too.
// hazard: global-race A A
// hazard: global-race B B
// hazard: global-race C C
// err: counter: 4 bytes of a __device__ variable
// right: -DRIGHT
#include "../hazards.h"
__device__ int counter;
__global__ void count(int *managed, int *mapped)
{
#ifdef RIGHT
    atomicAdd(managed, 1);
    atomicAdd(mapped, 1);
    atomicAdd(&counter, 1);
#else
    ++*managed;                                                  // A
    ++*mapped;                                                   // B
    ++counter;                                                   // C
#endif
}
int main()
{
    int *managed; cudaMallocManaged(&managed, sizeof *managed);
    int *mapped, *there; cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&there, mapped, 0);
    *managed = *mapped = 0;
    count<<<4, 32>>>(managed, there);
    cudaDeviceSynchronize();
    cudaFree(managed);
    cudaFreeHost(mapped);
    return finish();
}
