/* race.h - conflicts between the threads of one kernel in memory that all of them can reach.
 *
 * Two steps. While a kernel runs for the first time, a filter notices words that one thread writes
 * and another one touches, with no barrier between. It knows nothing of fences, flags and warps,
 * and forgets lines: it may suspect a correct kernel, but misses nothing. Only when it suspects
 * something, the kernel runs again from the start, on the same memory, and the suspected words are
 * watched: every access to them, by whom, from which line, and what its thread knows of the others
 * (order.h). What that finds is reported. A kernel that waits for others than its own threads
 * cannot run again: it is not looked at.
 *
 * The filter costs next to nothing on pages that are only read, or where each byte is written once
 * and not read. On others there is a cell for every four bytes (every byte, where smaller things
 * are used): who touched them. That is a key: an epoch, the rank of a thread in its block, and
 * whether it wrote. The running block's epoch goes up at each barrier, the next block begins with a
 * new one; keys below race_first are of the past.
 */
#ifndef THREELANE_RACE_H
#define THREELANE_RACE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/exec/exec_internal.h"
#include "sim/exec/footprint.h"
#include "sim/exec/shared.h"
#include "sim/include/threelane/self.h"

/* The running block's epoch; keys of readers that are several threads of it, or of several epochs;
 * what is older does not matter; the running block's first epoch, and how far its latest barrier is
 * from that. */
extern uint32_t race_epoch, race_many, race_everybody, race_first, race_block, race_done;
extern bool race_watching; /* are words watched (race_on all the same) */

/* ---- the kernel's life: no more than a test each when nothing is looked for ---- */
void race_begin(void);        /* exec_run begins */
void race_block_begins(void); /* or comes back after it was set aside */
void race_block_ends(void);
void race_barrier(void); /* of the running block */
void race_grid_barrier(void);
void race_grid_over(void); /* the kernel's next one comes after all that has been: reports */
void race_cluster_barrier(const uint64_t *blocks, uint32_t n); /* their numbers */
void race_warp(uint32_t first_rank, uint32_t lanes);
void race_fence(bool block_only);
void race_release(uintptr_t address, bool adds); /* order_release, order_acquire */
void race_acquire(uintptr_t address);
/* exec_run has run to its end for the first time: was something suspected that running it again can
 * tell? */
bool race_wants_again(void);
/* It runs again, and the suspected words are watched, until race_end. */
void race_watch(void);
/* It has ended: reports what was found. Also when it only stops for now. */
void race_end(void);

/* Two places of a kernel that touch the same bytes, unordered. first: the earlier one in the
 * code. */
typedef struct RaceSide {
    const void *pc;
    SharedUse use;
    uint64_t block;
    uint32_t rank;
} RaceSide;
typedef struct RacePair {
    RaceSide first, second;
    uintptr_t low, high;
    uint32_t times;
    bool across;          /* between blocks, at least once */
    bool differs;         /* not only two writes of the same value */
    bool fence;           /* a flag tells the one of the other, but no fence was made before */
    uint32_t passed_line; /* of the latest barrier of their block, when they were found; 0: none */
} RacePair;

/* ---- accesses ---- */

/* Any access of the running kernel, after the footprint has noted it. again: as in
 * race_write_fast. */
void race_access(uintptr_t address, size_t bytes, SharedUse, bool again, const void *pc);

static inline uint32_t race_key(void) { return race_epoch + 2 * threelane_rank(); }

/* The usual: aligned, on a page that has cells (of bytes, for less than a word), and nothing to
 * suspect. False: race_access must look. */
static inline __attribute__((always_inline)) uint32_t *race_cells(const FootprintPage *page,
                                                                  uintptr_t address, unsigned bytes)
{
    return bytes < 4 ? page->byte_cells + address % FOOTPRINT_PAGE
                     : page->cells + address % FOOTPRINT_PAGE / 4;
}

static inline __attribute__((always_inline)) bool race_read_cells(const FootprintPage *page,
                                                                  uintptr_t address, unsigned bytes)
{
    uint32_t key = race_key(), *cell = race_cells(page, address, bytes);
    for (unsigned i = 0; i < (bytes < 4 ? bytes : bytes / 4); i++) {
        uint32_t c = cell[i];
        if (__builtin_expect(c < race_first, 1)) cell[i] = key;
        else if ((c ^ key) > 1 && c != race_everybody && c != race_many) return false;
    }
    return true;
}

static inline __attribute__((always_inline)) bool race_write_cells(const FootprintPage *page,
                                                                   uintptr_t address,
                                                                   unsigned bytes)
{
    uint32_t key = race_key() + 1, *cell = race_cells(page, address, bytes);
    for (unsigned i = 0; i < (bytes < 4 ? bytes : bytes / 4); i++) {
        uint32_t c = cell[i];
        if ((c ^ key) > 1 && c >= race_first) return false;
        cell[i] = key;
    }
    return true;
}

/* Words of a page that has cells for words, one after the other: `each` of them were touched by one
 * thread, the first by that of the rank, and the next ones by threads that are `step` (0 or 1)
 * further. False: nothing is noted, since there is something to suspect. */
bool race_run(const FootprintPage *page, uintptr_t address, unsigned words, unsigned each,
              uint32_t rank, unsigned step, bool write);

/* The same for a page of any kind. again: some of the bytes are not written for the first time. */
static inline bool race_read_fast(const FootprintPage *page, uintptr_t address, unsigned bytes)
{
    if (page->only_read || !race_on) return true;
    return (bytes < 4 ? page->byte_cells : page->cells) && race_read_cells(page, address, bytes);
}

static inline bool race_write_fast(const FootprintPage *page, uintptr_t address, unsigned bytes,
                                   bool again)
{
    if ((page->only_written && !again) || !race_on) return true;
    return (bytes < 4 ? page->byte_cells : page->cells) && race_write_cells(page, address, bytes);
}
#endif
