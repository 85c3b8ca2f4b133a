/* api_pool.c - asking and telling the memory pools that cudaMallocAsync takes from. A device has
 * its default pool, and no other. */
#include "sim/api/api.h"
#include "sim/runtime/pool.h"

static cudaError_t default_pool(cudaMemPool_t *to, int device)
{
    if (!to) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    *to = pool_handle(device);
    return cudaSuccess;
}

API(cudaDeviceGetDefaultMemPool, 0, (cudaMemPool_t * memPool, int device), (memPool, device))
{
    return default_pool(memPool, device);
}

API(cudaDeviceGetMemPool, 0, (cudaMemPool_t * memPool, int device), (memPool, device))
{
    return default_pool(memPool, device);
}

API(cudaDeviceSetMemPool, 0, (int device, cudaMemPool_t memPool), (device, memPool))
{
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    return memPool == pool_handle(device) ? cudaSuccess : cudaErrorInvalidValue; /* there are no
                                                                                    others */
}

API(cudaMemPoolGetAttribute, 0, (cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value),
    (memPool, attr, value))
{
    const Pool *pool = pool_find(memPool);
    if (!pool || !value) return cudaErrorInvalidValue;
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies];
        break;
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
    Pool *pool = pool_find(memPool);
    if (!pool || !value) return cudaErrorInvalidValue;
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value != 0;
        break;
    case cudaMemPoolAttrReleaseThreshold: pool->threshold = *(const uint64_t *)value; break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: /* may only begin anew */
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
    Pool *pool = pool_find(memPool);
    if (!pool) return cudaErrorInvalidValue;
    pool_keep_at_most(pool, minBytesToKeep);
    return cudaSuccess;
}
