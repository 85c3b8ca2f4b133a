/* spread.h - items of work, in ascending order, over the machine's processors.
 *
 * The caller of spread_begin and a helper on each other processor take items: the lowest that
 * nobody has. What must happen in the one order, that of one thread that does all items, waits for
 * its turn: until all lower items have ended. The lowest item never waits, so everything ends.
 *
 * Helpers are OS threads of their own, which no program sees: they hold no baton (host.h), block
 * every signal that can be blocked, and call nothing of the program's but what the work calls. They
 * are made when they are first wanted and then kept. One job at a time, begun on one thread.
 */
#ifndef THREELANE_SPREAD_H
#define THREELANE_SPREAD_H
#include <stdbool.h>
#include <stdint.h>

enum { SPREAD_MOST = 64 }; /* threads */

typedef struct SpreadJob {
    uint64_t first, end;
    uint64_t chunk;      /* so many items at once, which then wait for their turn together */
    void (*work)(void);  /* of a helper: as long as spread_next gives it items */
    void (*leave)(void); /* on a thread that waits for its turn and will not get it any more; does
                            not return there, and work does */
} SpreadJob;

/* How many threads may work, helpers and the caller: as many as THREELANE_CORES says, or as the
 * process may use processors. 1: nothing is spread. */
unsigned spread_width(void);
/* It says so of work, too, that is not worth the while: for tests. */
bool spread_always(void);
/* True from spread_begin to spread_end. */
extern bool spread_on;
/* False: no helper can be had, and nothing has begun. */
bool spread_begin(const SpreadJob *);
/* The calling thread has ended its item: its next one. False: there is none, or spread_stop. */
bool spread_next(uint64_t *item);
/* Returns when all lower items have ended; at once, while nothing is spread. */
void spread_turn(void);
static inline void spread_in_order(void)
{
    if (__builtin_expect(spread_on, 0)) spread_turn();
}
/* The caller has its turn, and no other thread is to go on: they leave when they wait, or have
 * ended their item. Returns when all have. */
void spread_stop(void);
/* The caller of spread_begin has no more items; returns when the helpers have none, too. */
void spread_end(void);
#endif
