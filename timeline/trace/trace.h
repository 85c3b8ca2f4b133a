/* trace.h - the one type every room shares: a timeline of one run.
 *
 * A Trace is what FORMAT.md describes, in memory. trace_read_* fill it from a file (whole,
 * truncated or still growing); trace_write.h writes one. Everything a person sees of a schedule is
 * drawn from this type.
 *
 * Units: *_ns are integer nanoseconds on the trace's clock, *_bytes are bytes. Ids start at 1; 0
 * means none. TRACE_OPEN_NS in start_ns / end_ns: not started / not ended when the trace was cut
 * off. A reference to something the file does not have is 0, and element 0 of every array may be
 * read: it is blank, as are elements whose ids the file skips (ops: kind TRACE_RECORD; names "").
 * Ownership: a Trace owns every string and array it points to; trace_free releases all. Arrays are
 * indexed by id (element 0 is unused) and stay valid until the next trace_read_more.
 */
#ifndef THREELANE_TRACE_H
#define THREELANE_TRACE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_FORMAT 1
#define TRACE_OPEN_NS UINT64_MAX

typedef enum TraceOpKind {
    TRACE_H2D,
    TRACE_D2H,
    TRACE_D2D,
    TRACE_H2H,
    TRACE_P2P,
    TRACE_MEMSET,
    TRACE_KERNEL,
    TRACE_HOSTFN,
    TRACE_RECORD,
    TRACE_WAIT,
    TRACE_ALLOC,
    TRACE_FREE,
    TRACE_GRAPH, /* a launch of a graph, or a node that holds nodes: from its beginning until
                    all of them have ended */
    TRACE_OP_KINDS
} TraceOpKind;

typedef enum TraceCauseKind {
    TRACE_BY_HOST,
    TRACE_BY_STREAM,
    TRACE_BY_EVENT,
    TRACE_BY_LEGACY,
    TRACE_BY_ENGINE,
    TRACE_BY_ROOM,
    TRACE_BY_GRIDS,
    TRACE_BY_QUEUE,
    TRACE_BY_DRIVER,
    TRACE_BY_LATENCY,
    TRACE_BY_MEMORY,
    TRACE_BY_POOL,
    TRACE_BY_GRAPH, /* an edge of a graph, or an earlier launch of it */
    TRACE_BY_TRIGGER,
    TRACE_CAUSE_KINDS
} TraceCauseKind;

typedef enum TraceEngineClass {
    TRACE_ENGINE_H2D,
    TRACE_ENGINE_D2H,
    TRACE_ENGINE_COPY,
    TRACE_ENGINE_COMPUTE,
    TRACE_ENGINE_HOST,
    TRACE_ENGINE_LINK,
    TRACE_ENGINE_CLASSES
} TraceEngineClass;

typedef enum TraceMemory {
    TRACE_MEM_NONE,
    TRACE_MEM_DEVICE,
    TRACE_MEM_PINNED,
    TRACE_MEM_PAGEABLE,
    TRACE_MEM_MANAGED,
    TRACE_MEM_REGISTERED,
    TRACE_MEMORIES
} TraceMemory;
typedef enum TraceStreamFlavour {
    TRACE_STREAM_LEGACY,
    TRACE_STREAM_PER_THREAD,
    TRACE_STREAM_BLOCKING,
    TRACE_STREAM_NONBLOCKING,
    TRACE_STREAM_FLAVOURS
} TraceStreamFlavour;
typedef enum TraceThreadRole {
    TRACE_THREAD_MAIN,
    TRACE_THREAD_HOST,
    TRACE_THREAD_DRIVER,
    TRACE_THREAD_ROLES
} TraceThreadRole;
/* Whose code did it, in an exercise: the harness's or the student's. NONE: a program without the
 * two, or a recorder that cannot tell them apart. */
typedef enum TraceSide {
    TRACE_SIDE_NONE,
    TRACE_SIDE_HARNESS,
    TRACE_SIDE_STUDENT,
    TRACE_SIDES
} TraceSide;
typedef enum TraceSeverity {
    TRACE_INFO,
    TRACE_WARNING,
    TRACE_ERROR,
    TRACE_SEVERITIES
} TraceSeverity;

/* What is known of the inside of a kernel. */
typedef enum TraceInsideKind {
    TRACE_INSIDE_BARRIERS,
    TRACE_INSIDE_READS,
    TRACE_INSIDE_WRITES,
    TRACE_INSIDE_LOAD_COMPUTE,
    TRACE_INSIDE_LOAD_STORE,
    TRACE_INSIDE_COMPUTE_STORE,
    TRACE_INSIDE_CLUSTER,
    TRACE_INSIDE_KINDS
} TraceInsideKind;

/* Of a kernel: when its blocks had all let dependent kernels begin; when a thread of it went on
 * that had waited for what it depends on. */
