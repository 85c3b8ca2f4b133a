/* array_copy.h - copies of boxes: between memory with rows and slices, and arrays. */
#ifndef THREELANE_ARRAY_COPY_H
#define THREELANE_ARRAY_COPY_H
#include "sim/api/api_copy.h"
#include "sim/array/array.h"

/* One end of a copy: where it begins, and how its rows and slices follow each other, in bytes. */
typedef struct BoxEnd {
    bool in_array;
    char *at;
    size_t pitch, slice;
} BoxEnd;
typedef struct BoxSize {
    size_t width, height, depth; /* bytes, rows, slices */
} BoxSize;

/* The end that begins at x (bytes), y, z of an array; false: the box does not fit there. */
bool box_in_array(BoxEnd *, const Array *, size_t x, size_t y, size_t z, const BoxSize *);

/* kind, async, peer: as of a Copy. */
cudaError_t box_copy(Call *, const BoxEnd *to, const BoxEnd *from, const BoxSize *,
                     enum cudaMemcpyKind kind, bool async, bool peer, const Stream *);
#endif
