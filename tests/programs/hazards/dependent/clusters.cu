// Blocks of several clusters that wait for the kernel before, then for each other: they go on cluster by cluster, and what
// is known of the shared memory of one is not taken for that of another.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void layer(float *to)
{
    __shared__ float tile[64];
    cudaGridDependencySynchronize();
    cg::cluster_group cluster = cg::this_cluster();
    int mine = cluster.block_rank() * 32;
    if (threadIdx.x < 32) tile[mine + threadIdx.x] = 1.0f;
    cluster.sync();
    const float *theirs = cluster.map_shared_rank(tile, 1 - cluster.block_rank());
    if (threadIdx.x < 32) to[blockIdx.x * 32 + threadIdx.x] = theirs[32 - mine + threadIdx.x];
    cluster.sync();
}
int main()
{
    float *d; cudaMalloc(&d, 4096);
    cudaStream_t s; cudaStreamCreate(&s);
    for (int i = 0; i < 2; i++) {
        cudaLaunchAttribute a[2];
        a[0].id = cudaLaunchAttributeClusterDimension; a[0].val.clusterDim.x = 2; a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
        a[1].id = cudaLaunchAttributeProgrammaticStreamSerialization; a[1].val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t c = {}; c.gridDim = dim3(8); c.blockDim = dim3(64); c.stream = s; c.attrs = a; c.numAttrs = i ? 2 : 1;
        cudaLaunchKernelEx(&c, layer, d);
    }
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaFree(d);
    return 0;
}
