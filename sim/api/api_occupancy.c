/* api_occupancy.c - how many blocks of a kernel a multiprocessor holds. */
#include "sim/api/api_launch.h"
#include "sim/launch/launch_attributes.h"
#include "sim/launch/launch_room.h"

static size_t allowed_shared(LaunchKernelId kernel)
{
    return launch_function_shared(launch_function(kernel, call_device()),
                                  device_model(call_device()));
}

static cudaError_t blocks(int *to, const void *func, int threads, size_t shared)
{
    if (!to || threads < 1) return cudaErrorInvalidValue;
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;
    bool never = threads > device_model(call_device())->max_threads_per_block ||
                 shared > allowed_shared(kernel.kernel);
    *to = never ? 0 : model_blocks_per_sm(device_model(call_device()), (uint32_t)threads, shared);
    return cudaSuccess;
}

API(cudaOccupancyMaxActiveBlocksPerMultiprocessor, 0,
    (int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize),
    (numBlocks, func, blockSize, dynamicSMemSize))
{
    return blocks(numBlocks, func, blockSize, dynamicSMemSize);
}

API(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 0,
    (int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize, unsigned flags),
    (numBlocks, func, blockSize, dynamicSMemSize, flags))
{
    if (flags & ~(unsigned)cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    return blocks(numBlocks, func, blockSize, dynamicSMemSize);
}

API(cudaOccupancyAvailableDynamicSMemPerBlock, 0,
    (size_t * dynamicSmemSize, const void *func, int numBlocks, int blockSize),
    (dynamicSmemSize, func, numBlocks, blockSize))
{
    if (!dynamicSmemSize || numBlocks < 1 || blockSize < 1) return cudaErrorInvalidValue;
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;
    size_t low = 0, high = allowed_shared(kernel.kernel);
    if (model_blocks_per_sm(device_model(call_device()), (uint32_t)blockSize, 0) < numBlocks)
        return cudaErrorInvalidValue;
    while (low < high) { /* the most with which that many blocks still fit */
        size_t middle = (low + high + 1) / 2;
        if (model_blocks_per_sm(device_model(call_device()), (uint32_t)blockSize, middle) >=
            numBlocks)
            low = middle;
        else high = middle - 1;
    }
    *dynamicSmemSize = low;
    return cudaSuccess;
}

/* ---- clusters ---- */

/* What a configuration says of a kernel: how many of its blocks fit into a multiprocessor (0: none
 * ever will), and the attributes. */
typedef struct Configured {
    const LaunchFunction *function;
    const Model *model;
    LaunchAttributes attributes;
    int per_sm;
} Configured;

static cudaError_t configured(const Call *call, const void *func, const cudaLaunchConfig_t *config,
                              Configured *to)
{
    if (!config) return cudaErrorInvalidValue;
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;

    *to = (Configured){.function = launch_function(kernel.kernel, call_device()),
                       .model = device_model(call_device())};
    struct dim3 block = config->blockDim;
    uint64_t threads = launch_volume((TraceDim){block.x, block.y, block.z});
    if (!threads) return cudaErrorInvalidValue;
    if (threads <= (uint64_t)to->model->max_threads_per_block &&
        config->dynamicSmemBytes <= launch_function_shared(to->function, to->model))
        to->per_sm = model_blocks_per_sm(to->model, (uint32_t)threads, config->dynamicSmemBytes);

    return launch_attributes_read(call, to->model, config->attrs, config->numAttrs,
                                  &to->attributes);
}

API(cudaOccupancyMaxPotentialClusterSize, 0,
    (int *clusterSize, const void *func, const cudaLaunchConfig_t *launchConfig),
    (clusterSize, func, launchConfig))
{
    Configured with;
    if (!clusterSize) return cudaErrorInvalidValue;
    cudaError_t error = configured(call, func, launchConfig, &with);
    if (error) return error;

    /* what the configuration says of clusters does not count, nor what the kernel says itself */
    uint64_t most = with.function->non_portable ? LAUNCH_LARGEST_CLUSTER : LAUNCH_PORTABLE_CLUSTER;
    uint64_t room = launch_largest_cluster(with.model, with.per_sm);
    *clusterSize = (int)(room < most ? room : most);

    return cudaSuccess;
}

API(cudaOccupancyMaxActiveClusters, 0,
    (int *numClusters, const void *func, const cudaLaunchConfig_t *launchConfig),
    (numClusters, func, launchConfig))
{
    Configured with;
    TraceDim cluster;
    if (!numClusters) return cudaErrorInvalidValue;
    cudaError_t error = configured(call, func, launchConfig, &with);
    if (error) return error;
    if (!launch_function_cluster(with.function, with.attributes.cluster, &cluster))
        return cudaErrorInvalidClusterSize;
    *numClusters = 0; /* of no clusters at all */
    if (!cluster.x) return cudaSuccess;

    uint64_t most = with.function->non_portable ? LAUNCH_LARGEST_CLUSTER : LAUNCH_PORTABLE_CLUSTER;
    uint64_t blocks = launch_volume(cluster);
    if (blocks > most) return cudaErrorInvalidClusterSize;
    *numClusters = (int)launch_clusters_at_once(with.model, with.per_sm, blocks);

    return cudaSuccess;
}
