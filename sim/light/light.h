/* light.h - what a kernel touches, known by page protection instead of by hooks.
 *
 * While light_on, the arena's memory is inaccessible except for the granules (pieces of 64 KiB; of
 * more, where there is much memory, or where memory is walked upwards: up to a quarter of what has
 * been walked) that have been touched: the processor tells of the first read and of the first write
 * of each, and what a granule held before its first write is kept. Addresses that lie in no block
 * fault for good.
 *
 * One set of granules at a time, on the main OS thread. Nothing here knows of kernels.
 */
#ifndef THREELANE_LIGHT_H
#define THREELANE_LIGHT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LightGranule {
    struct LightGranule *next; /* touched after it */
    uintptr_t begin, end;
    unsigned char *old; /* what was there before the first write; NULL: it has only been read */
    bool read;          /* before that */
    uintptr_t pieces;   /* light.c's: bytes of the smallest ones; how often twice that it is */
    unsigned size;
} LightGranule;

extern bool light_on;

/* Protects all of the arena that is accessible. False, and nothing has changed: it cannot be done.
 * saved: told of each granule that is about to be written for the first time, when its old bytes
 * have been kept. */
bool light_begin(int device, void (*saved)(const LightGranule *));
/* An access has faulted. True: it may be made now. */
bool light_fault(uintptr_t address, bool write);
/* Everything is accessible again. The granules that were touched, in order of their first touch;
 * the caller's. */
LightGranule *light_end(void);
void light_free(LightGranule *);

/* While light_on: the granule of the address, if it has been written; else NULL. */
const LightGranule *light_written(uintptr_t address);
#endif