typedef enum TraceMomentKind {
    TRACE_MOMENT_TRIGGER,
    TRACE_MOMENT_DEPENDENCY,
    TRACE_MOMENT_KINDS
} TraceMomentKind;

/* The words FORMAT.md uses, by enum value; writer and reader share these tables. */
extern const char *const trace_op_word[TRACE_OP_KINDS];
extern const char *const trace_cause_word[TRACE_CAUSE_KINDS];
extern const char *const trace_moment_word[TRACE_MOMENT_KINDS];
extern const char *const trace_engine_word[TRACE_ENGINE_CLASSES];
extern const char *const trace_inside_word[TRACE_INSIDE_KINDS];
extern const char *const trace_memory_word[TRACE_MEMORIES];
extern const char *const trace_stream_word[TRACE_STREAM_FLAVOURS];
extern const char *const trace_thread_word[TRACE_THREAD_ROLES];
extern const char *const trace_side_word[TRACE_SIDES];
extern const char *const trace_severity_word[TRACE_SEVERITIES];

/* Traces have millions of operations, calls and causes: these are laid out without gaps. */
#define TRACE_DENSE __attribute__((packed, aligned(4)))
typedef struct TRACE_DENSE TraceSite {
    const char *file;
    uint32_t line;
} TraceSite; /* file NULL: unknown */
typedef struct TraceDim {
    uint32_t x, y, z;
} TraceDim; /* x 0: none */

typedef struct TraceMeta {
    const char *key, *value;
} TraceMeta;
typedef struct TraceDevice {
    const char *name;
} TraceDevice;
typedef struct TraceEngine {
    uint32_t device;
    TraceEngineClass class_;
    const char *name;
    uint32_t to; /* a link: the device that it copies to, from `device`; else 0 */
} TraceEngine;
typedef struct TraceThread {
    TraceThreadRole role;
    const char *name;
} TraceThread;
typedef struct TraceStream {
    uint32_t device;
    TraceStreamFlavour flavour;
    int priority;
    uint64_t created_ns;
    TraceSite site;
    const char *name; /* "" when never named */
    uint64_t destroyed_ns;
    TraceSite destroyed_site; /* TRACE_OPEN_NS: never destroyed */
} TraceStream;
typedef struct TraceCall {
    uint32_t thread;
    int32_t result;
    const char *name;
    uint64_t start_ns, end_ns;
    TraceSite site;
    TraceSide by;
} TraceCall;
typedef struct TraceAlloc {
    uint32_t call, free_call;
    TraceMemory kind;
    uint64_t address, bytes; /* free_call 0: never freed */
} TraceAlloc;
typedef struct TraceEvent {
    uint32_t call, end_call;
    const char *name;
} TraceEvent;
typedef struct TraceOp {
    TraceOpKind kind : 8;
    TraceMemory from : 8, to : 8;
    bool captured;
    uint32_t call, device, stream, engine, event;
    uint32_t launch; /* the op before this one whose node it is (kind TRACE_GRAPH), or whose threads
                        have launched it (TRACE_KERNEL) */
    TraceSite made;  /* of a node: where that was captured, or added by hand (its call is the
                        launch, and `captured` says which); file NULL: not known */
    TraceDim grid, block;
    uint32_t shared_bytes;
    uint32_t first_cause, n_causes; /* into Trace.causes */
    uint32_t first_use, n_uses;     /* into Trace.uses */
    const char *name;               /* kernels: the function; else "" unless the program named it */
    uint64_t issued_ns, start_ns, end_ns, bytes;
} TraceOp;
typedef struct TRACE_DENSE TraceCause {
    TraceCauseKind kind;
    uint32_t op, by_op;
    uint64_t until_ns;
} TraceCause;
/* Something that happened between an op's start and its end; in Trace.moments by op. */
typedef struct TraceMoment {
    uint32_t op;
    TraceMomentKind kind;
    uint64_t ns;
} TraceMoment;
typedef struct TraceUse {
    uint32_t op, alloc;
    bool write;
    uint64_t offset, bytes;
} TraceUse;
typedef struct TraceInside {
    uint32_t op, alloc;
    TraceInsideKind kind;
    uint64_t n, of, ns;
} TraceInside;
typedef struct TraceRange {
    uint32_t thread;
    uint64_t start_ns, end_ns;
    const char *name;
    /* Where calls cost no time, times alone cannot say what was issued inside. These are the ids
     * that came next when the range was opened and when it was closed (UINT32_MAX: still open): ids
     * first <= id < end lie between. */
    uint32_t first_op, end_op, first_call, end_call, end_range;
    TraceSide by; /* a student's ranges are drawn, and prove nothing (analysis.h) */
} TraceRange;
typedef struct TraceMark {
    uint32_t thread;
    uint64_t ns;
    const char *name;
    TraceSide by;
} TraceMark;
/* kind: what it is about, a word for programs ("" when it has none). by: who says so: "gpu" is the
 * virtual GPU, which has also printed it; "player" and "tracer" have not, where the program's
 * output is. "" in older traces. */
