/* cluster.h - blocks of a cluster: the barrier that they share, and the shared memory of each
 * other.
 *
 * The blocks of a cluster are all there before one of another cluster begins. One of them runs at a
 * time, with its shared memory where programs have it; that of the others lies meanwhile in the
 * cluster's window, a stretch for each block, and there the block that runs reads and writes it: an
 * address that map_shared_rank() gave is one in the window. A block's own address is its usual one.
 *
 * Two uses of a block's shared memory by different blocks are ordered by the cluster's barrier, or
 * by a flag that is raised after a fence. A block uses the memory of another one only between the
 * other's begin and end: what orders the use after the one and before the other is looked for, too.
 *
 * A launch without clusters has clusters of one block, whose barrier is the block's.
 */
#ifndef THREELANE_CLUSTER_H
#define THREELANE_CLUSTER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/exec/exec_internal.h"
#include "sim/exec/shared.h"

enum { CLUSTER_MOST = 16 };

/* exec_run goes on, or has begun; it has stopped or ended. */
void cluster_begin_run(void);
void cluster_end_run(void);
void cluster_free(Run *);    /* it never goes on */
void cluster_abandon(Run *); /* its blocks are gone; it may start anew */

/* How many blocks a cluster has: 1 where there are no clusters. */
uint32_t cluster_blocks(const Run *);
/* Is a cluster there of which not all blocks have begun? */
bool cluster_is_open(const Run *);
/* The n-th block of the grid to begin, cluster by cluster: its place. */
void cluster_place(const Run *, uint64_t n, uint32_t index[3]);

/* exec_block begins as the n-th; it comes back; it has ended. */
void cluster_block_begins(uint64_t n);
void cluster_block_returns(void);
void cluster_block_ends(Block *);

/* Lets those go on who wait at the barrier of the block's cluster, if all have come. */
bool cluster_release(Block *);
/* Nobody of the grid can go on: says why, if a cluster's barrier is the cause. */
void cluster_deadlock(Run *);

/* An access to [address, address + bytes) in a window: it comes now. Faults. */
void cluster_access(uintptr_t address, size_t bytes, SharedUse, const void *pc);
/* The block whose shared memory this address of a window is (NULL: it has not begun, or has ended),
 * and where the block itself has it. */
Block *cluster_owner(uintptr_t address, uintptr_t *own);

/* Flags and locks, wherever they are, raised after a fence. */
void cluster_release_flag(uintptr_t address);
void cluster_acquire_flag(uintptr_t address);
#endif
