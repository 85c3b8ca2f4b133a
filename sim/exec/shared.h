/* shared.h - races between the threads of a block in its shared memory, and accesses past the end
 * of what a launch asked for.
 *
 * Time is a stamp that counts whatever orders threads of the running block. A cell, for every four
 * bytes (or, where threads use parts of them, for every byte), knows who wrote last and three of
 * those who have read since: the last, the last other one, and the last one of another warp. Each
 * is one word: stamp, atomic or not, thread, place in the program. What is older than the block's
 * latest barrier is so found by one comparison.
 *
 * Ordered are: what a block barrier separates; a __syncwarp() for the lanes it names; a flag or
 * lock that is raised after a fence, and whoever then sees it. A block that was set aside starts
 * anew when it comes back: a race across that is not seen.
 */
#ifndef THREELANE_SHARED_H
#define THREELANE_SHARED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/include/threelane/self.h"

enum { SHARED_SETS = 16 }; /* blocks of a cluster */
enum { SHARED_READERS = 3, SHARED_PC_BITS = 32, SHARED_THREAD_BITS = 10, SHARED_STAMP_SHIFT = 43 };
typedef struct SharedCell {
    uint64_t wrote, read[SHARED_READERS];
} SharedCell;
typedef enum SharedUse {
    SHARED_READ,
    SHARED_WRITE,
    SHARED_ATOMIC_READ,
    SHARED_ATOMIC_WRITE
} SharedUse;
#define SHARED_ATOMIC (1ull << 42)

/* Where shared memory is: dynamic, as much as the launch asked for, then static. bytes are 0 while
 * nothing is looked for. */
typedef struct SharedRange {
    uintptr_t at, bytes;
    SharedCell *cells;
} SharedRange;
extern SharedRange shared_ranges[2];
extern bool shared_on;
extern uint64_t shared_now, shared_floor; /* stamps, shifted */

void shared_begin_run(void); /* exec_run goes on, or has begun */
void shared_end_run(void);
void shared_barrier(void); /* everything so far comes before everything that follows, in the block
                            */
void shared_warp_barrier(unsigned warp, uint32_t lanes, bool whole);
void shared_fence(void);
/* The running block is the one of this rank in its cluster: what is known of its shared memory is
 * kept apart from that of others. */
void shared_select(uint32_t rank);
/* What is known of four bytes (or of the byte there, in such a word) of the block of this rank;
 * false: nothing. address: as the block itself has it. */
bool shared_known(uint32_t rank, uintptr_t address, SharedCell *);
/* Faults if the access is not to shared memory that a block of the launch has. */
void shared_bounds(uintptr_t address, size_t bytes, bool write, const void *pc);
/* Flags and locks, wherever they are. */
void shared_release_flag(uintptr_t address);
void shared_acquire_flag(uintptr_t address);
extern bool shared_fenced;

/* A barrier with phases: what threads do before they arrive comes before what is done by who passes
 * when the phase has ended. NULL: nothing yet. shared_generation: when it changes, what was before
 * is forgotten. */
enum { SHARED_THREADS = 1024 };
typedef struct SharedMeeting SharedMeeting;
extern uint32_t shared_generation;
void shared_arrive(SharedMeeting **);
void shared_phase_ends(SharedMeeting **);
void shared_pass(SharedMeeting **);
void shared_meeting_ends(SharedMeeting **);
/* A number that stands for no thread of the running block; it arrives, too: for copies. */
uint32_t shared_nobody(uint32_t number);
void shared_nobody_arrives(SharedMeeting **, uint32_t nobody);

/* Does the running thread come after what has left such a key (shared_key)? */
bool shared_comes_after(uint64_t key);

/* A copy to these words is going on: whoever touches them races with it. It has landed: as a write
 * of the running thread, or as nobody's of the block, whom a number stands for that no thread has:
 * then only who has learned of it (shared_gather_of) comes after it, whatever block barriers there
 * were. Nothing is known any more of any copy. */
void shared_copy_begins(uintptr_t address, size_t bytes, const void *pc);
void shared_copy_lands(uintptr_t address, size_t bytes, uint32_t nobody, const void *pc);
void shared_copy_lands_here(uintptr_t address, size_t bytes, const void *pc);
void shared_copies_gone(void);

/* Any access; what lies in neither of the ranges is left out of account. Faults past the end. */
void shared_access(uintptr_t address, size_t bytes, SharedUse, const void *pc);
/* The access that is looked at is volatile. */
extern bool shared_volatile;

static inline __attribute__((always_inline)) const SharedRange *shared_range(uintptr_t address)
{
    if (address - shared_ranges[0].at < shared_ranges[0].bytes) return &shared_ranges[0];
    if (address - shared_ranges[1].at < shared_ranges[1].bytes) return &shared_ranges[1];
    return NULL;
}
/* Past the end of what the launch asked for, or before it? */
static inline bool shared_outside(uintptr_t address)
{
    return address - (uintptr_t)threelane_dynamic_shared < THREELANE_DYNAMIC_SHARED && shared_on &&
           address - shared_ranges[0].at >= shared_ranges[0].bytes;
}

static inline __attribute__((always_inline)) uint64_t shared_key(const void *pc)
{
    return shared_now | (uint64_t)threelane_rank() << SHARED_PC_BITS | (uint32_t)(uintptr_t)pc;
}
/* Are the threads of two keys the same? */
static inline bool shared_same(uint64_t a, uint64_t b)
{
    return ((a ^ b) >> SHARED_PC_BITS & 1023) == 0;
}

/* The usual: four or eight aligned bytes, and nothing to report. */
static inline __attribute__((always_inline)) bool shared_read_fast(SharedCell *c, uint64_t key)
{
    if ((c->read[0] ^ key) >> SHARED_PC_BITS == 0) return true;
    if (c->wrote >= shared_floor && !shared_same(c->wrote, key)) return false;
    if (c->read[0] >= shared_floor && !shared_same(c->read[0], key)) {
        if (c->read[0] == UINT64_MAX) return false;
        if ((c->read[0] ^ key) >> (SHARED_PC_BITS + 5) & 31) c->read[2] = c->read[0];
        c->read[1] = c->read[0];
    }
    c->read[0] = key;
    return true;
}

static inline __attribute__((always_inline)) bool shared_write_fast(SharedCell *c, uint64_t key)
{
    if (c->wrote >= shared_floor && !shared_same(c->wrote, key)) return false;
    if (c->read[0] | c->read[1] | c->read[2]) {
        for (int i = 0; i < SHARED_READERS; i++)
            if (c->read[i] >= shared_floor && !shared_same(c->read[i], key)) return false;
        c->read[0] = c->read[1] = c->read[2] = 0;
    }
    c->wrote = key;
    return true;
}

/* False: shared_access must look. */
static inline __attribute__((always_inline)) bool shared_look(const SharedRange *range,
                                                              uintptr_t address, unsigned bytes,
                                                              bool write, const void *pc)
{
    if (bytes != 4 && bytes != 8) return false;
    uintptr_t offset = address - range->at;
    SharedCell *c = range->cells + offset / 4;
    uint64_t key = shared_key(pc);
    bool fine =
        c->wrote != UINT64_MAX && (write ? shared_write_fast(c, key) : shared_read_fast(c, key));
    if (bytes == 8)
        fine = fine && c[1].wrote != UINT64_MAX &&
               (write ? shared_write_fast(c + 1, key) : shared_read_fast(c + 1, key));
    return __builtin_expect(fine, 1);
}
#endif
