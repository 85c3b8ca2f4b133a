/* analysis.h - what a trace says: intervals, overlaps, makespans and the reason for every wait.
 * Pure functions over a Trace; nothing here prints or allocates unless it says so. */
#ifndef THREELANE_ANALYSIS_H
#define THREELANE_ANALYSIS_H
#include "timeline/trace.h"

/* True when op was issued while the range was open, by any thread (a host function's ops do not exist: it may not
 * call CUDA). range 0: always. */
bool analysis_in_range(const Trace *, uint32_t range, uint32_t op);
/* The first range of that name, or 0; the nth (from 0) with analysis_range_nth. */
uint32_t analysis_range(const Trace *, const char *name);
uint32_t analysis_range_nth(const Trace *, const char *name, uint32_t nth);

/* From the first start to the last end of the range's work (markers excluded); 0 when there is none. */
uint64_t analysis_makespan_ns(const Trace *, uint32_t range);

/* Nanoseconds in which at least two engines were busy / each pair; busy time of one engine. */
uint64_t analysis_engine_busy_ns(const Trace *, uint32_t range, uint32_t engine);

/* One sentence: why the op did not start earlier, in the trace's unit, with the source line of the op that it
 * waited for or of its own issue: "H2D1 waited 1.0 unit for K0: both are in stream 0 (ex43.cu:21)".
 * "H2D0 did not wait" when it started as it was issued. Returns text. */
const char *analysis_explain(const Trace *, uint32_t range, uint32_t op, char *text, size_t text_size);

/* The cause that decided (the last to end), or NULL when it did not wait. */
const TraceCause *analysis_decisive_cause(const Trace *, uint32_t op);
#endif
