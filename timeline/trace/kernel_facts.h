/* kernel_facts.h - what a trace says of the inside of a kernel (`inside` in FORMAT.md): how often
 * it loads memory, how far ahead of each other its warps may be. Pure functions over a Trace. */
#ifndef THREELANE_KERNEL_FACTS_H
#define THREELANE_KERNEL_FACTS_H
#include "timeline/trace/analysis.h"

/* The fact of that kind; NULL: not known of this operation. */
const TraceInside *kernel_facts_of(const Trace *, uint32_t op, TraceInsideKind);

/* Bytes loaded, of what the operations in `from` wrote (NULL: of anything), are added to *bytes;
 * how many are different, to *different. False when there are none. */
bool kernel_facts_loads(const Trace *, uint32_t op, const AnalysisSet *from, double *bytes,
                        double *different);

/* How far the warps that `ahead` ("load", "compute") may be ahead of those that `of` ("compute",
 * "store"); NULL: there are no such warps. And in tiles, when a block has so many. */
const TraceInside *kernel_facts_lead(const Trace *, uint32_t op, const char *ahead, const char *of);
double kernel_facts_tiles(const TraceInside *, double tiles);
#endif
