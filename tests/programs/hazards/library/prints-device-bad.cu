// %s of a device pointer.
#include <cstdio>

int main()
{
    char *d;
    cudaMalloc(&d, 16);
    cudaMemset(d, 0, 16);
    cudaDeviceSynchronize();
    printf("%s\n", d);
    cudaFree(d);
    return 0;
}
// status: 97
// hazard: wrong-memory 10
