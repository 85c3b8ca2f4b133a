/* api_pool.c - stream-ordered memory, and the pools that it comes from. */
#include "sim/api/api_memory.h"
#include "sim/graph/capture.h"
#include "sim/graph/graph_alloc.h"
#include "sim/memory/peers.h"
#include "sim/runtime/pool.h"
#include <string.h>

/* ---- allocating and freeing in stream order ---- */

static cudaError_t allocate(Call *call, void **to, size_t bytes, Pool *pool, const Stream *stream)
{
    const EngineOp *after;
    int n_after;

    *to = NULL;
    cudaError_t error = CAPTURE_RULE(work, call, stream);
    if (error || !bytes) return error;
    if (capture_has(stream)) {
        error = capture_alloc(call, stream, to, bytes);
        if (!error && call_log) call_log->given(*to);
        return error;
    }
    error = CAPTURE_RULE(unsafe, call); /* the pool may have to grow */
    if (error) return error;
    call_spend(call->costs->malloc_async);
    MemoryBlock *block = pool_take(call, pool, stream, bytes, &after, &n_after);
    if (!block) return cudaErrorMemoryAllocation;
    block_made(call, block);
    *to = (void *)block->address;
    if (call_log) call_log->given(*to);
    Operation operation = {.kind = TRACE_ALLOC,
                           .bytes = bytes,
                           .to = TRACE_MEM_DEVICE,
                           .site = call->site,
                           .effect = {EFFECT_NONE, .allocated = *to}};
    Place place = place_of(*to);
    operation_uses(&operation, true, &place, bytes);
    error = operation_submit(call, stream, &operation, after, n_after);
    memory_made_by(block, call->op);

    return error;
}

API_STREAM(cudaMallocAsync, 0, (void **devPtr, size_t size, cudaStream_t hStream),
           (devPtr, size, hStream))
{
    if (!devPtr) return cudaErrorInvalidValue;
    const Stream *stream = stream_of(call, hStream);
    return allocate(call, devPtr, size, pool_current(stream->device), stream);
}

API_STREAM(cudaMallocFromPoolAsync, 0,
           (void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t hStream),
           (ptr, size, memPool, hStream))
{
    Pool *pool = pool_find(memPool);
    if (!ptr || !pool) return cudaErrorInvalidValue;
    const Stream *stream = stream_of(call, hStream);
    return allocate(call, ptr, size, pool, stream);
}

API_STREAM(cudaFreeAsync, 0, (void *devPtr, cudaStream_t hStream), (devPtr, hStream))
{
    const Stream *stream = stream_of(call, hStream);
    cudaError_t error = CAPTURE_RULE(work, call, stream);
    if (error || !devPtr) return error;
    if (capture_has(stream)) return capture_free(call, stream, devPtr);
    MemoryBlock *block = memory_find(devPtr);
    if (block && block->kind == TRACE_MEM_MANAGED && block->address == (uintptr_t)devPtr)
        return cudaErrorNotSupported;
    block = api_block_to_free(call, devPtr, "frees", TRACE_MEM_DEVICE, TRACE_MEM_DEVICE);
    if (!block) return cudaErrorInvalidValue;
    Place place = place_of(devPtr);
    block->leaving = call->site.file ? call->site : (TraceSite){"", 0};
    call_spend(call->costs->malloc_async);
    Operation operation = {.kind = TRACE_FREE,
                           .bytes = block->bytes,
                           .from = TRACE_MEM_DEVICE,
                           .site = call->site,
                           .effect = {EFFECT_RELEASE, .release = block}};
    operation_uses(&operation, false, &place, block->bytes);
    operation_submit(call, stream, &operation, NULL, 0);
    if (block->graph) { /* it comes back with the next launch */
        graph_memory_freed(block->graph);
        return cudaSuccess;
    }
    block->leaving_op = call->op;
    block->leaving_stream = stream->id;
    block_gone(call, block);
    pool_give(block, stream, call->op);

    return cudaSuccess;
}

/* ---- which pool ---- */

API(cudaDeviceGetDefaultMemPool, 0, (cudaMemPool_t * memPool, int device), (memPool, device))
{
    if (!memPool) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    *memPool = pool_handle(pool_default(device));
    return cudaSuccess;
}

API(cudaDeviceGetMemPool, 0, (cudaMemPool_t * memPool, int device), (memPool, device))
{
    if (!memPool || !device_exists(device)) return cudaErrorInvalidValue;
    *memPool = pool_handle(pool_current(device));
    return cudaSuccess;
}

