/* replay.h - the calls that a program log can hold, by their whole names: what is noted of each,
 * and whether a player makes it again. Made of the rows of sim/include/threelane/calls.def. */
#ifndef THREELANE_REPLAY_H
#define THREELANE_REPLAY_H
#include <stdbool.h>
#include <stddef.h>

typedef enum ReplayWay {
    REPLAY_AGAIN,    /* noted with its arguments, and made again */
    REPLAY_KERNEL,   /* noted as a launch */
    REPLAY_HARMLESS, /* nothing to make again */
    REPLAY_NEVER     /* it cannot be made again */
} ReplayWay;

typedef struct ReplayCall {
    const char *name; /* "cudaMemcpyAsync"; "cudaMemcpyAsync_ptsz" is a call of its own */
    ReplayWay way;
    const char *letters; /* of the arguments; NULL unless made again */
    const char *reason;  /* why never; NULL for all others */
} ReplayCall;

/* In the order of calls.def, a stream call before its _ptsz; ends with a NULL name. */
extern const ReplayCall replay_calls[];

/* Its place in replay_calls; -1: there is no call of that name. */
int replay_find(const char *name);

/* What a harness says of memory (threelane_needs, threelane_shown in glue.h) goes to the player,
 * when there is one. The functions that harnesses call stand in replay.c, which every program has:
 * nobody else's can take their place. */
extern void (*replay_needs)(const void *memory, size_t bytes);
extern void (*replay_shown)(const void *memory, size_t bytes);
#endif