typedef struct TraceNote {
    TraceSeverity severity;
    uint64_t ns;
    TraceSite site;
    const char *text;
    const char *kind, *by;
} TraceNote;
/* text: the whole paragraph. headline, why and fix: parts of it, "" where there is none (and in
 * older traces). */
typedef struct TraceHazard {
    const char *kind;
    uint32_t op_a, op_b;
    TraceSite site_a, site_b;
    const char *text;
    bool note; /* no error: it is only worth knowing */
    const char *headline, *why, *fix;
} TraceHazard;

typedef struct Trace {
    /* counts are of elements 1..n; arrays have n + 1 elements */
    uint32_t n_metas, n_devices, n_engines, n_threads, n_streams, n_calls, n_allocs, n_events,
        n_ops, n_causes, n_uses, n_insides, n_moments, n_ranges, n_marks, n_notes, n_hazards;
    TraceMeta *metas;
    TraceDevice *devices;
    TraceEngine *engines;
    TraceThread *threads;
    TraceStream *streams;
    TraceCall *calls;
    TraceAlloc *allocs;
    TraceEvent *events;
    TraceOp *ops;
    TraceCause *causes;
    TraceUse *uses;
    TraceInside *insides; /* in the order of the file */
    TraceMoment *moments;
    TraceRange *ranges;
    TraceMark *marks;
    TraceNote *notes;
    TraceHazard *hazards;
    uint64_t last_ns; /* the latest time any record mentions */
    bool ended;
    int exit_status;        /* an `exit` record was read */
    bool truncated;         /* the file ends inside a record, or without `exit` */
    bool inferred;          /* the causes are not the recorder's: infer.h found them */
    uint64_t skipped_lines; /* records of unknown kind, or damaged */
    uint64_t damaged_line;  /* number of the first damaged line, 0 if none */
    uint64_t unit_ns;       /* set by trace_set_unit; 0: the file's */
    const char *unit_name;
    struct TraceReader *reader; /* private */
} Trace;

/* Reads a whole file (or what is there of it). Returns NULL and writes a one-line reason that says
 * what to do into error[error_size] when the file cannot be opened, is not a trace, or is of a
 * newer format. Damaged lines are counted and skipped, never fatal after the first line. */
Trace *trace_read(const char *path, char *error, size_t error_size);

/* Reads from memory; the bytes are copied. */
Trace *trace_parse(const void *text, size_t length, char *error, size_t error_size);

/* Reads what has been appended since; true if anything was. The path is the one given to
 * trace_read. */
bool trace_read_more(Trace *trace);

/* Adds causes to a trace that has been read (infer.h). False when memory is short. */
bool trace_add_causes(Trace *trace, const TraceCause *causes, uint32_t n);

void trace_free(Trace *trace);

/* When that happened in op; TRACE_OPEN_NS: it did not, or it is not known. */
uint64_t trace_moment_ns(const Trace *trace, uint32_t op, TraceMomentKind);

/* The value of a meta key, or NULL. */
const char *trace_meta(const Trace *trace, const char *key);

/* The trace's report unit: meta unit_ns (1,000,000 when absent), and its name ("ms" when
 * absent). */
uint64_t trace_unit_ns(const Trace *trace);
const char *trace_unit_name(const Trace *trace);
/* Another unit, for a trace of a real device, whose file only knows milliseconds. name: lives as
 * long as the trace. */
void trace_set_unit(Trace *trace, uint64_t ns, const char *name);
/* True when op was issued while the range was open, by any thread (a host function's ops do not
 * exist: it may not call CUDA). range 0: always. At equal times the order of the file decides. */
bool trace_in_range(const Trace *, uint32_t range, uint32_t op);
/* True when it was recorded on a real device. */
bool trace_measured(const Trace *trace);
/* True when its times are exact (meta exact is 1): those of a textbook model. */
bool trace_exact(const Trace *trace);

/* Of a call's name, what comes after "cuda", or after "cu" of the driver API: "StreamSynchronize";
 * NULL for what is no call of CUDA's. */
const char *trace_cuda_call(const char *name);
/* True for ops that take time on an engine (not record, wait, alloc, free markers, nor the launch
 * of a graph, which only lasts as long as its nodes). */
static inline bool trace_op_is_work(const TraceOp *op) { return op->kind <= TRACE_HOSTFN; }
/* True for ops that a picture shows: work, and launches of graphs as bands over their nodes. */
static inline bool trace_op_is_shown(const TraceOp *op)
{
    return trace_op_is_work(op) || op->kind == TRACE_GRAPH;
}
/* The launch that an op belongs to, as a node, or as a node of a graph that is one; 0: none. */
static inline uint32_t trace_launch(const Trace *t, uint32_t op)
{
    uint32_t launch = t->ops[op].launch; /* always one before it */
    while (launch && t->ops[launch].launch) launch = t->ops[launch].launch;
    return launch;
}
#endif
