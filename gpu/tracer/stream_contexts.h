/* stream_contexts.h - in which context each stream was made. A call may name a stream of another
 * device than the current one, and streams have numbers in their own context only. Threads may call
 * at any time. */
#ifndef THREELANE_TRACER_STREAM_CONTEXTS_H
#define THREELANE_TRACER_STREAM_CONTEXTS_H
#include <stdbool.h>
#include <stdint.h>

typedef struct StreamContext {
    void *context;
    uint32_t number; /* of the context, as the reporter numbers them */
} StreamContext;

void stream_contexts_add(const void *stream, StreamContext);
void stream_contexts_drop(const void *stream);
/* False: nobody saw it made. */
bool stream_contexts_find(const void *stream, StreamContext *);
#endif
