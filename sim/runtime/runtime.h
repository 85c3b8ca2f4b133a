/* runtime.h - what the files of the CUDA runtime share.
 *
 * The runtime turns API calls into operations of the engine, performs their effects when the engine says that they
 * ended, and writes the trace. It is driven from two sides: a host thread calls an API function, and the host room
 * lets device events happen (context.c, HostDevice). Both happen with the baton held, so nothing here locks.
 *
 * Handles that the program sees (streams, events) are numbers in disguise, looked up in a table and never followed:
 * a destroyed or invented handle is found out, not crashed on.
 */
#ifndef THREELANE_RUNTIME_H
#define THREELANE_RUNTIME_H
#include "sim/include/cuda_runtime_api.h"
#include "sim/engine/engine.h"
#include "sim/exec/exec.h"
#include "sim/hazard/hazard.h"
#include "sim/hazard/hazard_report.h"
#include "sim/host/host.h"
#include "sim/memory/memory.h"
#include "sim/model/model.h"
#include "sim/replay/log.h"
#include "timeline/trace/trace.h"

enum { RUNTIME_DEVICES = 16 };

typedef struct Stream {
    uint32_t id;                      /* in the trace, and the engine's number for it */
    int device, priority;
    unsigned flags;
    TraceStreamFlavour flavour;
    bool destroyed;
    TraceSite made, gone;
} Stream;

typedef struct Event {
    uint32_t id;
    int device;
    unsigned flags;
    EngineOp op;                      /* the most recent record; 0: never recorded */
    bool destroyed;
    TraceSite made, gone;
} Event;

typedef struct Runtime {
    Model model;
    Engine *engine;                   /* NULL until the first call that needs a device */
    uint64_t device_ns;               /* when the latest device event happened */
    int devices;
    uint64_t seed;
    bool launch_blocking;
    cudaError_t fault;                /* sticky: what every call returns once a kernel has failed */
} Runtime;
extern Runtime runtime;

/* ---- a call in progress ---- */
enum {
    CALL_IN_HOST_FUNCTION = 1,        /* permitted there */
    CALL_AFTER_FAULT = 2,             /* tells its own result even when the device has failed */
    CALL_NO_DEVICE = 4,               /* does not need a device */
    CALL_NO_ERROR = 8,                /* its result is never the last error */
    CALL_PER_THREAD = 16,             /* stream 0 is the calling thread's own stream */
    CALL_ALWAYS = CALL_IN_HOST_FUNCTION | CALL_AFTER_FAULT | CALL_NO_DEVICE
};
typedef struct Call {
    const char *name;
    TraceSite site;
    uint32_t id;                      /* in the trace; 0 when none is written */
    unsigned flags;
    bool submitted;                   /* operations were submitted: let those that are due start */
    cudaError_t result;
} Call;

/* Starts a call. False: it ends at once with call->result. */
bool call_enter(Call *, const char *name, ThreelaneSite, unsigned flags);
/* Ends it: last error, trace; returns the result. */
cudaError_t call_leave(Call *);
/* The calling thread pays for the memory that its code has touched so far. */
void call_charge(void);
/* The call costs its thread this much; device events up to the new time happen. */
static inline void call_spend(uint64_t ns)
{
    if (ns) host_spend(ns);
}
/* Blocks the calling thread until op has ended, or started; returns the sticky error, if any by then. */
cudaError_t call_wait(const Call *, EngineOp);
cudaError_t call_wait_busy(const Call *, EngineOp);   /* the same of a thread that works meanwhile: it goes on at once */
cudaError_t call_wait_start(const Call *, EngineOp);
cudaError_t call_wait_device(const Call *, int device);       /* device < 0: all */
/* A query found work pending. Where calls are free, a second one of the same event or stream at the same time moves time
 * on all the same: a loop that only asks ends, and one that works between its questions, or asks several things in turn,
 * keeps its own time. */
