// How many clusters there is room for at once: as an H200 said, and ran, for blocks of every size.
// run: THREELANE_MODEL=h200
// out: ok
#include <cuda_runtime.h>
#include <cstdio>

__global__ void nothing() {}

// size of the cluster, blocks that one multiprocessor holds (of so many threads, with so much shared memory), clusters
static const struct {
    int blocks, threads, shared, clusters;
} measured[] = {
    {1, 128, 0, 1056},  {2, 128, 0, 528}, {3, 128, 0, 327},  {4, 128, 0, 248}, {5, 128, 0, 193},  {6, 128, 0, 163},
    {7, 128, 0, 139},   {8, 128, 0, 124}, {10, 128, 0, 88},  {12, 128, 0, 74}, {16, 128, 0, 58},  {1, 1024, 0, 264},
    {2, 1024, 0, 132},  {3, 1024, 0, 79}, {4, 1024, 0, 62},  {5, 1024, 0, 47}, {6, 1024, 0, 39},  {7, 1024, 0, 32},
    {8, 1024, 0, 30},   {10, 512, 0, 44}, {10, 1024, 0, 21}, {12, 512, 0, 37}, {12, 1024, 0, 16}, {16, 512, 0, 28},
    {16, 1024, 0, 14},  {3, 512, 60, 124}, {5, 512, 60, 69}, {8, 512, 60, 45}, {16, 512, 60, 21}, {3, 512, 200, 39},
    {4, 512, 200, 30},  {6, 512, 200, 17}, {8, 512, 200, 15}, {10, 512, 200, 7}, {16, 512, 200, 7},
};

int main()
{
    int wrong = 0;
    cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    for (auto &one : measured) {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = one.blocks;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(one.blocks * 16);
        config.blockDim = dim3(one.threads);
        config.dynamicSmemBytes = (size_t)one.shared << 10;
        config.attrs = &attribute;
        config.numAttrs = 1;
        int clusters = -1;
        cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, nothing, &config);
        if (!error && clusters == one.clusters) continue;
        printf("%d blocks of %d threads, %d KiB: %d (%d), not %d\n", one.blocks, one.threads, one.shared, clusters,
               (int)error, one.clusters);
        wrong++;
    }
    if (!wrong) puts("ok");
    return wrong != 0;
}
