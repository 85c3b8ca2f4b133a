// A launch in the arguments of a launch.
// out: 7 3
#include <cstdio>
__global__ void store(int *p, int v) { *p = v; }
static int *d;
static int inner()
{
    store<<<1, 1>>>(d + 1, 3);
    return 7;
}
int main()
{
    int h[2];
    cudaMalloc(&d, sizeof h);
    store<<<1, 1>>>(d, inner());
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    return 0;
}
