/* origin.h - what the program calls the memory that a report is about: the variable in the text of the call that
 * allocated it, or, for memory from a function of the program that allocates for others, what its caller calls it.
 *
 * A name is said when it is certain. Where a line has several allocating calls, which one it was is known by the return
 * addresses of the calls so far, first come first in the text; with conditions on the line, or more addresses than
 * calls, there is no name. All functions are called with the baton held (host.h).
 */
#ifndef THREELANE_ORIGIN_H
#define THREELANE_ORIGIN_H
#include "sim/hazard/hazard_report.h"
#include <stdbool.h>
#include <stddef.h>

/* Memory is allocated there, by that call, reached by these return addresses (innermost first): a number by which
 * origin_name knows it; 0 when there are too many. `call` and the site's file live as long as the program. */
enum { ORIGIN_DEPTH = 16 };
unsigned origin_know(TraceSite, const char *call, const void *const *pcs, size_t n);

/* call: that allocated it. frames: NULL, or how return addresses are looked up. False: no name is certain (name is
 * then empty). caller: file NULL unless the memory was made for a caller whose place says more; the file is owned by
 * this module. */
bool origin_name(const HazardMemory *, const char *call, HazardFrames *frames, char *name, size_t size,
                 TraceSite *caller);
#endif
