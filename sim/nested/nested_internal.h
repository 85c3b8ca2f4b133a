/* nested_internal.h - what the files of sim/nested share. */
#ifndef THREELANE_NESTED_INTERNAL_H
#define THREELANE_NESTED_INTERNAL_H
#include "sim/exec/exec.h"
#include "sim/nested/nested.h"

/* Ends the program, or the kernel, where it is graded without trust. what: "launches a kernel". */
void nested_permit(const char *what, TraceSite);
/* A stream that device code may use? */
bool nested_stream_is(cudaStream_t);
/* The running thread has launched this; takes over the closure. waves: as of a Kernel (work.h). */
void nested_add(const ExecLaunch *, uint32_t waves, uintptr_t stream);
#endif
