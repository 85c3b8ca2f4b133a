/* trace_write.h - writing a trace (FORMAT.md), fast enough for 5 million engine events a second.
 *
 * A writer formats into a buffer and writes it out when it is full, on trace_write_flush and on
 * close. No function here allocates per record or fails in the middle of a record: the first write
 * error is kept, reported by trace_write_error, and everything after it is dropped. Strings are
 * escaped as FORMAT.md says. Not thread-safe.
 */
#ifndef THREELANE_TRACE_WRITE_H
#define THREELANE_TRACE_WRITE_H
#include "timeline/trace/trace.h"

typedef struct TraceWriter TraceWriter;

/* Takes over the descriptor and writes the header line. NULL when out of memory. */
TraceWriter *trace_write_open(int fd);
void trace_write_flush(TraceWriter *);
/* Flushes, closes, frees. Returns 0, or the errno of the first failed write. */
int trace_write_close(TraceWriter *);
int trace_write_error(const TraceWriter *);

void trace_write_meta(TraceWriter *, const char *key, const char *value);
void trace_write_meta_u64(TraceWriter *, const char *key, uint64_t value);
void trace_write_device(TraceWriter *, uint32_t id, const char *name);
void trace_write_engine(TraceWriter *, uint32_t id, uint32_t device, TraceEngineClass,
                        const char *name);
/* An engine of class link, from device to device. */
void trace_write_link(TraceWriter *, uint32_t id, uint32_t from, uint32_t to, const char *name);
void trace_write_thread(TraceWriter *, uint32_t id, TraceThreadRole, const char *name);
void trace_write_stream(TraceWriter *, uint32_t id, uint32_t device, TraceStreamFlavour,
                        int priority, uint64_t created_ns, TraceSite, const char *name);
void trace_write_streamend(TraceWriter *, uint32_t stream, uint64_t ns, TraceSite);
void trace_write_name(TraceWriter *, const char *what, uint32_t id, const char *name);
void trace_write_call(TraceWriter *, uint32_t id, uint32_t thread, const char *name,
                      uint64_t start_ns, TraceSite, TraceSide by);
void trace_write_ret(TraceWriter *, uint32_t call, uint64_t end_ns, int32_t result);
void trace_write_alloc(TraceWriter *, uint32_t id, uint32_t call, TraceMemory, uint64_t address,
                       uint64_t bytes);
void trace_write_free(TraceWriter *, uint32_t alloc, uint32_t call);
void trace_write_event(TraceWriter *, uint32_t id, uint32_t call);
void trace_write_eventend(TraceWriter *, uint32_t event, uint32_t call);
/* Writes op's `op` record from kind, call, device, stream, issued_ns, bytes, from, to, grid, block,
 * shared_bytes, event, name and launch; times and causes are records of their own. */
void trace_write_op(TraceWriter *, uint32_t id, const TraceOp *);
void trace_write_inside(TraceWriter *, const TraceInside *);
void trace_write_uses(TraceWriter *, uint32_t op, bool write, uint32_t alloc, uint64_t offset,
                      uint64_t bytes);
void trace_write_start(TraceWriter *, uint32_t op, uint64_t ns, uint32_t engine);
void trace_write_why(TraceWriter *, uint32_t op, TraceCauseKind, uint32_t by_op, uint64_t until_ns);
void trace_write_moment(TraceWriter *, uint32_t op, TraceMomentKind, uint64_t ns);
void trace_write_end(TraceWriter *, uint32_t op, uint64_t ns);
void trace_write_range(TraceWriter *, uint32_t id, uint32_t thread, uint64_t start_ns,
                       const char *name, TraceSide by);
void trace_write_rangeend(TraceWriter *, uint32_t range, uint64_t ns);
void trace_write_mark(TraceWriter *, uint32_t thread, uint64_t ns, const char *name, TraceSide by);
/* Of notes and hazards, texts may be NULL: none. */
void trace_write_note(TraceWriter *, const TraceNote *);
void trace_write_hazard(TraceWriter *, const TraceHazard *);
/* A return address of a call stack whose source line is still to be found: see FORMAT.md. */
void trace_write_frame(TraceWriter *, uint32_t stack, uint64_t offset, const char *file);
void trace_write_exit(TraceWriter *, uint64_t ns, int status);
#endif
