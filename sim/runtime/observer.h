/* observer.h - what happens in the runtime, told to whoever listens: one stream of events, several
 * sinks.
 *
 * The trace and the checker (sim/process) are observers; neither is known to the code that makes
 * things happen. An observer fills in the functions that it wants; they are called with the baton
 * held, in the order in which observers came, at the moment it happens. Where nobody listens, TELL
 * costs one comparison. What is passed belongs to the runtime and is valid during the call.
 */
#ifndef THREELANE_OBSERVER_H
#define THREELANE_OBSERVER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/engine/engine.h"
#include "sim/include/driver_types.h"
#include "sim/include/threelane/api.h"
#include "sim/memory/memory.h"
#include "timeline/trace/trace.h"

typedef struct Call Call;     /* call.h */
typedef struct Stream Stream; /* stream.h */
typedef struct Event Event;
typedef struct Operation Operation; /* operation.h */
typedef struct Work Work;           /* work.h */

/* The calling thread waits, or has waited, or has seen that it need not. */
typedef enum WaitKind { WAIT_STREAM, WAIT_EVENT, WAIT_DEVICE, WAIT_OWN, WAIT_BEFORE_OWN } WaitKind;
typedef struct Wait {
    WaitKind kind;
    uint32_t id;      /* of the stream or event */
    int device;       /* < 0: all */
    bool by_luck;     /* that it is over is not promised: it only happens to be so */
    const char *call; /* the call whose purpose it is to wait; NULL: none */
    TraceSite site;
    uint64_t ns; /* how long it took */
} Wait;

/* An operation has gone into a stream. */
typedef struct Submitted {
    EngineOp op;
    const Call *call;
    const Stream *stream;
    const Operation *operation;
    TraceOpKind kind;
    uint32_t event;  /* that it records or waits for */
    uint32_t launch; /* of a node of a graph: the operation that it is a node of; 0: none */
    uint64_t issued_ns;
    const EngineOp *after; /* what it comes after, besides what is in the stream */
    int n_after;
    EngineOp primary; /* a kernel before it in the stream whose end it does not wait for; 0: none */
    const EngineOp *early; /* kernels elsewhere of which it waits for the trigger, or for an event
                              of that, and not for their ends */
    int n_early;
    Work *work; /* what is still to be done for it (work.h); NULL: nothing */
} Submitted;

typedef struct Observer {
    /* the run */
    void (*meta)(const char *key, const char *value);
    void (*engines)(void);           /* devices and their engines are there */
    void (*note)(const TraceNote *); /* its time is now */
    void (*waited_long)(void);       /* a call has waited: what is told is wanted soon */

    /* calls, and what the program says of itself */
    void (*call)(Call *);      /* begins; gives it its id */
    void (*ret)(const Call *); /* of one that has an id */
    void (*range)(uint32_t range, const char *name, TraceSide by);
    void (*range_over)(uint32_t range);
    void (*mark)(const char *name, TraceSide by);
    void (*name)(const char *what, uint32_t id, const char *name); /* name: NULL if it is taken away
                                                                    */

    /* things */
    void (*stream_made)(const Stream *);
    void (*stream_gone)(const Stream *, TraceSite);
    void (*event_made)(const Call *, const Event *);
    void (*event_gone)(const Call *, const Event *);
    void (*memory_made)(const Call *, const MemoryBlock *);
    void (*memory_gone)(const Call *, const MemoryBlock *);

    /* what the calling thread does to memory */
    void (*frees)(const Call *, const MemoryBlock *, bool waits); /* it is about to, and waits for
                                                                     the device first */
    void (*measures)(const Call *, const Event *start, const Event *end); /* the time between */
    void (*pageable)(const Call *, const void *address, size_t bytes, int argument); /* an argument
                                                                                        of the call
                                                                                      */

    /* operations */
    void (*submitted)(const Submitted *);
    void (*waits_for_nothing)(const Call *, const Stream *, const Event *); /* the event was never
                                                                               recorded */
    void (*started)(EngineOp, uint64_t ns, uint32_t engine);
    void (*ended)(EngineOp, uint64_t ns);
    void (*moment)(EngineOp, TraceMomentKind, uint64_t ns); /* of an op that has ended */
    void (*kernel_runs)(Work *);                            /* from here on; NULL: no more */
    void (*nested)(Work *); /* of a kernel that has launched others, all of which have ended */
    void (*kernel_stores)(Work *);   /* its stores are about to be seen */
    void (*function_begins)(Work *); /* a host function, on the calling thread */
    void (*function_over)(Work *);
    void (*performed)(Work *); /* its effect is there; the work goes */

    /* waits */
    void (*waits)(const Wait *);
    void (*waited)(const Wait *);
} Observer;

void observer_add(const Observer *);
void observer_remove(const Observer *);

enum { OBSERVERS = 4 };
extern const Observer *observers[OBSERVERS];
extern int observers_there;

/* TELL(event, arguments...) */
#define TELL(EVENT, ...)                                                              \
    do {                                                                              \
        for (int teller = 0; __builtin_expect(teller < observers_there, 0); teller++) \
            if (observers[teller]->EVENT) observers[teller]->EVENT(__VA_ARGS__);      \
    } while (0)

/* What the program says of itself, through NVTX: a range (range_open returns its number), a mark, a
 * name. A range is closed by the side that opened it (host_side), or not at all. */
uint32_t range_open(const char *name);
void range_close(uint32_t range);
void mark_put(const char *name);
void name_give(const char *what, uint32_t id, const char *name);

/* ---- the log of calls ---- */

/* Who keeps an account of the program's own calls, so that they can be made again: at most one, and
 * it says so before the program's first call (sim/replay/log.c). What each function is told is what
 * the program asked for, before anything comes of it. */
typedef struct CallLog {
    /* A call of the API, with its arguments. */
    void (*call)(const char *name, ThreelaneSite, ...);
    /* What that call, made by the same thread, was given: memory of a pool, at this address. */
    void (*given)(const void *address);
    /* A launch: its configuration; its parameters, when the kernel's function begins; its
     * kernel. */
    void (*push)(ThreelaneSite, TraceDim grid, TraceDim block, size_t shared, const void *stream,
                 const cudaLaunchAttribute *, unsigned n_attributes);
    bool (*wants_parameters)(void);
    void (*parameters)(void *const *at, const size_t *bytes, size_t n);
    void (*kernel)(const char *name, bool own, TraceDim cluster); /* own: of the student's; cluster:
                                                      that it was declared with, x 0: none */
    /* The number of the host function that the call just told of enqueues, 0: it does not matter;
     * and its run. */
    uint32_t (*take_token)(void);
    void (*host_function)(uint32_t token);
    void (*host_function_end)(void);
    /* NVTX; text may be NULL for verbs without one. */
    void (*nvtx)(const char *verb, const char *text, uint64_t id);
    /* What is buffered is written. Safe in a signal handler. */
    void (*flush)(void);
} CallLog;
extern const CallLog *call_log; /* NULL: nobody does */
#endif
