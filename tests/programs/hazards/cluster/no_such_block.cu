// A rank that the cluster does not have.
// hazard: cluster-life A
// right: -DRIGHT
#include "cluster.h"
__global__ void look(int *out)
{
    __shared__ int mine[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 3;
    cluster.sync();
#ifdef RIGHT
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
#else
    unsigned next = cluster.block_rank() + 1;
#endif
    const int *there = cluster.map_shared_rank(mine, next);             // A
    out[blockIdx.x * THREADS + threadIdx.x] = there[threadIdx.x];
    cluster.sync();
}
int main()
{
    int *d;
    cudaMalloc(&d, BLOCKS * THREADS * sizeof *d);
    int wrong = in_clusters(look, d);
    cudaFree(d);
#ifndef RIGHT
    return !wrong;
#endif
    return wrong;
}
