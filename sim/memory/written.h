/* written.h - which bytes of a block have been written since it was allocated, exactly.
 *
 * A page costs 8 bytes, and 512 more while some of its bytes have been written and others have not.
 * Pure.
 */
#ifndef THREELANE_WRITTEN_H
#define THREELANE_WRITTEN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITTEN_PAGE = 4096, WRITTEN_WORDS = WRITTEN_PAGE / 64 };

typedef struct Written Written;

/* For the bytes from address on, none of them written yet. NULL when memory is short. */
Written *written_new(uintptr_t address, size_t bytes);
void written_free(Written *);

/* Bytes outside the block are left out of account. */
void written_add(Written *, uintptr_t address, size_t bytes);
/* By page number: a bit for each byte. */
void written_add_page(Written *, uintptr_t page, const uint64_t bits[WRITTEN_WORDS]);
/* Bytes were copied: those that are written in from are in to, from now on. from NULL: all of
 * them. */
void written_copy(Written *to, uintptr_t to_address, const Written *from, uintptr_t from_address,
                  size_t bytes);

/* Every byte of the block? */
bool written_all(const Written *);
/* The bits of a page. Bits of bytes that do not belong to the block are set. */
const uint64_t *written_page(const Written *, uintptr_t page);
/* The first run of unwritten bytes in [from, to). */
bool written_gap(const Written *, uintptr_t from, uintptr_t to, uintptr_t *gap_from,
                 uintptr_t *gap_to);
/* What it takes in memory. */
size_t written_memory(const Written *);
#endif
