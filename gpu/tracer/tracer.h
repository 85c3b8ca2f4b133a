/* tracer.h - what the files of the tracer share. It is a library that the CUDA driver loads into a
 * program (CUDA_INJECTION64_PATH) and NVTX as well (NVTX_INJECTION64_PATH); THREELANE_TRACE names
 * the file to write.
 *
 *   lifecycle.c     the file, the thread that writes it, the program's end: by exit, by a signal,
 *                   by fork
 *   cupti.c         calls and work, from CUPTI (opened at run time)
 *   tracer_nvtx.c   ranges, marks and names, from NVTX's own interface
 */
#ifndef THREELANE_TRACER_H
#define THREELANE_TRACER_H
#include "gpu/tracer/recorder.h"

/* lifecycle.c */

/* The one recording, made on first use by whoever comes first; NULL when there is nothing to write
 * to (then why has been said on the error output) and in a forked child. */
Recorder *tracer_recorder(void);
/* The calling thread's number in the recording. */
uint32_t tracer_thread(void);
/* The same for a thread of the driver. */
uint32_t tracer_driver_thread(void);
/* Nanoseconds of the trace's clock. */
uint64_t tracer_clock(void);

/* cupti.c */

/* Hands in what CUPTI has gathered; all: also what is not complete. */
void tracer_flush(bool all);
/* Adds to the trace, as notes, what tracing and the driver did on the program's time. Once, after
 * the last flush. */
void tracer_sums(void);
/* The number of a stream's handle; false where CUPTI does not know it. */
bool tracer_stream_number(void *handle, uint32_t *context, uint32_t *stream);
/* No callback does anything from now on. */
void tracer_stop(void);
#endif
