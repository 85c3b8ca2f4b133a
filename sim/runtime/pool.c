#include "sim/runtime/pool.h"
#include "common/devices.h"
#include "sim/host/host.h"
#include "sim/runtime/handle.h"

static Pool pools[DEVICES_MOST];

static Pool *pool_of(int device)
{
    Pool *pool = &pools[device];
    if (!pool->taken) *pool = (Pool){.taken = true, .reuse = {true, true, true}};
    return pool;
}

/* Pools are numbered as the trace numbers devices, from 1. */
cudaMemPool_t pool_handle(int device)
{
    uint32_t number = (uint32_t)device + 1;
    if (!handle_at(HANDLE_POOL, number) && !handle_add(HANDLE_POOL, number, &pools[device]))
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for memory pools");
    return handle_make(HANDLE_POOL, number);
}

Pool *pool_find(cudaMemPool_t handle)
{
    Pool *pool = handle_find(HANDLE_POOL, handle);
    return pool ? pool_of((int)(pool - pools)) : NULL;
}

void pool_keep_at_most(Pool *pool, uint64_t bytes)
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
    pool_keep_at_most(pool, pool->threshold);
}

void pool_reset(int device) { pools[device] = (Pool){0}; }