API(cudaDeviceSetMemPool, 0, (int device, cudaMemPool_t memPool), (device, memPool))
{
    Pool *pool = pool_find(memPool);
    if (!pool || pool->device != device) return cudaErrorInvalidValue;
    pool_make_current(pool);
    return cudaSuccess;
}

/* ---- pools of the program's own ---- */

static bool all_zero(const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    while (n && !*at) n--, at++;
    return n == 0;
}

_Noreturn static void refuse(const Call *call, const char *what)
{
    host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
               "%s: pools of %s are not simulated by this virtual GPU; the program ends here",
               call->name, what);
}

API(cudaMemPoolCreate, 0, (cudaMemPool_t * memPool, const struct cudaMemPoolProps *poolProps),
    (memPool, poolProps))
{
    enum cudaMemAllocationHandleType shared = cudaMemHandleTypePosixFileDescriptor;
    if (!memPool || !poolProps) return cudaErrorInvalidValue;
    if (poolProps->allocType == cudaMemAllocationTypeManaged) refuse(call, "managed memory");
    if (poolProps->location.type == cudaMemLocationTypeHost ||
        poolProps->location.type == cudaMemLocationTypeHostNuma)
        refuse(call, "host memory");
    if (poolProps->allocType != cudaMemAllocationTypePinned ||
        poolProps->location.type != cudaMemLocationTypeDevice ||
        !device_exists(poolProps->location.id) || poolProps->handleTypes & ~(unsigned)shared ||
        !all_zero(poolProps->reserved, sizeof poolProps->reserved))
        return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    Pool *pool = pool_new(call, poolProps->location.id, poolProps->maxSize);
    if (!pool) return cudaErrorMemoryAllocation;
    *memPool = pool_handle(pool);

    return cudaSuccess;
}

API(cudaMemPoolDestroy, 0, (cudaMemPool_t memPool), (memPool))
{
    Pool *pool = pool_find(memPool);
    if (!pool || pool == pool_default(pool->device)) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    pool_destroy(call, pool);
    return cudaSuccess;
}

API(cudaMemPoolSetAccess, 0,
    (cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList, size_t count),
    (memPool, descList, count))
{
    Pool *pool = pool_find(memPool);
    if (!pool || (count && !descList)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        const struct cudaMemAccessDesc *desc = &descList[i];
        bool own = desc->location.id == pool->device;
        if (desc->location.type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
        if (!device_exists(desc->location.id)) return cudaErrorInvalidDevice;
        if (desc->flags == cudaMemAccessFlagsProtRead) return cudaErrorNotSupported;
        if (own && desc->flags == cudaMemAccessFlagsProtNone) return cudaErrorInvalidDevice;
        if (desc->flags != cudaMemAccessFlagsProtReadWrite &&
            desc->flags != cudaMemAccessFlagsProtNone)
            return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; i++)
        if (descList[i].location.id != pool->device)
            peers_open(&pool->pieces, descList[i].location.id,
                       descList[i].flags == cudaMemAccessFlagsProtReadWrite);
    return cudaSuccess;
}

API(cudaMemPoolGetAccess, 0,
    (enum cudaMemAccessFlags * flags, cudaMemPool_t memPool, struct cudaMemLocation *location),
    (flags, memPool, location))
{
    const Pool *pool = pool_find(memPool);
    if (!flags || !pool || !location) return cudaErrorInvalidValue;
    bool host = location->type == cudaMemLocationTypeHost;
    if (!host && (location->type != cudaMemLocationTypeDevice || !device_exists(location->id)))
        return cudaErrorInvalidValue;
    bool open =
        !host && (location->id == pool->device || peers_is_open(&pool->pieces, location->id));
    *flags = open ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}

/* ---- asking and telling ---- */

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
    case cudaMemPoolAttrReservedMemCurrent: *(uint64_t *)value = pool->pieces.reserved; break;
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
        pool_begin_high(pool, attr == cudaMemPoolAttrReservedMemHigh);
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

API(cudaMemPoolTrimTo, CALL_UNSAFE, (cudaMemPool_t memPool, size_t minBytesToKeep),
    (memPool, minBytesToKeep))
{
    Pool *pool = pool_find(memPool);
    if (!pool) return cudaErrorInvalidValue;
    pool_trim(pool, minBytesToKeep);
    return cudaSuccess;
}
