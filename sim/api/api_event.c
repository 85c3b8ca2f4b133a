/* api_event.c - events. A record captures what its stream holds at the call, and a later record replaces it. */
#include "sim/runtime/runtime.h"
#include <stdlib.h>
#include <string.h>


static Event **events;                /* by id */
static uint32_t n_events = 1, room;

Event *event_by_id(uint32_t id) { return id && id < n_events ? events[id] : NULL; }

Event *event_of(const Call *call, cudaEvent_t handle)
{
    uintptr_t value = (uintptr_t)handle;
    if (!value) return NULL;
    Event *event = (value & TAG_BITS) == EVENT_TAG && !(value & 15) ? event_by_id((uint32_t)(value >> 4)) : NULL;
    if (!event) host_fatal(HOST_STATUS_MISUSE, call->site, "%s: %p is %s", call->name, (void *)handle,
                           (value & TAG_BITS) == STREAM_TAG ? "a stream, not an event"
                                                            : "not an event: was it ever created?");
    if (event->destroyed && event->gone.file)
        host_fatal(HOST_STATUS_MISUSE, call->site, "%s: the event was destroyed at %s:%u", call->name,
                   event->gone.file, event->gone.line);
    if (event->destroyed) host_fatal(HOST_STATUS_MISUSE, call->site, "%s: the event was destroyed", call->name);
    return event;
}

static cudaError_t create(Call *call, cudaEvent_t *to, unsigned flags)
{
    unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!to || flags & ~known) return cudaErrorInvalidValue;
    if (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
    call_spend(runtime.model.costs.event_create);
    Event *event = calloc(1, sizeof *event);
    if (n_events >= room) {
        room = 2 * n_events + 64;
        events = realloc(events, room * sizeof *events);
    }
    if (!event || !events) host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for events");
    *event = (Event){.id = n_events, .device = call_device(), .flags = flags, .made = call->site};
    events[n_events++] = event;
    record_event(call, event);
    *to = (cudaEvent_t)(EVENT_TAG | (uintptr_t)event->id << 4);
    return cudaSuccess;
}

API(cudaEventCreate, 0, (cudaEvent_t *event), (event)) { return create(call, event, cudaEventDefault); }

API(cudaEventCreateWithFlags, 0, (cudaEvent_t *event, unsigned flags), (event, flags))
{
    return create(call, event, flags);
}

static void destroy(Event *event, TraceSite site)
{
    event->destroyed = true;
    event->gone = site;
}

API(cudaEventDestroy, 0, (cudaEvent_t handle), (handle))
{
    Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    call_spend(runtime.model.costs.event_destroy);
    destroy(event, call->site);
    record_eventend(call, event);
    return cudaSuccess;
}

void events_report_leaks(void)
{
    for (uint32_t i = 1; i < n_events; i++)
        if (!events[i]->destroyed)
            hazard_report(&(HazardReport){
                .kind = HAZARD_LEAK, .second = {.verb = "creates an event", .site = events[i]->made, .thread = 1},
                .headline = "an event is never destroyed",
                .fix = "call cudaEventDestroy when it is not needed any more"});
}

void events_reset(int device, TraceSite site)
{
    for (uint32_t i = 1; i < n_events; i++)
        if (events[i]->device == device && !events[i]->destroyed) destroy(events[i], site);
}

static cudaError_t record(Call *call, cudaEvent_t handle, cudaStream_t hStream, unsigned flags)
{
    Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventRecordExternal) return cudaErrorInvalidValue;
    if (flags) return cudaErrorIllegalState;          /* external records are for captures */
    const Stream *stream = stream_of(call, hStream);
    if (stream->device != event->device) return cudaErrorInvalidResourceHandle;
    call_spend(runtime.model.costs.event_record);
    EngineSubmit submit = {0};
    TraceOp op = {.kind = TRACE_RECORD, .event = event->id, .name = ""};
    event->op = work_submit(call, stream, &submit, &op, NULL);
    return cudaSuccess;
}

API_STREAM(cudaEventRecord, 0, (cudaEvent_t event, cudaStream_t stream), (event, stream))
{
    return record(call, event, stream, cudaEventRecordDefault);
}

API_STREAM(cudaEventRecordWithFlags, 0, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
           (event, stream, flags))
{
    return record(call, event, stream, flags);
}

API(cudaEventSynchronize, 0, (cudaEvent_t handle), (handle))
{
    const Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    call_spend(runtime.model.costs.event_sync);
    uint64_t begin = host_now();
    hazard_before_event(event->id);
    cudaError_t error = call_wait(call, event->op);
    hazard_after_event(event->id, call->name, call->site, host_now() - begin);
    return error;
}

API(cudaEventQuery, 0, (cudaEvent_t handle), (handle))
{
    const Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    call_spend(runtime.model.costs.event_query);
    if (!event->op || engine_op_ended(runtime.engine, event->op)) {
        hazard_after_event(event->id, NULL, call->site, 0);
        return runtime.fault;
    }
    call_pending(event, runtime.model.costs.event_query);
    return cudaErrorNotReady;
}

API(cudaEventElapsedTime, 0, (float *ms, cudaEvent_t hStart, cudaEvent_t hEnd), (ms, hStart, hEnd))
{
    if (!ms) return cudaErrorInvalidValue;
    const Event *start = event_of(call, hStart), *end = event_of(call, hEnd);
    if (!start || !end || !start->op || !end->op || (start->flags | end->flags) & cudaEventDisableTiming ||
        start->device != end->device)
        return cudaErrorInvalidResourceHandle;
    uint64_t from = engine_op_end_ns(runtime.engine, start->op), to = engine_op_end_ns(runtime.engine, end->op);
    if (from == ENGINE_NEVER || to == ENGINE_NEVER) {
        call_pending(end, runtime.model.costs.event_query);
        return cudaErrorNotReady;
    }
    hazard_after_event(start->id, NULL, call->site, 0);
    hazard_after_event(end->id, NULL, call->site, 0);
    *ms = (float)((double)(int64_t)(to - from) / 1e6);
    return cudaSuccess;
}
