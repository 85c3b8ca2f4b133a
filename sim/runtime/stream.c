/* stream.c - the default streams have the handles that CUDA gives them; others have numbers. */
#include "sim/runtime/stream.h"
#include <stdlib.h>

static Stream *legacy[DEVICES_MOST];
static _Thread_local Stream *own[DEVICES_MOST]; /* each host thread's per-thread default stream */

/* Streams that only a question makes (sim/whatif): which one was split off, and from which. */
static Stream *apart[WHATIF_APART];
static uint32_t apart_of[WHATIF_APART], n_apart; /* numbers from 1 */

/* What a card says of a policy that nobody has set. */
#define NOT_SET (enum cudaSynchronizationPolicy) - 1

static Stream *make_more(int device, TraceStreamFlavour flavour, unsigned flags, int priority,
                         TraceSite site, bool driver)
{
    Stream *stream = calloc(1, sizeof *stream);
    uint32_t id = engine_stream_new(runtime.engine, device, flavour, priority);
    if (!stream || !id || !handle_add(HANDLE_STREAM, id, stream))
        host_fatal(HOST_STATUS_CRASH, site, "out of memory for streams");
    *stream = (Stream){.hints = {.sync_policy = NOT_SET, .domain_map = {0, 1}},
                       .id = id,
                       .device = device,
                       .priority = priority,
                       .flags = flags,
                       .flavour = flavour,
                       .made = site,
                       .driver = driver};
    TELL(stream_made, stream);
    return stream;
}

/* One that there is whatever is asked. */
static Stream *make(int device, TraceStreamFlavour flavour, unsigned flags, int priority,
                    TraceSite site, bool driver)
{
    Stream *stream = make_more(device, flavour, flags, priority, site, driver);
    if (whatif_on) whatif_stream_made(stream->id);
    return stream;
}

void streams_start(void)
{
    for (int i = 0; i < runtime.devices; i++)
        legacy[i] = make(i, TRACE_STREAM_LEGACY, cudaStreamDefault, 0, (TraceSite){NULL, 0}, false);
}

const Stream *stream_legacy(int device) { return legacy[device]; }

cudaStream_t stream_handle(const Stream *stream)
{
    if (stream->flavour == TRACE_STREAM_LEGACY) return NULL;
    if (stream->flavour == TRACE_STREAM_PER_THREAD) return cudaStreamPerThread;
    return handle_make(HANDLE_STREAM, stream->id);
}

static Stream *per_thread(void)
{
    Stream **slot = &own[call_device()];
    if (!*slot) call_spend(device_model(call_device())->costs.stream_create);
    if (!*slot)
        *slot = make(call_device(), TRACE_STREAM_PER_THREAD, cudaStreamDefault, 0,
                     (TraceSite){NULL, 0}, false);
    return *slot;
}

static Stream *split_off(const Call *call, const Stream *from, uint32_t which)
{
    if (apart[which]) return apart[which];
    TraceStreamFlavour flavour = from->flavour == TRACE_STREAM_NONBLOCKING
                                     ? TRACE_STREAM_NONBLOCKING
                                     : TRACE_STREAM_BLOCKING;
    apart[which] = make_more(from->device, flavour, from->flags, from->priority, call->site, false);
    apart_of[which] = from->id;
    if (which > n_apart) n_apart = which;
    return apart[which];
}

/* The stream that a question gives a call instead of its own. */
static Stream *asked_for(const Call *call, Stream *named)
{
    if (call->change->apart) return split_off(call, named, call->change->apart);
    uint32_t id = whatif_stream(call->change->stream);
    Stream *other = id ? handle_at(HANDLE_STREAM, id) : NULL;
    return other && other->device == named->device ? other : named;
}

static Stream *named_stream(const Call *call, cudaStream_t handle)
{
    if (!handle) return call->flags & CALL_PER_THREAD ? per_thread() : legacy[call_device()];
    if (handle == cudaStreamLegacy) return legacy[call_device()];
    if (handle == cudaStreamPerThread) return per_thread();
    Stream *stream = handle_find(HANDLE_STREAM, handle);
    if (!stream) handle_refuse(HANDLE_STREAM, handle, call->name, call->site);
    return stream;
}

