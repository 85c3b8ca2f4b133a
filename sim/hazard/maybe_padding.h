/* maybe_padding.h - bytes of host memory that came from device memory which nobody had written, and
 * that may be padding.
 *
 * A copy to the host may carry a few unwritten bytes: the gaps of a struct, which nobody will look
 * at, or an element that a kernel forgot. The gap is remembered; when host code reads it, the copy
 * is reported (uninitialised).
 */
#ifndef THREELANE_MAYBE_PADDING_H
#define THREELANE_MAYBE_PADDING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "timeline/trace/trace.h"

typedef struct MaybePadding {
    uintptr_t host, device; /* where the gap is now, and where it came from */
    size_t bytes;
    uint32_t op, stream; /* of the copy */
    TraceSite site;
} MaybePadding;

extern uint32_t doubts; /* how many there are */
/* Some are forgotten when there are too many. */
void maybe_padding_add(const MaybePadding *);
/* Memory of the host gets new contents. */
void maybe_padding_clear(uintptr_t host, size_t bytes);
/* Host code reads or writes; call it only when there are any. */
void maybe_padding_access(uintptr_t address, size_t bytes, bool write, const void *pc);
#endif
