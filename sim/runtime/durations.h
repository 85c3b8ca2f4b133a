/* durations.h - how long kernels lasted in a recorded run. */
#ifndef THREELANE_DURATIONS_H
#define THREELANE_DURATIONS_H
#include <stdbool.h>
#include "timeline/trace/trace.h"

/* Reads the trace that THREELANE_KERNELS names (NULL or "": none); ends the program when it is none
 * or has no kernel. */
void durations_open(const char *path);
/* How long this launch lasted there: the n-th of a kernel of that shape here takes the time of the
 * n-th there, those beyond what was recorded its median. *estimate is set when only launches of
 * another shape were recorded: scaled by the number of blocks. False when nothing is known about
 * the kernel. */
bool durations_next(const char *kernel, TraceDim grid, TraceDim block, uint64_t *ns,
                    bool *estimate);
#endif
