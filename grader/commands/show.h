/* show.h - drawing a trace for a person. */
#ifndef THREELANE_SHOW_H
#define THREELANE_SHOW_H
#include "common/terminal.h"
#include "timeline/trace/trace.h"

/* Lanes of one range (0: of the whole run), drawn for the terminal; at least least_ns from left to
 * right. */
void show_lanes(const Terminal *, const Trace *, uint32_t range, uint64_t least_ns);
#endif
