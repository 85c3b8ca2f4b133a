/* byteset.h - a set of bytes of memory, exact and sparse.
 *
 * Runs of pages whose bytes are in the set in the same way are one extent: a whole buffer of any
 * size, or one that is touched in a stride that divides a page, takes one extent and at most one
 * page of bits. Pages that repeat after some others share their bits. Pure: knows nothing of CUDA.
 */
#ifndef THREELANE_BYTESET_H
#define THREELANE_BYTESET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BYTES_PAGE = 4096, BYTES_WORDS = BYTES_PAGE / 64 };

typedef struct BytesExtent {
    uintptr_t page; /* number of the first page */
    uint32_t pages;
    uint32_t bits; /* which page of bits; BYTES_ALL: every byte */
} BytesExtent;
#define BYTES_ALL UINT32_MAX

typedef struct HazardBytes {
    BytesExtent *extents; /* in order of address, apart */
    uint64_t *bits;       /* pages of BYTES_WORDS words */
    uint32_t n, room, n_bits, room_bits;
    bool shared; /* the last page of bits may belong to several extents */
    bool failed; /* memory was short: the set is incomplete */
} HazardBytes;

/* Add what lies at or after everything that is there (a page may be added to again while it is the
 * last). */
void bytes_add_page(HazardBytes *, uintptr_t page, const uint64_t bits[BYTES_WORDS]);
void bytes_add_range(HazardBytes *, uintptr_t address, size_t bytes);
/* height rows of width bytes, pitch apart. */
void bytes_add_rows(HazardBytes *, uintptr_t address, size_t pitch, size_t width, size_t height);
/* Gives room that is not needed back. */
void bytes_trim(HazardBytes *);
void bytes_release(HazardBytes *);

static inline bool bytes_empty(const HazardBytes *set) { return set->n == 0; }
/* From its first byte to its last: [*low, *high); nothing is [0, 0). */
void bytes_span(const HazardBytes *, uintptr_t *low, uintptr_t *high);
uint64_t bytes_count(const HazardBytes *);
/* What it takes in memory. */
size_t bytes_memory(const HazardBytes *);

typedef struct BytesMeet {
    uintptr_t first, last; /* the lowest and the highest byte in both */
    uint64_t count;
} BytesMeet;
/* Do they have a byte in common? */
bool bytes_meet(const HazardBytes *, const HazardBytes *);
/* The same, for bytes in [from, to); says which. */
bool bytes_meet_in(const HazardBytes *, const HazardBytes *, uintptr_t from, uintptr_t to,
                   BytesMeet *);
/* Is every byte of part in whole? */
bool bytes_covers(const HazardBytes *whole, const HazardBytes *part);
#endif
