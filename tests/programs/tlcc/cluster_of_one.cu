// What stands before one kernel is not what stands before the next: only the first has clusters.
// run: THREELANE_MODEL=h200
// out: 2 then 1, 0
#include <cooperative_groups.h>
#include <cstdio>

__device__ unsigned size[2];
__global__ void __cluster_dims__(2, 1, 1) together(int i)
{
    size[i] = cooperative_groups::this_cluster().num_blocks();
}
__global__ void alone(int i) { size[i] = cooperative_groups::this_cluster().num_blocks(); }

int main()
{
    unsigned got[2];
    together<<<4, 32>>>(0);
    alone<<<3, 32>>>(1);
    cudaMemcpyFromSymbol(got, size, sizeof got);
    printf("%u then %u, %d\n", got[0], got[1], cudaDeviceSynchronize());
    return 0;
}
