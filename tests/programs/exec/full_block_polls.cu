// A block of as many threads as there can be, all of which poll until another block lets them go, and then wait for the
// whole grid: each is there once before and once behind its barrier.
// run: THREELANE_MODEL=classroom
// out: turns 0: 2048 2048
// out: turns 1: 2048 2048
// out: turns 2: 2048 2048
// out: turns 3: 2048 2048
#include <cooperative_groups.h>
#include <cstdio>

__global__ void both(int *flag, int *counts, int turns)
{
    if (blockIdx.x == 1 && threadIdx.x == 1023)
        for (int i = 0; i <= turns; i++) atomicExch(flag, i == turns), __nanosleep(100);
    while (!atomicAdd(flag, 0)) { }
    atomicAdd(&counts[0], 1);
    cooperative_groups::this_grid().sync();
    atomicAdd(&counts[1], 1);
}

int main()
{
    int *p, host[3];
    cudaMalloc(&p, sizeof host);
    for (int turns = 0; turns < 4; turns++) {
        cudaMemset(p, 0, sizeof host);
        int *flag = p, *counts = p + 1;
        void *arguments[] = {&flag, &counts, &turns};
        cudaLaunchCooperativeKernel((const void *)both, dim3(2), dim3(1024), arguments, 0, 0);
        cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
        printf("turns %d: %d %d\n", turns, host[1], host[2]);
    }
    cudaFree(p);
    return 0;
}
