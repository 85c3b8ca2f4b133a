/* time_spent.h - how much of its time a program has taken: a process, its threads and all that it
 * has started.
 *
 * The time that counts is what it computes (processor time, added up over threads) and what it
 * waits while nothing of it wants a processor: a loop without end and a wait without end both come
 * to their limit, and a program that is ready but has to wait because the machine is busy with
 * others does not. On a machine that has nothing else to do, this is the time by the clock. */
#ifndef THREELANE_TIME_SPENT_H
#define THREELANE_TIME_SPENT_H
#include <stdbool.h>
#include <sys/types.h>

typedef struct TimeSpent {
    double computed, waited; /* seconds */
    double looked;           /* when it was last looked at; 0: never */
} TimeSpent;

/* Looks at it, when it has not been looked at for a moment (TIME_SPENT_MS). now: seconds of the
 * monotonic clock, which do not go back. True when it has spent more than `limit` seconds. A
 * process that has ended spends nothing. */
bool time_spent_more(TimeSpent *, pid_t pid, double now, double limit);

enum { TIME_SPENT_MS = 20 };

/* Whatever it spends, by the clock a program may take this many times its limit: a hostile one may
 * hide from being looked at. Large, so that it ends nothing that is only slow. */
#define TIME_SPENT_CLOCK_FACTOR 30.0
#endif
