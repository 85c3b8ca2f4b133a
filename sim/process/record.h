/* record.h - the trace as an observer of the runtime (timeline/trace/FORMAT.md). */
#ifndef THREELANE_RECORD_H
#define THREELANE_RECORD_H
#include <stdbool.h>
#include "sim/hazard/hazard_report.h"
#include "timeline/trace/trace.h"

/* where: a path or fd:N; ends the program when it cannot be written. */
void record_open(const char *where);
/* crashed: only what a signal handler may do is done. */
void record_close(int status, bool crashed);
/* This process is a copy of the one that writes the trace, and closes it in its stead. */
void record_take_over(void);
/* From here on nothing that happens is written; or it is again. */
void record_pause(bool pause);
/* Host threads, as the host room makes them. */
void record_thread(uint32_t id, TraceThreadRole, const char *name);
/* What the checker has found. Nothing happens when no trace is written. */
HazardRecord record_hazard;
#endif
