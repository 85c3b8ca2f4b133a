// A block reads another one's shared memory, and nothing says that the other one has begun.
// hazard: cluster-life A
// right: -DRIGHT
#include "cluster.h"
__global__ void around(int *out)
{
    __shared__ int mine[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = (int)(100 * cluster.block_rank() + threadIdx.x);
#ifdef RIGHT
    cluster.sync();
#else
    __syncthreads();
#endif
    const int *next = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks());
    out[blockIdx.x * THREADS + threadIdx.x] = next[threadIdx.x];         // A
    cluster.sync();
}
int main()
{
    int *d;
    cudaMalloc(&d, BLOCKS * THREADS * sizeof *d);
    int wrong = in_clusters(around, d);
    cudaFree(d);
    return wrong;
}
