// Host code reads a result where the kernel left it.
#include <stdio.h>
__global__ void one(int *a) { *a = 1; }

int main()
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    one<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    printf("%d\n", *d);
    cudaFree(d);
    return 0;
}
// status: 97
// hazard: wrong-memory 11
// err: fix: copy it to the host first
