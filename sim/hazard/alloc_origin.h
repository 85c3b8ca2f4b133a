/* alloc_origin.h - what the program calls the memory that a report is about: the variable in the
 * text of the call that allocated it, or, for memory from a function of the program that allocates
 * for others, what its caller calls it.
 *
 * A name is said when it is certain. Where a line has several allocating calls, which one it was is
 * known by the return addresses of the calls so far, first come first in the text; with conditions
 * on the line, or more addresses than calls, there is no name. All functions are called with the
 * baton held (host.h).
 */
#ifndef THREELANE_ALLOC_ORIGIN_H
#define THREELANE_ALLOC_ORIGIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "timeline/trace/trace.h"

/* Memory is allocated there, by that call, reached by these return addresses (innermost first): a
 * number by which alloc_origin_name knows it; 0 when there are too many. `call` and the site's file
 * live as long as the program. */
enum { ALLOC_ORIGIN_DEPTH = 16 };
unsigned alloc_origin_know(TraceSite, const char *call, const void *const *pcs, size_t n);

/* The places in the program's own source that return addresses stand for, innermost first: a call
 * that was inlined has several. pc: which of the addresses. Tells how many there are; slow. */
typedef struct AllocOriginFrame {
    char file[256], function[128];
    uint32_t line;
    size_t pc;
} AllocOriginFrame;
typedef size_t AllocOriginFrames(const void *const *pcs, size_t n, AllocOriginFrame *frames,
                                 size_t most);

typedef struct AllocOrigin {
    TraceSite made;   /* the call that allocated it; of a copy, for pageable memory */
    const char *call; /* its name */
    unsigned trail;   /* of alloc_origin_know; 0: none */
    bool pageable;
    int argument; /* of pageable memory: which argument of the copy it is */
} AllocOrigin;

/* frames: NULL, or how return addresses are looked up. False: no name is certain (name is then
 * empty). caller: file NULL unless the memory was made for a caller whose place says more; the file
 * is owned by this module. */
bool alloc_origin_name(const AllocOrigin *, AllocOriginFrames *frames, char *name, size_t size,
                       TraceSite *caller);

/* A line of a source file; false: it is not there. */
bool alloc_origin_line(TraceSite, char *text, size_t size);
#endif
