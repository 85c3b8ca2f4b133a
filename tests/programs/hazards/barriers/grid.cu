// The grid's barrier is for kernels that were launched cooperatively: of others, blocks may not be there yet.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void k(int *a)
{
    auto grid = cooperative_groups::this_grid();
    a[grid.thread_rank()] = (int)grid.thread_rank();
    grid.sync();        // A
    a[256 + grid.thread_rank()] = a[255 - grid.thread_rank()];
}

int main()
{
    int *d;
    cudaMalloc(&d, 512 * sizeof *d);
#ifdef RIGHT
    void *args[] = {&d};
    cudaLaunchCooperativeKernel((const void *)k, 4, 64, args, 0, 0);
#else
    k<<<4, 64>>>(d);
#endif
    printf("%d\n", (int)cudaDeviceSynchronize());
    cudaFree(d);
    return 0;
}
// hazard: barrier A
// out: 719
// err: launch it with cudaLaunchCooperativeKernel()
// right: -DRIGHT
