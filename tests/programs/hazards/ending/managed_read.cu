// A kernel is launched, and its result read without a wait; the program returns while the kernel runs.
// right: -DRIGHT
// hazard: host-race K R
// hazard: unfinished K
// out: 0
// err: unfinished: K0 was not finished when the program ended
// err: fix: call cudaDeviceSynchronize() before the program ends
// not: from the kernel
#include <cstdio>

__global__ void fill(int *to)
{
    to[threadIdx.x] = 7;
#ifndef RIGHT
    printf("from the kernel\n");      // nobody waits for it: a card does not show it either
#endif
}

int main()
{
    int *to = nullptr;
    cudaMallocManaged(&to, 32 * sizeof *to);
    to[0] = 0;
    fill<<<1, 32>>>(to);              // K
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    printf("%d\n", to[0]);            // R
#ifdef RIGHT
    cudaFree(to);
#endif
    return 0;
}
