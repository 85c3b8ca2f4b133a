/* replay.c - see replay.h. */
#include "sim/replay/replay.h"
#include <stdlib.h>
#include <string.h>
#include "sim/include/cuda_runtime_api.h"
#include "sim/include/threelane/glue.h"

#define WAY_AGAIN(LETTERS, ...) REPLAY_AGAIN, LETTERS, NULL
#define WAY_AGAIN0 REPLAY_AGAIN, "", NULL
#define WAY_KERNEL REPLAY_KERNEL, NULL, NULL
#define WAY_HARMLESS REPLAY_HARMLESS, NULL, NULL
#define WAY_NEVER(REASON) REPLAY_NEVER, NULL, REASON

const ReplayCall replay_calls[] = {
#define TL_CALL0(NAME, REPLAY, TRACER) {#NAME, WAY_##REPLAY},
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) {#NAME, WAY_##REPLAY},
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) \
    {#NAME, WAY_##REPLAY}, {#NAME "_ptsz", WAY_##REPLAY},
#include "sim/include/threelane/calls.def"
    {NULL, REPLAY_NEVER, NULL, NULL}};
enum { CALLS = sizeof replay_calls / sizeof *replay_calls - 1 };

/* A row has its macro: a call of the name becomes something longer. */
#define TEXT_OF(...) TEXT_OF_(__VA_ARGS__)
#define TEXT_OF_(...) #__VA_ARGS__
#define HAS_MACRO(NAME, CALL)                           \
    _Static_assert(sizeof TEXT_OF(CALL) > sizeof #CALL, \
                   "calls.def: " #NAME " has no #define before its row");
#define TL_CALL0(NAME, REPLAY, TRACER) HAS_MACRO(NAME, NAME())
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) HAS_MACRO(NAME, NAME(1, 2, 3, 4))
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) HAS_MACRO(NAME, NAME(1, 2, 3, 4))
#define TL_REFUSED(NAME, TRACER) HAS_MACRO(NAME, NAME(1, 2, 3, 4))
#include "sim/include/threelane/calls.def"

static int by_name(const void *a, const void *b)
{
    return strcmp(replay_calls[*(const int *)a].name, replay_calls[*(const int *)b].name);
}

int replay_find(const char *name)
{
    static int sorted[CALLS];
    static bool made;
    if (!made) {
        for (int i = 0; i < CALLS; i++) sorted[i] = i;
        qsort(sorted, CALLS, sizeof *sorted, by_name);
        made = true;
    }
    for (int low = 0, high = CALLS; low < high;) {
        int middle = (low + high) / 2, order = strcmp(name, replay_calls[sorted[middle]].name);
        if (!order) return sorted[middle];
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return -1;
}

void (*replay_needs)(const void *memory, size_t bytes);
void (*replay_shown)(const void *memory, size_t bytes);

void threelane_needs(const void *memory, size_t bytes)
{
    if (replay_needs) replay_needs(memory, bytes);
}

void threelane_shown(const void *memory, size_t bytes)
{
    if (replay_shown) replay_shown(memory, bytes);
}
