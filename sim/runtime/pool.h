/* pool.h - the memory pools that cudaMallocAsync takes from: what they hold, and who is given what
 * another has freed.
 *
 * A pool grows by whole chunks of the device's memory, and gives them back at a synchronization,
 * down to its release threshold. What is freed in stream order can be had again at once in the same
 * stream; in another, when that comes after the free by events or the legacy stream, when the free
 * is over, or, where the device has no more, with a wait for it that the pool puts in: each as the
 * pool's attributes allow. Sizes are in bytes.
 */
#ifndef THREELANE_POOL_H
#define THREELANE_POOL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/include/driver_types.h"
#include "sim/memory/memory.h"
#include "sim/memory/pieces.h"
#include "sim/runtime/stream.h"

typedef struct Pool {
    Pieces pieces; /* first: how a block finds its pool */
    uint32_t number;
    int device;
    bool destroyed;  /* stays until its last block is back */
    bool reuse[3];   /* the three cudaMemPoolReuse... */
    uint64_t most;   /* bytes that it may hold; 0: what the device has */
    uint64_t blocks; /* that the program holds */
    uint64_t threshold, used, used_high, reserved_high;
    TraceSite made; /* file NULL: the device's own */
    struct Pool *next;
} Pool;

/* The device's own pool, and the one that cudaMallocAsync takes from there. */
Pool *pool_default(int device);
Pool *pool_current(int device);
void pool_make_current(Pool *);

cudaMemPool_t pool_handle(const Pool *);
Pool *pool_find(cudaMemPool_t); /* NULL: the handle is none of a pool */
/* A pool of the program's own. NULL when memory is short. */
Pool *pool_new(const Call *, int device, uint64_t most);
/* What it has is given back as the program gives back its blocks. Not for a device's own. */
void pool_destroy(const Call *, Pool *);

/* A block for `stream`, and the operations that its allocation has to wait for (*after, valid until
 * the next call). NULL when neither the pool nor the device has so much. */
MemoryBlock *pool_take(const Call *, Pool *, const Stream *, size_t bytes, const EngineOp **after,
                       int *n_after);
/* The program gives a block back: in a stream, by this operation, or (NULL, 0) at once. */
void pool_give(MemoryBlock *, const Stream *, EngineOp);
/* Gives memory back to the device, as much as can be, down to `keep`. */
void pool_trim(Pool *, uint64_t keep);
/* The device has no more: what all its pools can spare is given back. False: nothing was. */
bool pool_spare(int device);
/* A high mark begins anew. */
void pool_begin_high(Pool *, bool reserved);

/* Calls visit for the program's own pools. */
void pool_each_own(void (*visit)(const Pool *));
void pool_reset(int device, TraceSite);
#endif
