// A kernel reaches for host memory that is no longer registered.
#include <stdlib.h>
__global__ void add(int *a) { a[threadIdx.x] += 1; }

int main()
{
    int *h = (int *)calloc(32, sizeof *h);
    cudaHostRegister(h, 32 * sizeof *h, cudaHostRegisterMapped);
    cudaHostUnregister(h);
    add<<<1, 32>>>(h);
    cudaDeviceSynchronize();
    free(h);
    return 0;
}
// hazard: use-after-free 9 3
