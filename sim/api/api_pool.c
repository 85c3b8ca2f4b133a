/* api_pool.c - the memory pools that cudaMallocAsync takes from: one a device, its default pool. A program can ask what is
 * in use and how much the pool keeps. What a free leaves above the release threshold goes back at once; CUDA leaves
 * open when, and that is seen only by asking. */
#include "sim/runtime/runtime.h"

typedef struct Pool {
    int taken, reuse[3];              /* are the numbers below set? the three cudaMemPoolReuse... */
    uint64_t threshold, used, used_high, reserved, reserved_high;
} Pool;

static Pool pools[RUNTIME_DEVICES];

static Pool *pool_of(int device)
{
    Pool *pool = &pools[device];
    if (!pool->taken) *pool = (Pool){.taken = 1, .reuse = {1, 1, 1}};
    return pool;
}

/* A handle is a number in disguise, as those of streams and events are. */
#define POOL_TAG ((uintptr_t)0x700a << 44)
static cudaMemPool_t handle_of(int device)
{
    return (cudaMemPool_t)(POOL_TAG | ((uintptr_t)device + 1) * 16);
}

/* The device whose pool this is, or -1. */
static int owner(cudaMemPool_t handle)
{
    for (int i = 0; i < runtime.devices; i++)
        if (handle == handle_of(i)) return i;
    return -1;
}

static void keep_at_most(Pool *pool, uint64_t bytes)
{
    if (pool->reserved > bytes) pool->reserved = bytes;
    if (pool->reserved < pool->used) pool->reserved = pool->used;
}

void pool_takes(int device, size_t bytes)
{
    Pool *pool = pool_of(device);
    pool->used += bytes;
    if (pool->reserved < pool->used) pool->reserved = pool->used;
    if (pool->used_high < pool->used) pool->used_high = pool->used;
    if (pool->reserved_high < pool->reserved) pool->reserved_high = pool->reserved;
}

void pool_gives(int device, size_t bytes)
{
    Pool *pool = pool_of(device);
    pool->used -= bytes < pool->used ? bytes : pool->used;
    keep_at_most(pool, pool->threshold);
}

void pool_reset(int device)
{
    pools[device] = (Pool){0};
}

static cudaError_t default_pool(cudaMemPool_t *to, int device)
{
    if (!to) return cudaErrorInvalidValue;
    if (device < 0 || device >= runtime.devices) return cudaErrorInvalidDevice;
    *to = handle_of(device);
    return cudaSuccess;
}

API(cudaDeviceGetDefaultMemPool, 0, (cudaMemPool_t *memPool, int device), (memPool, device))
{
    return default_pool(memPool, device);
}

API(cudaDeviceGetMemPool, 0, (cudaMemPool_t *memPool, int device), (memPool, device))
{
    return default_pool(memPool, device);
}

API(cudaDeviceSetMemPool, 0, (int device, cudaMemPool_t memPool), (device, memPool))
{
    if (device < 0 || device >= runtime.devices) return cudaErrorInvalidDevice;
    return owner(memPool) == device ? cudaSuccess : cudaErrorInvalidValue;    /* there are no others */
}

API(cudaMemPoolGetAttribute, 0, (cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value),
    (memPool, attr, value))
{
    int device = owner(memPool);
    if (device < 0 || !value) return cudaErrorInvalidValue;
    const Pool *pool = pool_of(device);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies: case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies]; break;
    case cudaMemPoolAttrReleaseThreshold: *(uint64_t *)value = pool->threshold; break;
    case cudaMemPoolAttrReservedMemCurrent: *(uint64_t *)value = pool->reserved; break;
    case cudaMemPoolAttrReservedMemHigh: *(uint64_t *)value = pool->reserved_high; break;
    case cudaMemPoolAttrUsedMemCurrent: *(uint64_t *)value = pool->used; break;
    case cudaMemPoolAttrUsedMemHigh: *(uint64_t *)value = pool->used_high; break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

API(cudaMemPoolSetAttribute, 0, (cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value),
    (memPool, attr, value))
{
    int device = owner(memPool);
    if (device < 0 || !value) return cudaErrorInvalidValue;
    Pool *pool = pool_of(device);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies: case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value != 0; break;
    case cudaMemPoolAttrReleaseThreshold: pool->threshold = *(const uint64_t *)value; break;
    case cudaMemPoolAttrReservedMemHigh: case cudaMemPoolAttrUsedMemHigh:    /* may only begin anew */
        if (*(const uint64_t *)value) return cudaErrorInvalidValue;
        if (attr == cudaMemPoolAttrUsedMemHigh) pool->used_high = pool->used;
        else pool->reserved_high = pool->reserved;
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

API(cudaMemPoolTrimTo, 0, (cudaMemPool_t memPool, size_t minBytesToKeep), (memPool, minBytesToKeep))
{
    int device = owner(memPool);
    if (device < 0) return cudaErrorInvalidValue;
    keep_at_most(pool_of(device), minBytesToKeep);
    return cudaSuccess;
}
