// Unregistered when the kernel is done.
#include <stdlib.h>
__global__ void add(int *a) { a[threadIdx.x] += 1; }

int main()
{
    int *h = (int *)calloc(32, sizeof *h);
    cudaHostRegister(h, 32 * sizeof *h, cudaHostRegisterMapped);
    add<<<1, 32>>>(h);
    cudaDeviceSynchronize();
    cudaHostUnregister(h);
    free(h);
    return 0;
}
// check: all
