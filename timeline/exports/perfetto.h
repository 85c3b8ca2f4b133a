/* perfetto.h - a trace as Chrome trace-event JSON, which ui.perfetto.dev and chrome://tracing load
 * as it is. */
#ifndef THREELANE_PERFETTO_H
#define THREELANE_PERFETTO_H
#include <stdio.h>
#include "timeline/trace/trace.h"

/* One process for the host (its threads with NVTX ranges and API calls) and one per device (a
 * thread per stream). Arrows lead from what an operation waited for to the operation; its arguments
 * say what it was, where it was issued and why it waited. 0, or -1 when the stream reports an error
 * or memory is short. */
int perfetto_write(FILE *, const Trace *);
#endif
