/* advice.h - what a program has said of managed memory: where its pages should be, who uses them,
 * where they were sent last. Kept page by page, for as long as the allocation lives; nothing here
 * moves anything. */
#ifndef THREELANE_ADVICE_H
#define THREELANE_ADVICE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ADVICE_NOWHERE = -2, ADVICE_HOST = -1 }; /* a place: a device's number, or one of these */

typedef struct Advice {
    bool read_mostly;
    int preferred, prefetched;
    uint64_t used_by; /* a bit for each device */
    bool used_by_host;
} Advice;

/* Changes what is known of the pages of [address, address + bytes) of an allocation (its id in the
 * trace). False when memory is short. */
bool advice_change(uint32_t alloc, uintptr_t address, size_t bytes,
                   void (*change)(Advice *, const void *arg), const void *arg);
/* Visits what is known of them, each differing part once. */
void advice_each(uint32_t alloc, uintptr_t address, size_t bytes,
                 void (*visit)(const Advice *, void *arg), void *arg);
#endif
