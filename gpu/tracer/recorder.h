/* recorder.h - what a traced program did, on its way into a trace.
 *
 * The program's threads append entries (calls, NVTX) as they happen; whatever listens to the device
 * hands in work (copies, sets, kernels) later, in any order, joined to its call by a correlation
 * number. recorder_write turns both into the records of FORMAT.md, in the order that it asks for,
 * as far as things are settled: an entry is held back for a short time while its work has not been
 * reported, then written without it; what arrives later is appended.
 *
 * Nothing here knows CUPTI or CUDA, so that tests need neither. Appending takes one lock and no
 * system call; memory of what has been written and can have no more to say is given back.
 *
 * Threads: recorder_enter, recorder_leave, recorder_nvtx, recorder_work and recorder_text may be
 * called from any thread at any time. recorder_write is called by one thread at a time.
 */
#ifndef THREELANE_RECORDER_H
#define THREELANE_RECORDER_H
#include <stdatomic.h>
#include "timeline/trace/trace_write.h"

#define RECORDER_UNKNOWN UINT32_MAX /* a stream or context that the call does not tell */

enum { RECORDER_FRAMES = 12 }; /* of a call stack, innermost first */

typedef enum RecorderWhat {
    RECORDER_CALL,  /* no more than a call */
    RECORDER_OPS,   /* work follows: a copy, set or kernel (op says which) */
    RECORDER_GRAPH, /* a launch, and work as its nodes follows, how much is not known */
    RECORDER_HOSTFN,
    RECORDER_EVENT_RECORD,
    RECORDER_EVENT_WAIT,
    RECORDER_STREAM_NEW,
    RECORDER_STREAM_END,
    RECORDER_EVENT_NEW,
    RECORDER_EVENT_END,
    RECORDER_ALLOC,
    RECORDER_FREE,
    RECORDER_RANGE,
    RECORDER_RANGE_END,
    RECORDER_MARK,
    RECORDER_NAME_STREAM,
    RECORDER_NAME_THREAD
} RecorderWhat;

/* Work that ran. Texts must live as long as the recorder (recorder_text). */
typedef struct RecorderWork {
    struct RecorderWork *next;
    struct RecorderEntry *entry; /* the call, where the reporter knows it; else found by correlation
                                  */
    uint32_t correlation;
    TraceOpKind kind;
    bool on_copy_engine; /* device-to-device: a copy engine did it, not the compute engine */
    uint32_t device, context, stream; /* as the reporter numbers them */
    bool linked;                      /* between devices: from `device` to to_device */
    uint32_t to_device;
    uint64_t start_ns, end_ns, bytes;
    TraceMemory from, to;
    TraceDim grid, block;
    uint32_t shared_bytes;
    const char *name;
} RecorderWork;

typedef struct RecorderEntry {
    RecorderWhat what;
    TraceOpKind op;             /* of RECORDER_OPS: what it asked for; TRACE_OP_KINDS: not known */
    TraceStreamFlavour flavour; /* of the stream */
    bool expects;               /* the call asks for work that will be reported, unless it failed */
    atomic_bool returned, hosting; /* hosting: its host function has begun */
    int32_t result, priority;
    uint32_t thread, correlation, stack;
    uint32_t context, stream, device; /* as the reporter numbers them; RECORDER_UNKNOWN */
    const char *name, *symbol; /* of the call or range; of the kernel, as the compiler wrote it */
    uint64_t start_ns, end_ns;
    uint64_t handle, bytes; /* of an event, an allocation, an NVTX range */
    uint64_t from, to;      /* addresses that a copy or set reads and writes; 0: not told */
    TraceDim grid, block;
    uint32_t shared_bytes;
    TraceMemory memory; /* of an allocation */
    /* private to recorder.c */
    struct RecorderEntry *next_same_hash;
    RecorderWork *works, **last_work;
    uint32_t call_id, op_id; /* op_id: of an op that was written before its work was reported */
    uint32_t launch_id;      /* of RECORDER_GRAPH: of the launch, over its nodes */
    uint64_t nodes_end_ns, told_ns; /* the end of its last node so far, 0: none; when it was told */
    uint32_t chunk;
    bool written, listed, ret_written, finished, finished_launch;
    bool halfway; /* a copy between devices, through the host: it has begun */
} RecorderEntry;

typedef struct Recorder Recorder;

/* clock: nanoseconds, never going back. NULL when out of memory. */
Recorder *recorder_new(uint64_t (*clock)(void));
void recorder_free(Recorder *);

/* Appends a call at this moment; the caller fills what it knows (not start_ns, thread) before it
 * calls recorder_leave. NULL when out of memory (then one note says that calls are missing). */
RecorderEntry *recorder_enter(Recorder *, RecorderWhat, uint32_t thread, const char *name);
/* Tells the correlation number by which work will refer to the call. At once, before the call does
 * anything. */
void recorder_expect(Recorder *, RecorderEntry *, uint32_t correlation);
void recorder_leave(Recorder *, RecorderEntry *, int32_t result);
/* Appends a moment without duration: a range's begin or end, a mark, a name. handle tells ranges
 * apart. */
void recorder_nvtx(Recorder *, RecorderWhat, uint32_t thread, const char *name, uint64_t handle);
void recorder_name_stream(Recorder *, uint32_t context, uint32_t stream, const char *name);
/* Takes a copy. */
void recorder_work(Recorder *, const RecorderWork *);

/* One copy of a text, kept until recorder_free. */
const char *recorder_text(Recorder *, const char *);
/* A number, from 1, for a stack of return addresses; the same stack has the same number. */
uint32_t recorder_stack(Recorder *, void *const *frames, int n);
uint32_t recorder_thread(Recorder *, TraceThreadRole, const char *name);
void recorder_note(Recorder *, TraceSeverity, const char *text);
/* Names a device, by the reporter's number. */
void recorder_device(Recorder *, uint32_t device, const char *name);

/* Writes what has been settled; what is younger than hold_ns may wait for its work. module_of says
 * which file an address is in and at which offset (false: not known). Nothing is held back with
 * hold_ns 0: what has not ended by then is written without an end. */
typedef bool (*RecorderModuleOf)(void *address, const char **file, uint64_t *offset);
void recorder_write(Recorder *, TraceWriter *, uint64_t hold_ns, RecorderModuleOf module_of);
/* After the last recorder_write. */
void recorder_exit(Recorder *, TraceWriter *, int status);
#endif
