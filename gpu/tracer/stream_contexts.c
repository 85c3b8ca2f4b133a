/* stream_contexts.c - lists of streams by handle. */
#include "gpu/tracer/stream_contexts.h"
#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 1024 };

typedef struct Made {
    struct Made *next;
    const void *stream;
    StreamContext owner;
} Made;
static Made *made[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Where the stream stands in its list, or the list's end. */
static Made **place_of(const void *stream)
{
    uintptr_t value = (uintptr_t)stream;
    Made **at = &made[(value >> 4 ^ value >> 14) % BUCKETS];
    while (*at && (*at)->stream != stream) at = &(*at)->next;
    return at;
}

void stream_contexts_add(const void *stream, StreamContext owner)
{
    Made *new = malloc(sizeof *new);
    if (!new) return; /* its context is then taken for the current one */
    pthread_mutex_lock(&lock);
    Made **at = place_of(stream);
    if (*at) {
        (*at)->owner = owner; /* its end was not seen */
        free(new);
    } else {
        *new = (Made){NULL, stream, owner};
        *at = new;
    }
    pthread_mutex_unlock(&lock);
}

void stream_contexts_drop(const void *stream)
{
    pthread_mutex_lock(&lock);
    Made **at = place_of(stream), *gone = *at;
    if (gone) *at = gone->next;
    pthread_mutex_unlock(&lock);
    free(gone);
}

bool stream_contexts_find(const void *stream, StreamContext *owner)
{
    pthread_mutex_lock(&lock);
    const Made *found = *place_of(stream);
    if (found) *owner = found->owner;
    pthread_mutex_unlock(&lock);
    return found != NULL;
}
