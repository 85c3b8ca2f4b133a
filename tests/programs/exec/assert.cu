// run: THREELANE_MODEL=unit
// status: 1
// err: void check(int*, int): block: [1,0,0], thread: [3,0,0] Assertion `p[threadIdx.x] != n' failed.
// out: 710 device-side assert triggered
#include <cassert>
#include <cstdio>
__global__ void check(int *p, int n) { if (blockIdx.x == 1) assert(p[threadIdx.x] != n); }

int main()
{
    int *p, h[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    cudaMalloc(&p, sizeof h);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    check<<<2, 8>>>(p, 3);
    cudaError_t result = cudaDeviceSynchronize();
    printf("%d %s\n", result, cudaGetErrorString(result));
    return result == cudaErrorAssert;
}
