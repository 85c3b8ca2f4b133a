/* show.h - drawing a trace for a person. */
#ifndef THREELANE_SHOW_H
#define THREELANE_SHOW_H
#include "common/terminal.h"
#include "grader/commands/command_options.h"
#include "timeline/trace/trace.h"

/* Lanes of one range (0: of the whole run), drawn for the terminal; at least least_ns from left to
 * right. */
void show_lanes(const Terminal *, const Trace *, uint32_t range, uint64_t least_ns);

/* The range that --range names, 0 for the whole run: that of the name `usual` (NULL: none) where it
 * was not asked for. 0, or a status when there is no such range; it is told which there are. */
int show_range(const Options *, const Trace *, const char *path, const char *usual,
               uint32_t *range);
#endif
