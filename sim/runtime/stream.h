/* stream.h - the streams and events there are. */
#ifndef THREELANE_STREAM_H
#define THREELANE_STREAM_H
#include "sim/runtime/call.h"
#include "sim/runtime/handle.h"

/* Takes what goes into a stream, instead of the engine: a capture, or a node of a graph that is
 * being made. It keeps a copy (operation_keep), or refuses with an error; nothing happens then. */
typedef struct StreamKeeper StreamKeeper;
struct StreamKeeper {
    cudaError_t (*keep)(StreamKeeper *, Call *, const Stream *, Operation *);
};

/* Attributes that say how, not what: kept to be told again. {0} is how a stream begins, but for
 * what stream_new sets. */
struct StreamHints {
    struct cudaAccessPolicyWindow window;
    enum cudaSynchronizationPolicy sync_policy;
    cudaLaunchMemSyncDomainMap domain_map;
    cudaLaunchMemSyncDomain domain;
    unsigned nvlink_centric;
};

struct Stream {
    uint32_t id; /* in the trace, the engine's number for it, and the handle's */
    int device, priority;
    unsigned flags;
    TraceStreamFlavour flavour;
    TraceSite made;
    bool driver;           /* made by a call of the driver API */
    bool priority_changed; /* since it was made */
    struct StreamHints hints;
    StreamKeeper *keeper; /* has what goes into it instead; or NULL */
};

struct Event {
    uint32_t id; /* in the trace, and the handle's */
    int device;
    unsigned flags;
    EngineOp op;     /* the most recent record; 0: never recorded */
    bool early_ends; /* as measured, kernels behind it begin at that kernel's end all the same */
    EngineOp early;  /* it stands for the trigger of this kernel, and for no end; 0: it does not */
    struct EventCapture *captured; /* it was in a stream that was being captured; malloc'ed, or NULL
                                    */
    TraceSite made;
};

/* The stream that a handle means in this call. A handle that was never a stream, or is one no more,
 * ends the program with a message. */
Stream *stream_of(const Call *, cudaStream_t);
cudaStream_t stream_handle(const Stream *);
/* Makes one on the current device. */
Stream *stream_new(const Call *, TraceStreamFlavour, unsigned flags, int priority);
/* Its handle is none any more; the work in it still finishes. */
void stream_destroy(Stream *, TraceSite);
const Stream *stream_legacy(int device);
void streams_start(void); /* makes the legacy stream of every device */
void streams_reset(int device, TraceSite);

/* The same for events; NULL for a NULL handle. */
Event *event_of(const Call *, cudaEvent_t);
cudaEvent_t event_handle(const Event *);
Event *event_new(const Call *, unsigned flags);
void event_destroy(const Call *, Event *);
void events_reset(int device, TraceSite);

/* The call waits for all that is in the stream, or that the event stands for; returns the sticky
 * error. */
cudaError_t stream_wait(const Call *, const Stream *);
cudaError_t event_wait(const Call *, const Event *);
/* It need not wait: the stream is idle, what the event stands for has ended. */
void stream_seen(const Call *, const Stream *);
void event_seen(const Call *, const Event *);
/* The stream was to wait for an event that was never recorded: for nothing. */
void stream_waits_for_nothing(const Call *, const Stream *, const Event *);
#endif
