/* tape.h - what a traced program did, on its way into a trace.
 *
 * The program's threads append entries (calls, NVTX) as they happen; whatever listens to the device
 * hands in work (copies, sets, kernels) later, in any order, joined to its call by a correlation
 * number. tape_write turns both into the records of FORMAT.md, in the order that it asks for, as
 * far as things are settled: an entry is held back for a short time while its work has not been
 * reported, then written without it; what arrives later is appended.
 *
 * Nothing here knows CUPTI or CUDA, so that tests need neither. Appending takes one lock and no
 * system call; memory of what has been written and can have no more to say is given back.
 *
 * Threads: tape_enter, tape_leave, tape_nvtx, tape_work and tape_text may be called from any thread
 * at any time. tape_write is called by one thread at a time.
 */
#ifndef THREELANE_TAPE_H
#define THREELANE_TAPE_H
#include <stdatomic.h>
#include "timeline/trace/trace_write.h"

#define TAPE_UNKNOWN UINT32_MAX /* a stream or context that the call does not tell */

enum { TAPE_FRAMES = 12 }; /* of a call stack, innermost first */

typedef enum TapeWhat {
    TAPE_CALL,  /* no more than a call */
    TAPE_OPS,   /* work follows: a copy, set or kernel (op says which) */
    TAPE_GRAPH, /* a launch, and work as its nodes follows, how much is not known */
    TAPE_HOSTFN,
    TAPE_EVENT_RECORD,
    TAPE_EVENT_WAIT,
    TAPE_STREAM_NEW,
    TAPE_STREAM_END,
    TAPE_EVENT_NEW,
    TAPE_EVENT_END,
    TAPE_ALLOC,
    TAPE_FREE,
    TAPE_RANGE,
    TAPE_RANGE_END,
    TAPE_MARK,
    TAPE_NAME_STREAM,
    TAPE_NAME_THREAD
} TapeWhat;

/* Work that ran. Texts must live as long as the tape (tape_text). */
typedef struct TapeWork {
    struct TapeWork *next;
    struct TapeEntry *entry; /* the call, where the reporter knows it; else found by correlation */
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
} TapeWork;

typedef struct TapeEntry {
    TapeWhat what;
    TraceOpKind op;             /* of TAPE_OPS: what it asked for; TRACE_OP_KINDS: not known */
    TraceStreamFlavour flavour; /* of the stream */
    bool expects;               /* the call asks for work that will be reported, unless it failed */
    atomic_bool returned, hosting; /* hosting: its host function has begun */
    int32_t result, priority;
    uint32_t thread, correlation, stack;
    uint32_t context, stream, device; /* as the reporter numbers them; TAPE_UNKNOWN */
    const char *name, *symbol; /* of the call or range; of the kernel, as the compiler wrote it */
    uint64_t start_ns, end_ns;
    uint64_t handle, bytes; /* of an event, an allocation, an NVTX range */
    uint64_t from, to;      /* addresses that a copy or set reads and writes; 0: not told */
    TraceDim grid, block;
    uint32_t shared_bytes;
    TraceMemory memory; /* of an allocation */
    /* private to tape.c */
    struct TapeEntry *next_same_hash;
    TapeWork *works, **last_work;
    uint32_t call_id, op_id; /* op_id: of an op that was written before its work was reported */
    uint32_t launch_id;      /* of TAPE_GRAPH: of the launch, over its nodes */
    uint64_t nodes_end_ns, told_ns; /* the end of its last node so far, 0: none; when it was told */
    uint32_t chunk;
    bool written, listed, ret_written, finished, finished_launch;
    bool halfway; /* a copy between devices, through the host: it has begun */
} TapeEntry;

typedef struct Tape Tape;

/* clock: nanoseconds, never going back. NULL when out of memory. */
Tape *tape_new(uint64_t (*clock)(void));
void tape_free(Tape *);

/* Appends a call at this moment; the caller fills what it knows (not start_ns, thread) before it
 * calls tape_leave. NULL when out of memory (then one note says that calls are missing). */
TapeEntry *tape_enter(Tape *, TapeWhat, uint32_t thread, const char *name);
/* Tells the correlation number by which work will refer to the call. At once, before the call does
 * anything. */
void tape_expect(Tape *, TapeEntry *, uint32_t correlation);
void tape_leave(Tape *, TapeEntry *, int32_t result);
/* Appends a moment without duration: a range's begin or end, a mark, a name. handle tells ranges
 * apart. */
void tape_nvtx(Tape *, TapeWhat, uint32_t thread, const char *name, uint64_t handle);
void tape_name_stream(Tape *, uint32_t context, uint32_t stream, const char *name);
/* Takes a copy. */
void tape_work(Tape *, const TapeWork *);

/* One copy of a text, kept until tape_free. */
const char *tape_text(Tape *, const char *);
/* A number, from 1, for a stack of return addresses; the same stack has the same number. */
uint32_t tape_stack(Tape *, void *const *frames, int n);
uint32_t tape_thread(Tape *, TraceThreadRole, const char *name);
void tape_note(Tape *, TraceSeverity, const char *text);
/* Names a device, by the reporter's number. */
void tape_device(Tape *, uint32_t device, const char *name);

/* Writes what has been settled; what is younger than hold_ns may wait for its work. module_of says
 * which file an address is in and at which offset (false: not known). Nothing is held back with
 * hold_ns 0: what has not ended by then is written without an end. */
typedef bool (*TapeModuleOf)(void *address, const char **file, uint64_t *offset);
void tape_write(Tape *, TraceWriter *, uint64_t hold_ns, TapeModuleOf module_of);
/* After the last tape_write. */
void tape_exit(Tape *, TraceWriter *, int status);
#endif
