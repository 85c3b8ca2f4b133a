/* api_copy.h - one description for every form of copy: flat, pitched, to and from symbols. */
#ifndef THREELANE_API_COPY_H
#define THREELANE_API_COPY_H
#include "sim/api/api.h"

typedef struct Copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height; /* height 1: pitches do not matter */
    size_t depth, to_slice, from_slice; /* so many of these, so far from each other; depth 0: one */
    enum cudaMemcpyKind kind;
    bool async, pitched, peer; /* peer: the call names the devices */
    bool now;                  /* a source in host memory is read before the call returns */
    const Stream *stream;
} Copy;

/* Checks the copy as CUDA does, submits it, and waits as long as this kind of copy makes its caller
 * wait. */
cudaError_t copy_run(Call *, const Copy *);

/* The same for sets: of a value of 1, 2 or 4 bytes, again and again. */
typedef struct Set {
    char *to;
    uint32_t value;
    unsigned element;            /* bytes of the value */
    size_t pitch, width, height; /* in bytes; height 1: the pitch does not matter */
    size_t depth, slice;         /* as of a copy */
    bool async;
    cudaStream_t handle;
    const Stream *stream; /* NULL: the handle's */
} Set;
cudaError_t set_run(Call *, const Set *);
#endif
