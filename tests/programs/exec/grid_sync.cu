// out: all as expected
// Blocks meet at the grid's barrier and keep their shared memory.
#include <cstdio>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rounds(int *sums, int *out)
{
    __shared__ int mine;
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) mine = (int)blockIdx.x;
    grid.sync();
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 0) atomicAdd(&sums[round], mine);
        grid.sync();
        if (sums[round] != 28) out[0] = 1;
    }
    if (grid.thread_rank() == grid.size() - 1) out[1] = (int)grid.size();
}

int main()
{
    int *sums, *out, h[2];
    cudaMalloc(&sums, 16);
    cudaMalloc(&out, 8);
    cudaMemset(sums, 0, 16);
    cudaMemset(out, 0, 8);
    void *args[] = {&sums, &out};
    cudaLaunchCooperativeKernel((const void *)rounds, 8, 48, args, 0, 0);
    cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess || h[0] || h[1] != 384) printf("%d, %d\n", h[0], h[1]);
    else printf("all as expected\n");
}