Stream *stream_of(const Call *call, cudaStream_t handle)
{
    Stream *named = named_stream(call, handle);
    return __builtin_expect(call->change != NULL, 0) ? asked_for(call, named) : named;
}

Stream *stream_new(const Call *call, TraceStreamFlavour flavour, unsigned flags, int priority)
{
    return make(call_device(), flavour, flags, priority, call->site, call->flags & CALL_DRIVER);
}

void stream_destroy(Stream *stream, TraceSite site)
{
    handle_close(HANDLE_STREAM, stream->id, site);
    engine_stream_release(runtime.engine, stream->id);
    TELL(stream_gone, stream, site);
}

void streams_reset(int device, TraceSite site)
{
    for (uint32_t i = 1; i < handle_end(HANDLE_STREAM); i++) {
        Stream *stream = handle_at(HANDLE_STREAM, i);
        if (stream && stream->device == device &&
            (stream->flavour == TRACE_STREAM_BLOCKING ||
             stream->flavour == TRACE_STREAM_NONBLOCKING))
            stream_destroy(stream, site);
    }
}

/* ---- events ---- */

Event *event_of(const Call *call, cudaEvent_t handle)
{
    if (!handle) return NULL;
    Event *event = handle_find(HANDLE_EVENT, handle);
    if (!event) handle_refuse(HANDLE_EVENT, handle, call->name, call->site);
    return event;
}

cudaEvent_t event_handle(const Event *event) { return handle_make(HANDLE_EVENT, event->id); }

Event *event_new(const Call *call, unsigned flags)
{
    uint32_t id = handle_end(HANDLE_EVENT) ? handle_end(HANDLE_EVENT) : 1;
    Event *event = calloc(1, sizeof *event);
    if (!event || !handle_add(HANDLE_EVENT, id, event))
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for events");
    *event = (Event){.id = id, .device = call_device(), .flags = flags, .made = call->site};
    TELL(event_made, call, event);
    return event;
}

void event_destroy(const Call *call, Event *event)
{
    handle_close(HANDLE_EVENT, event->id, call->site);
    free(event->captured);
    event->captured = NULL;
    TELL(event_gone, call, event);
}

void events_reset(int device, TraceSite site)
{
    for (uint32_t i = 1; i < handle_end(HANDLE_EVENT); i++) {
        const Event *event = handle_at(HANDLE_EVENT, i);
        if (event && event->device == device) handle_close(HANDLE_EVENT, i, site);
    }
}

/* ---- waiting ---- */

cudaError_t stream_wait(const Call *call, const Stream *stream)
{
    cudaError_t error = call_wait(call, &(Wait){.kind = WAIT_STREAM, .id = stream->id},
                                  engine_stream_tail(runtime.engine, stream->id));
    /* who waits for a stream also waits for what a question has split off from it */
    for (uint32_t i = 1; i <= n_apart && !error; i++)
        if (apart[i] && apart_of[i] == stream->id)
            error = call_wait(call, &(Wait){.kind = WAIT_STREAM, .id = apart[i]->id},
                              engine_stream_tail(runtime.engine, apart[i]->id));
    return error;
}

cudaError_t event_wait(const Call *call, const Event *event)
{
    return call_wait(call, &(Wait){.kind = WAIT_EVENT, .id = event->id}, event->op);
}

void stream_seen(const Call *call, const Stream *stream)
{
    TELL(waited, &(Wait){.kind = WAIT_STREAM, .id = stream->id, .site = call->site});
}

void event_seen(const Call *call, const Event *event)
{
    TELL(waited, &(Wait){.kind = WAIT_EVENT, .id = event->id, .site = call->site});
}

void stream_waits_for_nothing(const Call *call, const Stream *stream, const Event *event)
{
    TELL(waits_for_nothing, call, stream, event);
}
