// The owner fills its shared memory anew while others may still read what was there.
// hazard: shared-race A B
// right: -DRIGHT
#include "cluster.h"
__global__ void rounds(int *out)
{
    __shared__ int tile[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    const int *first = cluster.map_shared_rank(tile, 0);
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        if (cluster.block_rank() == 0) tile[threadIdx.x] = round;        // A
        cluster.sync();
        sum += first[threadIdx.x];                                      // B
#ifdef RIGHT
        cluster.sync();
#endif
    }
    cluster.sync();
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}
int main()
{
    int *d;
    cudaMalloc(&d, BLOCKS * THREADS * sizeof *d);
    int wrong = in_clusters(rounds, d);
    cudaFree(d);
    return wrong;
}
