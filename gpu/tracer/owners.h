/* owners.h - in which context each stream was made. A call may name a stream of another device than
 * the current one, and streams have numbers in their own context only. Threads may call at any
 * time. */
#ifndef THREELANE_TRACER_OWNERS_H
#define THREELANE_TRACER_OWNERS_H
#include <stdbool.h>
#include <stdint.h>

typedef struct Owner {
    void *context;
    uint32_t number; /* of the context, as the reporter numbers them */
} Owner;

void owners_add(const void *stream, Owner);
void owners_drop(const void *stream);
/* False: nobody saw it made. */
bool owners_find(const void *stream, Owner *);
#endif
