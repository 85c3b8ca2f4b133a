/* pool.h - the memory pools that cudaMallocAsync takes from. */
#ifndef THREELANE_POOL_H
#define THREELANE_POOL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/include/driver_types.h"

/* The pool from which cudaMallocAsync takes on a device: one each. What a free leaves above the
 * release threshold goes back at once; CUDA leaves open when, and that is seen only by asking. */
typedef struct Pool {
    bool taken;    /* are the numbers below set? */
    bool reuse[3]; /* the three cudaMemPoolReuse... */
    uint64_t threshold, used, used_high, reserved, reserved_high;
} Pool;
cudaMemPool_t pool_handle(int device);
Pool *pool_find(cudaMemPool_t); /* NULL: the handle is none of a pool */
void pool_takes(int device, size_t bytes);
void pool_gives(int device, size_t bytes);
void pool_keep_at_most(Pool *, uint64_t bytes);
void pool_reset(int device);
#endif
