// Two blocks count in a third one's shared memory.
// hazard: shared-race A A
// right: -DRIGHT
#include "cluster.h"
__global__ void count(int *out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    cluster.sync();
    int *first = cluster.map_shared_rank(&sum, 0);
#ifdef RIGHT
    if (threadIdx.x == 0) atomicAdd(first, 1);
#else
    if (threadIdx.x == 0 && cluster.block_rank()) *first += 1;           // A
#endif
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0) out[blockIdx.x] = sum;
}
int main()
{
    int *d, h[BLOCKS];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    int wrong = in_clusters(count, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
#ifdef RIGHT
    if (h[0] != 4 || h[4] != 4) wrong = 1;
#endif
    return wrong;
}
