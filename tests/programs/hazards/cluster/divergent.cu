// Some threads of one block do not come to the cluster's barrier: they wait for their own block.
// hazard: barrier A B
// right: -DRIGHT
#include "cluster.h"
__global__ void part(int *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    out[blockIdx.x * THREADS + threadIdx.x] = 1;
#ifdef RIGHT
    if (cluster.block_rank() == 1) __syncthreads();
    cluster.sync();
#else
    if (cluster.block_rank() == 1 && threadIdx.x < 32) __syncthreads(); // A
    else cluster.sync();                                                // B
#endif
}
int main()
{
    int *d;
    cudaMalloc(&d, BLOCKS * THREADS * sizeof *d);
    int wrong = in_clusters(part, d);
    cudaFree(d);
#ifndef RIGHT
    return !wrong;
#endif
    return wrong;
}
