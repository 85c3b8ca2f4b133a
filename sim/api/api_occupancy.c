/* api_occupancy.c - how many blocks of a kernel a multiprocessor holds. */
#include "sim/api/api_launch.h"

static cudaError_t blocks(int *to, const void *func, int threads, size_t shared)
{
    if (!to || threads < 1) return cudaErrorInvalidValue;
    LaunchProbe kernel = launch_probe(func);
    if (!kernel.kernel) return cudaErrorInvalidDeviceFunction;
    bool never = threads > device_model(call_device())->max_threads_per_block ||
                 shared > launch_allowed_shared(kernel.kernel);
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
    size_t low = 0, high = launch_allowed_shared(kernel.kernel);
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
