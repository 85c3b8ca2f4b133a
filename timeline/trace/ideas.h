/* ideas.h - which questions make sense about an operation, a call or a run: what if it were
 * otherwise? Found in the trace alone; who makes calls again (grader/whatif) takes the words of
 * `change`. Pure. */
#ifndef THREELANE_IDEAS_H
#define THREELANE_IDEAS_H
#include "timeline/trace/labels.h"

enum { IDEAS = 16 };

typedef struct Idea {
    char change[200]; /* "stream op:17=new" */
    char words[200];  /* "H2D1 in a stream of its own" */
} Idea;

/* At most IDEAS of them; returns how many. labels: of the range that is looked at. */
uint32_t ideas_of_op(const Trace *, const Labels *, uint32_t op, Idea *);
uint32_t ideas_of_call(const Trace *, uint32_t call, Idea *);
/* Of everything that was issued in the labels' range. */
uint32_t ideas_of_run(const Trace *, const Labels *, Idea *);

/* Does the call only wait: a cuda*Synchronize, or a stream's wait for an event? */
bool ideas_is_wait(const TraceCall *);
#endif
