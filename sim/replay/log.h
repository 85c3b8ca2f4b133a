/* log.h - the program log: what the student's part of a program did, noted by the box and played
 * again by the player.
 *
 * Written when THREELANE_LOG names a file, or an open one (fd:4). It is the account that a program
 * which nobody trusts gives of itself; what it says is worth nothing until player.c has made the
 * same calls (grader/TRUST.md). Text, a record a line, in the order in which things happened;
 * numbers are hexadecimal except where said:
 *   threelane-log 1 BASE                     BASE: where the arena of device and pinned memory lies
 *   THREAD NS VERB ...                       (decimal) the thread, its virtual time when it began
 *                                            this
 *     main                                   the harness's main begins; what is before it ran
 *                                            before main
 *     in FUNCTION VALUE...                   the harness calls the student's FUNCTION
 *     out VALUE                              it returns
 *     own FUNCTION VALUE...                  the student calls the harness's FUNCTION
 *     call NAME LINE WORD...                 a CUDA call at LINE (decimal; 0: unknown) of the
 *                                            student's file; WORDs as the letters of its row in
 *                                            calls.def say
 *     push LINE GX GY GZ BX BY BZ SHARED STREAM    a launch's configuration; a launch with
 *                                            attributes: and N ATTRIBUTE..., N (hexadecimal) as
 *                                            the program gave it, ATTRIBUTE its ID ":" BYTES, or
 *                                            "-" alone for a list at NULL
 *     kernel NAME VALUE...                   ... and its kernel; missing when the launch was
 *                                            refused. ~NAME: one of the student's own. A last
 *                                            word "c:" BYTES: the three sides of the clusters that
 *                                            it was declared with
 *     other NAME                             a call that is harmless, or cannot be made again
 *     fn TOKEN, end                          the host function that the TOKEN-th enqueuing call
 *                                            brought, and its end
 *     thread                                 a thread of the student's begins
 *     release OBJECT, acquire OBJECT         what the thread did so far comes before what one does
 *                                            that acquires the same object later (a lock, an
 *                                            atomic, a thread's end)
 *     copy TO FROM BYTES, set TO BYTE BYTES  host code copied, or filled, memory
 *     wrote TO BYTES                         host code wrote, and it was no copy
 *     range TEXT, pop, begin TEXT, finish ID, mark TEXT    NVTX; text as hexadecimal bytes
 *   VALUE: n BYTES (number), p ADDRESS, o ADDRESS BYTES (pointer to a struct, and what is in it;
 *   BYTES "-": not known),
 *     b BYTES (struct), v (nothing), joined by ':'
 *
 * "Student" below: the calling thread runs the student's code, not the harness's. */
#ifndef THREELANE_LOG_H
#define THREELANE_LOG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/include/driver_types.h"
#include "sim/include/threelane/api.h"
#include "timeline/trace/trace.h"

bool log_student(void);
/* A call of the API by the student; arguments as calls.def says. */
void log_call(const char *name, ThreelaneSite, ...);
void log_given(const void *address);
/* A launch: its configuration; its parameters, when the kernel's function begins; its kernel. */
void log_push(ThreelaneSite, TraceDim grid, TraceDim block, size_t shared, const void *stream,
              const cudaLaunchAttribute *, unsigned n_attributes);
bool log_wants_parameters(void);
void log_parameters(void *const *at, const size_t *bytes, size_t n);
void log_kernel(const char *name, bool own, TraceDim cluster);
/* The number of the student's host function that the call just noted enqueues; 0: it is not the
 * student's. */
uint32_t log_take_token(void);
void log_host_function(uint32_t token);
void log_host_function_end(void);
/* NVTX; text may be NULL for verbs without one. */
void log_nvtx(const char *verb, const char *text, uint64_t id);
/* What is buffered goes into the file. Safe in a signal handler. */
void log_flush(void);
#endif