void call_pending(const void *asked_of, uint64_t cost_ns);
int call_device(void);                /* the calling thread's current device */
void call_set_device(int device);
/* The calling thread's last error. */
cudaError_t call_last_error(bool clear);

/* API(name, flags, (parameters), (arguments)) { body }: defines threelane_name and name; the body is given `call`. */
#define OPEN(...) __VA_ARGS__
#define API_BODY(NAME, ...) static cudaError_t do_##NAME(__attribute__((unused)) Call *call, __VA_ARGS__)
#define API_ENTRY(NAME, SUFFIX, FLAGS, PARAMETERS, ARGUMENTS)                                      \
    cudaError_t threelane_##NAME##SUFFIX(OPEN PARAMETERS, ThreelaneSite at)                        \
    {                                                                                              \
        Call call;                                                                                 \
        if (__builtin_expect(log_on, 0)) log_call(#NAME #SUFFIX, at, OPEN ARGUMENTS);              \
        if (call_enter(&call, #NAME, at, FLAGS)) call.result = do_##NAME(&call, OPEN ARGUMENTS);   \
        return call_leave(&call);                                                                  \
    }                                                                                              \
    cudaError_t (NAME##SUFFIX)(OPEN PARAMETERS)                                                      \
    {                                                                                              \
        return threelane_##NAME##SUFFIX(OPEN ARGUMENTS, (ThreelaneSite){NULL, 0});                 \
    }
#define API(NAME, FLAGS, PARAMETERS, ARGUMENTS)                                                    \
    API_BODY(NAME, OPEN PARAMETERS);                                                               \
    API_ENTRY(NAME, , FLAGS, PARAMETERS, ARGUMENTS)                                                \
    API_BODY(NAME, OPEN PARAMETERS)
#define API_STREAM(NAME, FLAGS, PARAMETERS, ARGUMENTS)                                             \
    API_BODY(NAME, OPEN PARAMETERS);                                                               \
    API_ENTRY(NAME, , FLAGS, PARAMETERS, ARGUMENTS)                                                \
    API_ENTRY(NAME, _ptsz, (FLAGS) | CALL_PER_THREAD, PARAMETERS, ARGUMENTS)                       \
    API_BODY(NAME, OPEN PARAMETERS)
#define API0(NAME, FLAGS)                                                                          \
    static cudaError_t do_##NAME(Call *call);                                                      \
    cudaError_t threelane_##NAME(ThreelaneSite at)                                                 \
    {                                                                                              \
        Call call;                                                                                 \
        if (__builtin_expect(log_on, 0)) log_call(#NAME, at);                                      \
        if (call_enter(&call, #NAME, at, FLAGS)) call.result = do_##NAME(&call);                   \
        return call_leave(&call);                                                                  \
    }                                                                                              \
    cudaError_t (NAME)(void) { return threelane_##NAME((ThreelaneSite){NULL, 0}); }                  \
    static cudaError_t do_##NAME(__attribute__((unused)) Call *call)

/* ---- streams and events (api_stream.c, api_event.c) ---- */
/* The upper bits of handles: no address that a program can have. */
#define TAG_BITS ((uintptr_t)0xfffff << 44)
#define STREAM_TAG ((uintptr_t)0x51ea << 44)
#define EVENT_TAG ((uintptr_t)0xe7ea << 44)
/* The stream that a handle means in this call. A handle that was never a stream, or is one no more, ends the program
 * with a message. */
Stream *stream_of(const Call *, cudaStream_t);
Stream *stream_by_id(uint32_t id);
cudaStream_t stream_handle(const Stream *);
void streams_start(void);             /* makes the legacy stream of every device */
void streams_reset(int device, TraceSite);
void streams_report_leaks(void);
Event *event_of(const Call *, cudaEvent_t);   /* NULL for a NULL handle */
Event *event_by_id(uint32_t id);
void events_reset(int device, TraceSite);
void events_report_leaks(void);

/* ---- operations (work.c) ---- */
typedef struct Kernel {
    ExecLaunch launch;
    ExecRun *run;
    uint32_t waves;                   /* how often its blocks fill the device, alone */
    bool waiting;                     /* it polls memory */
    bool published;                   /* an explored schedule: its effects were made visible at its start */
    bool estimate;                    /* recorded_ns is one */
    uint64_t recorded_ns;             /* how long it lasted in a recorded run; 0: not known */
} Kernel;
typedef enum WorkEffect { WORK_NONE, WORK_COPY, WORK_SET, WORK_KERNEL, WORK_HOSTFN, WORK_RELEASE } WorkEffect;
typedef struct Work {                 /* what an operation does when the engine says so */
    WorkEffect effect;
    bool done;                        /* an explored schedule: its effect came at its start */
    bool gone;                        /* a copy whose source was not there any more */
    EngineOp op;
    TraceSite site;
    HazardOp *hazard;                 /* filled in by work_submit; NULL where nobody looks */
    uint32_t stream;                  /* in the trace; filled in by work_submit */
    union {
        struct { char *to; const char *from; size_t to_pitch, from_pitch, width, height; void *staged;
                 bool source_told; } copy;   /* source_told: the checker knows when the source was read */
        struct { char *to; int value; size_t pitch, width, height; } set;
        struct { cudaHostFn_t fn; cudaStreamCallback_t callback; void *data; cudaStream_t stream; } host;
        Kernel *kernel;
        MemoryBlock *release;
    };
} Work;

/* Submits an operation in stream order for the calling thread, now; writes its record. The op record's call, stream,
 * device and issued_ns are filled in here; submit's kind and stream too. work may be NULL (markers). */
EngineOp work_submit(Call *, const Stream *, EngineSubmit *, TraceOp *, const Work *);
/* Lets the next device event happen. */
void work_step(void);
/* How many copies, sets, kernels and host functions have not ended; *first (may be NULL): the one issued first. */
uint32_t work_unfinished(EngineOp *first);
const Work *work_of(EngineOp);        /* NULL when it has ended, or does nothing */
/* The program has ended, and this process is a copy of it that runs the rest for the checker: from here on host
 * functions end at once, and no memory but the virtual machine's own is touched. */
void work_discard(void);
/* The kernel that is running goes no further: what it has touched so far is what it touched. */
void work_stop_kernel(void);
/* What has not ended, and will not, counts with what it has touched so far, or was to touch. */
void work_touch_unfinished(void);
/* Gives kernels that poll memory another look, at now_ns; true if one went on. */
bool work_resume(uint64_t now_ns);
/* Is the memory of a copy or set still there (reach.c)? Reports when it is not. verb: "reads", "writes". */
bool reach_exists(const Work *, const void *at, size_t pitch, size_t width, size_t height, const char *verb);
/* A copy reads its source now: reports device memory that was never written. */
void reach_read(const Work *);
/* A copy or set has written its target. */
void reach_wrote(const Work *);
extern int work_waiting;              /* how many kernels poll */
extern HazardOp *work_allocation;     /* of the stream-ordered allocation just submitted */

/* ---- memory as the API sees it (api_memory.c) ---- */
typedef struct Place {
    TraceMemory kind;                 /* pageable: the runtime does not know it */
    uint32_t alloc;                   /* its id in the trace, 0 for pageable memory */
    uint64_t offset;                  /* in the allocation; for pageable memory the address */
    size_t room;                      /* bytes from here to the allocation's end; SIZE_MAX when unknown */
    bool dead;                        /* in the arena, and not, or no longer, allocated */
    int device;
} Place;
Place place_of(const void *address);
/* Reports that a call was to touch bytes where nothing is allocated (any more); CUDA refuses it. */
void place_report(const Call *, const void *address, size_t bytes, const char *verb);
/* The call was to touch bytes where nothing is allocated: reports it, with a warning when they were freed. */
void place_complain(const Call *, const void *address, size_t bytes, const char *verb);
/* Frees what a device (and, with device 0, the host side) holds: cudaDeviceReset. */
void places_reset(const Call *, int device);
/* cudaMallocAsync took from a device's pool; a free gave back (api_pool.c); the device was reset. */
void pool_takes(int device, size_t bytes);
void pool_gives(int device, size_t bytes);
void pool_reset(int device);
/* Variables in device memory, by address (api_symbol.c). False when address is not in a known one. */
bool symbol_find(const void *address, Place *);

/* ---- how long kernels lasted in a recorded run (durations.c) ---- */
/* Reads the trace that THREELANE_KERNELS names (NULL or "": none); ends the program when it is none or has no kernel. */
void durations_open(const char *path);
/* How long this launch lasted there: the n-th of a kernel of that shape here takes the time of the n-th there, those
 * beyond what was recorded its median. *estimate is set when only launches of another shape were recorded: scaled by
 * the number of blocks. False when nothing is known about the kernel. */
bool durations_next(const char *kernel, TraceDim grid, TraceDim block, uint64_t *ns, bool *estimate);

/* ---- the trace (record.c): every function does nothing when no trace is written ---- */
extern bool record_on, hazards_labelled;
void record_open(const char *where);  /* a path or fd:N; ends the program when it cannot be written */
void record_device_table(void);       /* devices and engines */
void record_close(int status, bool crashed);
void record_old(void);                /* flushes when the last flush is long ago in real time */
void record_meta(const char *key, const char *value);
void record_meta_u64(const char *key, uint64_t value);
void record_thread(uint32_t id, TraceThreadRole, const char *name);
void record_know_thread(uint32_t id);
void record_stream(const Stream *);
void record_streamend(const Stream *);
void record_name(const char *what, uint32_t id, const char *name);
uint32_t record_call(const char *name, TraceSite);
void record_ret(uint32_t call, int32_t result);
void record_alloc(const Call *, const MemoryBlock *);
void record_free(const Call *, const MemoryBlock *);
void record_event(const Call *, const Event *);
void record_eventend(const Call *, const Event *);
void record_op(EngineOp, const TraceOp *);
void record_uses(EngineOp, bool write, const Place *, uint64_t bytes);
void record_started(EngineOp, uint64_t ns, uint32_t engine);
void record_ended(EngineOp, uint64_t ns);
uint32_t record_range(const char *name);
void record_rangeend(uint32_t range);
void record_mark(const char *name);
void record_note(const TraceNote *);
HazardRecord record_hazard;

/* ---- the end (unfinished.c) ---- */
typedef struct UnfinishedEnd {
    int status;
    bool crashed;
    bool (*finish)(int status, bool crashed);     /* writes the reports, closes the trace: true when it said something */
} UnfinishedEnd;
/* Says that the program ended before the device was done, if it was not. */
void unfinished_note(void);
/* Looks at what is in flight in a process of its own and finishes there. False: nothing was written, finish here. */
bool unfinished_look(const UnfinishedEnd *, bool *said);

/* ---- start (context.c) ---- */
void runtime_start(void);             /* model, trace, host; on the first call of any kind */
void runtime_start_device(void);      /* engine; on the first call that needs a device */
/* What a launch of this shape is refused with; success if it fits. */
cudaError_t launch_check(TraceDim grid, TraceDim block, size_t shared);

/* Called by the headers and by what tlcc makes of kernels and launches. */
bool threelane_push(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, size_t shared,
                    cudaStream_t stream, const char *file, int line);
void threelane_queue(const char *name, void (*run_block)(void *), void *closure, void (*destroy)(void *));
void **threelane_launch_args(void);
void threelane_launch_parameters(void **args, void *const *at, const size_t *bytes, size_t n);
void threelane_symbol(const void *address, size_t bytes);
void threelane_variable(const void *address, size_t bytes, bool managed);
#endif
