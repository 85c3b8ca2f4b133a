// Cooperative launches: all blocks are there at once, or the launch is refused.
// run: THREELANE_MODEL=h200
// out: ok cooperative
#include <cooperative_groups.h>
#include "conformance.h"
namespace cg = cooperative_groups;

// Every block adds its number; after the grid's barrier every block sees the sum.
__global__ void sum_up(int *sum, int *seen)
{
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) atomicAdd(sum, (int)blockIdx.x);
    grid.sync();
    if (threadIdx.x == 0) seen[blockIdx.x] = *(volatile int *)sum;
}

int main()
{
    int *sum, *seen, blocks = 0, sms = 0, yes = 0;
    warm_up();
    OK(cudaDeviceGetAttribute(&yes, cudaDevAttrCooperativeLaunch, 0));
    CHECK(yes == 1);
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_up, 1024, 0));
    int most = blocks * sms;
    OK(cudaMalloc(&sum, sizeof *sum));
    OK(cudaMalloc(&seen, (size_t)most * sizeof *seen));
    static int h[4096];
    CHECK(most <= 4096);

    // Fewer than there is room for.
    const int some = 8;
    void *arguments[] = {&sum, &seen};
    OK(cudaMemset(sum, 0, sizeof *sum));
    OK(cudaLaunchCooperativeKernel(sum_up, dim3((unsigned)some), dim3(1024), arguments));
    OK(cudaMemcpy(h, seen, (size_t)some * sizeof *seen, cudaMemcpyDeviceToHost));
    for (int i = 0; i < some; i++) CHECK(h[i] == some * (some - 1) / 2);

    // One more than there is room for; and the same as an attribute.
    IS(cudaErrorCooperativeLaunchTooLarge,
       cudaLaunchCooperativeKernel(sum_up, dim3((unsigned)most + 1), dim3(1024), arguments));
    IS(cudaErrorCooperativeLaunchTooLarge, cudaGetLastError());
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.gridDim = dim3((unsigned)most + 1);
    config.blockDim = dim3(1024);
    config.attrs = &attribute;
    config.numAttrs = 1;
    IS(cudaErrorCooperativeLaunchTooLarge, cudaLaunchKernelEx(&config, sum_up, sum, seen));
    cudaGetLastError();
    config.gridDim = dim3(4);
    OK(cudaMemset(sum, 0, sizeof *sum));
    OK(cudaLaunchKernelEx(&config, sum_up, sum, seen));
    OK(cudaMemcpy(h, seen, 4 * sizeof *seen, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 6 && h[3] == 6);
    IS(cudaErrorInvalidDeviceFunction, cudaLaunchCooperativeKernel((const void *)NULL, dim3(1), dim3(1), arguments));
    cudaGetLastError();

    return finish("cooperative");
}
