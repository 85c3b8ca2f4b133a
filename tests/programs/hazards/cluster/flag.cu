// A flag in another block's shared memory, raised after a fence, orders as the barrier does; without the fence it does not.
// hazard: shared-race B A
// right: -DRIGHT
#include "cluster.h"
__global__ void pass_on(int *out)
{
    __shared__ int box, full;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), last = cluster.num_blocks() - 1;
    if (threadIdx.x == 0) box = full = 0;
    cluster.sync();
    if (threadIdx.x == 0) {
        if (rank != 0) {
            while (atomicAdd(&full, 0) == 0) { }
            __threadfence();
            out[blockIdx.x] = box;                                      // B
        }
        if (rank != last) {
            *cluster.map_shared_rank(&box, rank + 1) = (int)rank + 1;    // A
#ifdef RIGHT
            __threadfence();
#endif
            atomicAdd(cluster.map_shared_rank(&full, rank + 1), 1);
        }
    }
    cluster.sync();
}
int main()
{
    int *d, h[BLOCKS];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    int wrong = in_clusters(pass_on, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return wrong || h[1] != 1 || h[3] != 3 || h[7] != 3;
}
