// A barrier is its own block's, in a cluster, too.
#include "roles.h"

__global__ __cluster_dims__(2, 1, 1) void k(const int *in, int *out)
{
    __shared__ barrier ready;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    cluster.sync();
#ifndef RIGHT
    if (cluster.block_rank() == 0) {
        barrier *other = cluster.map_shared_rank(&ready, 1);
        (void)other->arrive();                                  // A
    }
#endif
    ready.arrive_and_wait();
    out[cluster.block_rank() * 64 + threadIdx.x] = in[threadIdx.x];
    cluster.sync();
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, 128 * sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    k<<<2, 64>>>(in, out);
    printf("%d\n", (int)cudaDeviceSynchronize());
    cudaFree(in);
    cudaFree(out);
    return 0;
}
// run: THREELANE_MODEL=h200
// hazard: barrier A
// out: 719
// right: -DRIGHT
