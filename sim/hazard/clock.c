#include "sim/hazard/clock.h"
#include <stdlib.h>

/* Clocks come and go with every call: small ones are kept for the next. */
enum { KEPT_TIMES = 16, KEPT = 256 };
static Clock *kept[KEPT];
static unsigned n_kept;

static Clock *make(uint32_t n, bool lucky)
{
    uint32_t times = lucky ? 2 * n : n;
    Clock *clock = times <= KEPT_TIMES && n_kept
                       ? kept[--n_kept]
                       : malloc(sizeof *clock +
                                (times < KEPT_TIMES ? KEPT_TIMES : times) * sizeof *clock->time);
    if (!clock) return NULL;
    clock->refs = 1;
    clock->n = n;
    clock->lucky = lucky;
    return clock;
}

void clock_release(Clock *clock)
{
    if (!clock || --clock->refs) return;
    if ((clock->lucky ? 2 * clock->n : clock->n) <= KEPT_TIMES && n_kept < KEPT)
        kept[n_kept++] = clock;
    else free(clock);
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint32_t actors(const Clock *clock) { return clock ? clock->n : 0; }

bool clock_covers_surely(const Clock *a, const Clock *b)
{
    if (a == b) return true;
    for (uint32_t i = 0; i < actors(b); i++)
        if (clock_sure(a, i) < b->time[i]) return false;
    return true;
}

bool clock_covers(const Clock *a, const Clock *b)
{
    if (!clock_covers_surely(a, b)) return false;
    if (!a || !b || a == b || (!a->lucky && !b->lucky)) return true;
    for (uint32_t i = 0; i < b->n; i++)
        if (clock_lucky(a, i) < clock_lucky(b, i)) return false;
    return true;
}

Clock *clock_join(Clock *a, Clock *b)
{
    if (clock_covers(a, b)) return clock_ref(a);
    if (clock_covers(b, a)) return clock_ref(b);
    uint32_t n = a->n > b->n ? a->n : b->n;
    bool lucky = a->lucky || b->lucky;
    Clock *sum = make(n, lucky);
    for (uint32_t i = 0; sum && i < n; i++) {
        sum->time[i] = later(clock_sure(a, i), clock_sure(b, i));
        if (lucky) sum->time[n + i] = later(clock_lucky(a, i), clock_lucky(b, i));
    }
    return sum;
}

Clock *clock_join_by_luck(Clock *a, Clock *b)
{
    uint32_t n = actors(a) > actors(b) ? actors(a) : actors(b);
    bool more = false;
    for (uint32_t i = 0; i < n && !more; i++) more = clock_lucky(b, i) > clock_lucky(a, i);
    if (!more) return clock_ref(a);
    Clock *sum = make(n, true);
    for (uint32_t i = 0; sum && i < n; i++) {
        sum->time[i] = clock_sure(a, i);
        sum->time[n + i] = later(clock_lucky(a, i), clock_lucky(b, i));
    }
    return sum;
}

Clock *clock_make(const Clock *a, const Clock *b, ClockPoint x, ClockPoint y)
{
    uint32_t n = actors(a) > actors(b) ? actors(a) : actors(b);
    if (x.actor >= n) n = x.actor + 1;
    if (y.actor >= n) n = y.actor + 1;
    bool lucky = (a && a->lucky) || (b && b->lucky);
    Clock *sum = make(n, lucky);
    if (!sum) return NULL;
    for (uint32_t i = 0; i < n; i++) {
        sum->time[i] = later(clock_sure(a, i), clock_sure(b, i));
        if (lucky) sum->time[n + i] = later(clock_lucky(a, i), clock_lucky(b, i));
    }
    ClockPoint points[] = {x, y};
    for (int k = 0; k < 2; k++) {
        uint32_t actor = points[k].actor;
        sum->time[actor] = later(sum->time[actor], points[k].time);
        if (lucky) sum->time[n + actor] = later(sum->time[n + actor], points[k].time);
    }
    return sum;
}
