// The kernel forgets the last element, and the host prints it.
#include <stdio.h>
__global__ void squares(int *a, int n)
{
    int i = threadIdx.x;
    if (i < n - 1) a[i] = i * i;
}

int main()
{
    int h[8], *d, sum = 0;
    cudaMalloc(&d, sizeof h);
    squares<<<1, 32>>>(d, 8);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) sum += h[i];
    printf("%d\n", sum);
    cudaFree(d);
    return 0;
}
// hazard: uninitialised 14
// err: reads d[28..31]
