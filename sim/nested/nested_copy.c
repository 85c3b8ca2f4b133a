/* nested_copy.c - copies and sets that device code asks for: grids of one thread, of our own. */
#include "sim/nested/nested_internal.h"
#include <string.h>
#include "sim/include/threelane/self.h"

/* Rows of bytes, from there or all of one value. */
typedef struct Rows {
    char *to;
    const char *from; /* NULL: a set */
    size_t to_pitch, from_pitch, width, height;
    int value;
    const void *pc;
} Rows;

static void run(void *closure)
{
    const Rows *rows = closure;
    for (size_t y = 0; rows->width && y < rows->height; y++) {
        char *to = rows->to + y * rows->to_pitch;
        const char *from = rows->from + (rows->from ? y * rows->from_pitch : 0);
        if (rows->from) exec_access((uintptr_t)from, rows->width, false, rows->pc);
        exec_access((uintptr_t)to, rows->width, true, rows->pc);
        if (rows->from) memmove(to, from, rows->width);
        else memset(to, rows->value, rows->width);
    }
}

static cudaError_t add(const char *name, const Rows *rows, cudaStream_t stream, ThreelaneSite at)
{
    const ExecLaunch *kernel = exec_current();
    TraceSite site = {at.file, (uint32_t)at.line};
    nested_permit("copies or sets memory with a call", site);
    if (!nested_stream_is(stream)) return nested_failed(cudaErrorInvalidResourceHandle);
    if (rows->height > 1 &&
        (rows->to_pitch < rows->width || (rows->from && rows->from_pitch < rows->width)))
        return nested_failed(cudaErrorInvalidPitchValue);
    Rows *closure = threelane_closure_new(sizeof *closure);
    *closure = *rows;
    exec_closure_made();
    nested_add(&(ExecLaunch){.name = name,
                             .grid = {1, 1, 1},
                             .block = {1, 1, 1},
                             .device = kernel->device,
                             .site = site,
                             .op = kernel->op,
                             .stream = kernel->stream,
                             .run_block = run,
                             .closure = closure,
                             .destroy = threelane_closure_free},
               1, (uintptr_t)stream);
    return cudaSuccess;
}

cudaError_t nested_copy(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, cudaStream_t stream, ThreelaneSite at)
{
    if (width && height && (!to || !from)) return nested_failed(cudaErrorInvalidValue);
    return add("cudaMemcpyAsync",
               &(Rows){.to = to,
                       .from = from,
                       .to_pitch = to_pitch,
                       .from_pitch = from_pitch,
                       .width = width,
                       .height = from ? height : 0},
               stream, at);
}

cudaError_t nested_set(void *to, size_t pitch, int value, size_t width, size_t height,
                       cudaStream_t stream, ThreelaneSite at)
{
    if (width && height && !to) return nested_failed(cudaErrorInvalidValue);
    return add(
        "cudaMemsetAsync",
        &(Rows){.to = to, .to_pitch = pitch, .width = width, .height = height, .value = value},
        stream, at);
}
