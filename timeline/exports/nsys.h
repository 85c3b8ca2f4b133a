/* nsys.h - traces as Nsight Systems' SQLite files, both ways.
 *
 * NVIDIA's profiler keeps what it recorded in a .nsys-rep file; `nsys export --type sqlite` turns
 * that into a database, whose tables NVIDIA documents ("SQLite Schema Reference" in the Nsight
 * Systems user guide). EXPORTS.md says which of them are read and written, and what gets lost.
 *
 * Needs SQLite when it is built; without it every function says so and nothing else is missing. */
#ifndef THREELANE_NSYS_H
#define THREELANE_NSYS_H
#include <stdio.h>
#include "timeline/trace/trace.h"

/* True when SQLite was there when this was built. */
bool nsys_available(void);

/* An SQLite database, by its first bytes. */
bool nsys_is_database(const char *path);

/* Any file that can be shown: a trace, or an Nsight Systems database, told apart by their content.
 * Reasons are inferred where the trace has none (infer.h). NULL and one line in error as
 * trace_read. */
Trace *nsys_open(const char *path, char *error, size_t error_size);

/* Reads a database into a trace (backend cuda, without causes). Tables and columns that a version
 * of the profiler does not have are done without. NULL and one line in error when it is not such a
 * database, damaged, holds nothing of CUDA, or memory is short. Memory is proportional to the size
 * of the file. */
Trace *nsys_read(const char *path, char *error, size_t error_size);

/* Writes a trace as a database. The database is built in a temporary file ($TMPDIR, or /tmp) and
 * then copied to out. 0; or -1 and one line in error. */
int nsys_write(FILE *out, const Trace *, char *error, size_t error_size);
#endif
