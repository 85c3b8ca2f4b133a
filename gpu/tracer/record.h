/* record.h - what a traced program did, on its way into a trace.
 *
 * The program's threads append entries (calls, NVTX) as they happen; whatever listens to the device hands in work
 * (copies, sets, kernels) later, in any order, joined to its call by a correlation number. record_write turns both
 * into the records of FORMAT.md, in the order that it asks for, as far as things are settled: an entry is held back
 * for a short time while its work has not been reported, then written without it; what arrives later is appended.
 *
 * Nothing here knows CUPTI or CUDA, so that tests need neither. Appending takes one lock and no system call; memory
 * of what has been written and can have no more to say is given back.
 *
 * Threads: record_enter, record_leave, record_nvtx, record_work and record_text may be called from any thread at any
 * time. record_write is called by one thread at a time.
 */
#ifndef THREELANE_GPU_RECORD_H
#define THREELANE_GPU_RECORD_H
#include <stdatomic.h>
#include "timeline/trace_write.h"

#define RECORD_UNKNOWN UINT32_MAX           /* a stream or context that the call does not tell */

enum { RECORD_FRAMES = 12 };                /* of a call stack, innermost first */

typedef enum RecordWhat {
    RECORD_CALL,                            /* no more than a call */
    RECORD_OPS,                             /* work follows: a copy, set or kernel (op says which) */
    RECORD_GRAPH,                           /* work follows, how much is not known */
    RECORD_HOSTFN, RECORD_EVENT_RECORD, RECORD_EVENT_WAIT,
    RECORD_STREAM_NEW, RECORD_STREAM_END, RECORD_EVENT_NEW, RECORD_EVENT_END, RECORD_ALLOC, RECORD_FREE,
    RECORD_RANGE, RECORD_RANGE_END, RECORD_MARK, RECORD_NAME_STREAM, RECORD_NAME_THREAD
} RecordWhat;

/* Work that ran. Texts must live as long as the record (record_text). */
typedef struct RecordWork {
    struct RecordWork *next;
    struct RecordEntry *entry;              /* the call, where the reporter knows it; else found by correlation */
    uint32_t correlation;
    TraceOpKind kind;
    bool on_copy_engine;                    /* device-to-device: a copy engine did it, not the compute engine */
    uint32_t device, context, stream;       /* as the reporter numbers them */
    uint64_t start_ns, end_ns, bytes;
    TraceMemory from, to;
    TraceDim grid, block;
    uint32_t shared_bytes;
    const char *name;
} RecordWork;

typedef struct RecordEntry {
    RecordWhat what;
    TraceOpKind op;                         /* of RECORD_OPS: what it asked for; TRACE_OP_KINDS: not known */
    TraceStreamFlavour flavour;             /* of the stream */
    bool expects;                           /* the call asks for work that will be reported, unless it failed */
    atomic_bool returned, hosting;          /* hosting: its host function has begun */
    int32_t result, priority;
    uint32_t thread, correlation, stack;
    uint32_t context, stream, device;       /* as the reporter numbers them; RECORD_UNKNOWN */
    const char *name, *symbol;              /* of the call or range; of the kernel, as the compiler wrote it */
    uint64_t start_ns, end_ns;
    uint64_t handle, bytes;                 /* of an event, an allocation, an NVTX range */
    TraceDim grid, block;
    uint32_t shared_bytes;
    TraceMemory memory;                     /* of an allocation */
    /* private to record.c */
    struct RecordEntry *next_same_hash;
    RecordWork *works, **last_work;
    uint32_t call_id, op_id;                /* op_id: of an op that was written before its work was reported */
    uint32_t chunk;
    bool written, listed, ret_written, finished;
} RecordEntry;

typedef struct Record Record;

/* clock: nanoseconds, never going back. NULL when out of memory. */
Record *record_new(uint64_t (*clock)(void));
void record_free(Record *);

/* Appends a call at this moment; the caller fills what it knows (not start_ns, thread) before it calls
 * record_leave. NULL when out of memory (then one note says that calls are missing). */
RecordEntry *record_enter(Record *, RecordWhat, uint32_t thread, const char *name);
/* Tells the correlation number by which work will refer to the call. At once, before the call does anything. */
void record_expect(Record *, RecordEntry *, uint32_t correlation);
void record_leave(Record *, RecordEntry *, int32_t result);
/* Appends a moment without duration: a range's begin or end, a mark, a name. handle tells ranges apart. */
void record_nvtx(Record *, RecordWhat, uint32_t thread, const char *name, uint64_t handle);
void record_name_stream(Record *, uint32_t context, uint32_t stream, const char *name);
/* Takes a copy. */
void record_work(Record *, const RecordWork *);

/* One copy of a text, kept until record_free. */
const char *record_text(Record *, const char *);
/* A number, from 1, for a stack of return addresses; the same stack has the same number. */
uint32_t record_stack(Record *, void *const *frames, int n);
uint32_t record_thread(Record *, TraceThreadRole, const char *name);
void record_note(Record *, TraceSeverity, const char *text);
/* Names a device, by the reporter's number. */
void record_device(Record *, uint32_t device, const char *name);

/* Writes what has been settled; what is younger than hold_ns may wait for its work. module_of says which file an
 * address is in and at which offset (false: not known). Nothing is held back with hold_ns 0: what has not ended by
 * then is written without an end. */
typedef bool (*RecordModuleOf)(void *address, const char **file, uint64_t *offset);
void record_write(Record *, TraceWriter *, uint64_t hold_ns, RecordModuleOf module_of);
/* After the last record_write. */
void record_exit(Record *, TraceWriter *, int status);

/* The plain name of a kernel from the compiler's: _Z5scalePfi -> scale, _ZN2ns4gainIfEEvPT_ -> gain. Returns text. */
const char *record_plain_name(const char *symbol, char *text, size_t text_size);
#endif
