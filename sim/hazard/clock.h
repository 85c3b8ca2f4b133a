/* clock.h - vector clocks: what is known to have happened before.
 *
 * Actors (host threads, streams) are numbers from 0; each counts its own time. A clock says, for
 * each actor, up to which time everything it did is known to be done: once surely, by what CUDA
 * promises, and once with luck, by what happened without being promised (the lucky part is never
 * behind the sure one, and is kept only where it differs).
 *
 * Clocks never change once made, and are shared: each reference is released once. NULL is the clock
 * that knows nothing. Pure.
 */
#ifndef THREELANE_CLOCK_H
#define THREELANE_CLOCK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Clock {
    uint32_t refs, n; /* actors it knows of */
    bool lucky;       /* there is a lucky part, after the sure one */
    uint64_t time[];
} Clock;

typedef struct ClockPoint {
    uint32_t actor;
    uint64_t time;
} ClockPoint;

static inline Clock *clock_ref(Clock *clock)
{
    if (clock) clock->refs++;
    return clock;
}
void clock_release(Clock *);

static inline uint64_t clock_sure(const Clock *clock, uint32_t actor)
{
    return clock && actor < clock->n ? clock->time[actor] : 0;
}
static inline uint64_t clock_lucky(const Clock *clock, uint32_t actor)
{
    return !clock || actor >= clock->n ? 0 : clock->time[clock->lucky ? clock->n + actor : actor];
}
static inline bool clock_knows(const Clock *clock, ClockPoint point)
{
    return clock_sure(clock, point.actor) >= point.time;
}
static inline bool clock_knows_by_luck(const Clock *clock, ClockPoint point)
{
    return clock_lucky(clock, point.actor) >= point.time;
}

/* Everything that either knows. May return one of them again. A new reference; NULL also when
 * memory is short. */
Clock *clock_join(Clock *, Clock *);
/* What a knows, and by luck what b knows. */
Clock *clock_join_by_luck(Clock *a, Clock *b);
/* What a and b know, and two points, in one step. */
Clock *clock_make(const Clock *a, const Clock *b, ClockPoint, ClockPoint);
/* Does a know all that b does, surely and by luck? */
bool clock_covers(const Clock *a, const Clock *b);
/* The same, of the sure parts alone. */
bool clock_covers_surely(const Clock *a, const Clock *b);
#endif
