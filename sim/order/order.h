/* order.h - what each thread of a running kernel knows of the others: which of their accesses come
 * before its own.
 *
 * A block barrier tells everybody what everybody has done; __syncwarp() the lanes it names; the
 * grid's barrier all blocks; a cluster's barrier the blocks of the cluster. An atomic operation or
 * a volatile store after a fence leaves at its address what the thread knew and had done by the
 * fence, to be learned by whoever reads it there: a fence made before a block barrier counts for
 * every thread of the block after it. A fence of the block (__threadfence_block) is of use to its
 * own block only. Reads need no fence.
 *
 * Used while a kernel is watched (race.h), for one kernel at a time. Threads are a block's number
 * and a rank in it.
 */
#ifndef THREELANE_ORDER_H
#define THREELANE_ORDER_H
#include <stdbool.h>
#include <stdint.h>

typedef struct OrderPoint { /* what a thread did, when */
    uint64_t block, stamp;
    uint32_t rank, phase; /* phase: barriers of its block before */
} OrderPoint;

void order_begin(void);
void order_end(void);
/* The block whose threads run from here on: it begins, or comes back. */
void order_block(uint64_t number);
void order_block_ended(uint64_t number);
void order_barrier(void);
void order_grid_barrier(void);
void order_cluster_barrier(const uint64_t *blocks, uint32_t n); /* of those that are known */
void order_warp(uint32_t first_rank, uint32_t lanes);
void order_fence(uint32_t rank, bool block_only);
/* A flag is changed. adds: what was there to learn stays (an atomic operation on it), else only the
 * latest counts. */
void order_release(uint32_t rank, uintptr_t address, bool adds);
void order_acquire(uint32_t rank, uintptr_t address);
OrderPoint order_now(uint32_t rank);
/* Does what the running block's thread does now come after the point? */
bool order_after(uint32_t rank, const OrderPoint *);
/* There has been too much to remember: order_after says yes to everything since. */
bool order_is_blind(void);
/* It does not: would it, if every flag had been raised after a fence? */
bool order_only_fence_missing(uint32_t rank, const OrderPoint *);
#endif
