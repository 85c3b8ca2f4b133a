// A block ends while others may still read its shared memory.
// hazard: cluster-life A
// right: -DRIGHT
#include "cluster.h"
__global__ void from_the_first(int *out)
{
    __shared__ int mine[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    if (cluster.block_rank() != 0) {
        const int *first = cluster.map_shared_rank(mine, 0);
        out[blockIdx.x * THREADS + threadIdx.x] = first[threadIdx.x];    // A
    }
#ifdef RIGHT
    cluster.sync();
#endif
}
int main()
{
    int *d;
    cudaMalloc(&d, BLOCKS * THREADS * sizeof *d);
    int wrong = in_clusters(from_the_first, d);
    cudaFree(d);
    return wrong;
}
