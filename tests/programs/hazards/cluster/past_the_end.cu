// Past the end of another block's shared memory.
// hazard: out-of-bounds A
// right: -DRIGHT
#include "cluster.h"
__global__ void look(int *out)
{
    __shared__ int mine[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 3;
    cluster.sync();
    const int *next = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks());
#ifdef RIGHT
    int at = threadIdx.x;
#else
    int at = threadIdx.x + 1;
#endif
    int seen = next[at];                                                // A
    cluster.sync();
    out[blockIdx.x * THREADS + threadIdx.x] = seen;
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
