// The result is copied to the host.
#include <stdio.h>
__global__ void one(int *a) { *a = 1; }

int main()
{
    int *d, h;
    cudaMalloc(&d, sizeof *d);
    one<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    cudaFree(d);
    return 0;
}
// check: all
// out: 1
