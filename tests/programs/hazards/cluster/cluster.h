/* cluster.h - a launch in clusters of four blocks, for the programs beside it. */
#ifndef TESTS_CLUSTER_H
#define TESTS_CLUSTER_H
#include <cooperative_groups.h>
#include "../hazards.h"
namespace cg = cooperative_groups;
enum { BLOCKS = 8, THREADS = 64 };

template <class... A, class... B> static int in_clusters(void (*kernel)(A...), B... arguments)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(THREADS);
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 4;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.attrs = &cluster;
    config.numAttrs = 1;
    cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
    return error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
}
#endif
