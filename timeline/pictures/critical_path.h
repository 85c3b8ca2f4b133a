/* critical_path.h - why it happened when it happened: from an operation back to what it waited for,
 * and on to the start.
 *
 * A step back goes to the operation whose end let this one start (its decisive cause). Where the
 * host had not issued it yet, because a call of its thread was waiting, it goes to the operation
 * whose end let that call return.
 */
#ifndef THREELANE_CRITICAL_PATH_H
#define THREELANE_CRITICAL_PATH_H
#include <stdbool.h>
#include <stdint.h>
#include "timeline/trace/trace.h"

/* What op waited for, or 0. *call: the call that held the host up meanwhile, or 0. */
uint32_t critical_path_back(const Trace *, uint32_t op, uint32_t *call);

/* Where a critical path ends: is op a better end than other? It ends later, or as late and was
 * issued later. */
bool critical_path_later(const Trace *, uint32_t op, uint32_t other);

/* When everything that op depends on was done: from then on only its engine, room on the device or
 * the like was missing. Its issue when it depends on nothing. */
uint64_t critical_path_ready_ns(const Trace *, uint32_t op);

/* The critical path: from the operation that ends last back to the start, in pieces. */
typedef struct CriticalPath {
    uint8_t *on;                      /* a bit per op */
    uint32_t n_ops, last, at, length; /* last: the op that ends last; at: the next to be marked, 0
                                         when done */
    uint32_t seen;                    /* of n_ops, while the last one is looked for */
    bool done;
} CriticalPath;

/* False when out of memory. */
bool critical_path_start(CriticalPath *, const Trace *);
/* Marks up to so many operations; done is set at the end. */
void critical_path_go(CriticalPath *, const Trace *, uint32_t steps);
bool critical_path_has(const CriticalPath *, uint32_t op);
void critical_path_release(CriticalPath *);
#endif
