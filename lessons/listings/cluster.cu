// lessons/inside-a-block.md: four blocks, one of which loads a tile that all of them read.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { TILE = 256, BLOCKS = 4 };

__global__ void shares(const float *in, float *out)
{
    __shared__ float tile[TILE];
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) tile[threadIdx.x] = in[threadIdx.x];
    cluster.sync();                             // it is there

    const float *theirs = cluster.map_shared_rank(tile, 0);
    out[blockIdx.x * TILE + threadIdx.x] = theirs[threadIdx.x] * (1 + blockIdx.x);
    cluster.sync();                             // nobody reads it any more: block 0 may end
}

int main()
{
    static float h[TILE], result[BLOCKS * TILE];
    float *in, *out;
    for (int i = 0; i < TILE; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);

    cudaLaunchConfig_t config = {};
    config.gridDim = BLOCKS;
    config.blockDim = TILE;
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = BLOCKS;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, shares, (const float *)in, out);

    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < BLOCKS * TILE; i++) right = right && result[i] == (float)(i % TILE) * (1 + i / TILE);
    printf("%s\n", right ? "right" : "wrong");
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
