// Memory of a device's heap is given back in kernels.
// status: 97
// err: device_heap_host.cu:16: free() of memory from malloc in a kernel (
// err: use free() or delete in a kernel
#include <stdio.h>
#include <stdlib.h>

__device__ int *kept;
__global__ void fill() { kept = (int *)malloc(8 * sizeof(int)); }
int main()
{
    int *p;
    fill<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&p, kept, sizeof p);
    free(p);
}
