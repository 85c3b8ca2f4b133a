/* api_stream.c - streams. A handle is a tag and a number; the default streams have the values CUDA gives them. */
#include "sim/runtime/runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


static Stream **streams;              /* by id */
static uint32_t n_streams, room;
static Stream *legacy[RUNTIME_DEVICES];
static _Thread_local Stream *own[RUNTIME_DEVICES];    /* each host thread's per-thread default stream */

static Stream *make(int device, TraceStreamFlavour flavour, unsigned flags, int priority, TraceSite site)
{
    Stream *stream = calloc(1, sizeof *stream);
    uint32_t id = engine_stream_new(runtime.engine, device, flavour, priority);
    if (id >= room) {
        room = 2 * id + 64;
        streams = realloc(streams, room * sizeof *streams);
    }
    if (!stream || !id || !streams) host_fatal(HOST_STATUS_CRASH, site, "out of memory for streams");
    while (n_streams < id) streams[n_streams++] = NULL;
    *stream = (Stream){.id = id, .device = device, .priority = priority, .flags = flags, .flavour = flavour,
                       .made = site};
    streams[id] = stream;
    n_streams = id + 1;
    record_stream(stream);
    hazard_stream(id, device, flavour);
    return stream;
}

void streams_start(void)
{
    for (int i = 0; i < runtime.devices; i++)
        legacy[i] = make(i, TRACE_STREAM_LEGACY, cudaStreamDefault, 0, (TraceSite){NULL, 0});
}

Stream *stream_by_id(uint32_t id) { return id < n_streams ? streams[id] : NULL; }

cudaStream_t stream_handle(const Stream *stream)
{
    if (stream->flavour == TRACE_STREAM_LEGACY) return NULL;
    if (stream->flavour == TRACE_STREAM_PER_THREAD) return cudaStreamPerThread;
    return (cudaStream_t)(STREAM_TAG | (uintptr_t)stream->id << 4);
}

static Stream *per_thread(void)
{
    Stream **slot = &own[call_device()];
    if (!*slot) *slot = make(call_device(), TRACE_STREAM_PER_THREAD, cudaStreamDefault, 0, (TraceSite){NULL, 0});
    return *slot;
}

Stream *stream_of(const Call *call, cudaStream_t handle)
{
    uintptr_t value = (uintptr_t)handle;
    if (!value) return call->flags & CALL_PER_THREAD ? per_thread() : legacy[call_device()];
    if (handle == cudaStreamLegacy) return legacy[call_device()];
    if (handle == cudaStreamPerThread) return per_thread();
    Stream *stream = (value & TAG_BITS) == STREAM_TAG && !(value & 15) ? stream_by_id((uint32_t)(value >> 4)) : NULL;
    if (!stream) host_fatal(HOST_STATUS_MISUSE, call->site, "%s: %p is %s", call->name, (void *)handle,
                            (value & TAG_BITS) == EVENT_TAG ? "an event, not a stream"
                                                            : "not a stream: was it ever created?");
    if (stream->destroyed && stream->gone.file)
        host_fatal(HOST_STATUS_MISUSE, call->site, "%s: the stream was destroyed at %s:%u", call->name,
                   stream->gone.file, stream->gone.line);
    if (stream->destroyed) host_fatal(HOST_STATUS_MISUSE, call->site, "%s: the stream was destroyed", call->name);
    return stream;
}

static void destroy(Stream *stream, TraceSite site)
{
    stream->destroyed = true;
    stream->gone = site;
    engine_stream_release(runtime.engine, stream->id);
    record_streamend(stream);
}

void streams_report_leaks(void)
{
    char headline[64];
    for (uint32_t i = 1; i < n_streams; i++) {
        const Stream *stream = streams[i];
        if (!stream || stream->destroyed ||
            (stream->flavour != TRACE_STREAM_BLOCKING && stream->flavour != TRACE_STREAM_NONBLOCKING))
            continue;
        snprintf(headline, sizeof headline, "{stream %u} is never destroyed", i);
        hazard_report(&(HazardReport){
            .kind = HAZARD_LEAK, .second = {.verb = "creates a stream", .site = stream->made, .thread = 1},
            .headline = headline, .fix = "call cudaStreamDestroy when it is not needed any more"});
    }
}

void streams_reset(int device, TraceSite site)
{
    for (uint32_t i = 1; i < n_streams; i++)
        if (streams[i] && streams[i]->device == device && !streams[i]->destroyed &&
            (streams[i]->flavour == TRACE_STREAM_BLOCKING || streams[i]->flavour == TRACE_STREAM_NONBLOCKING))
            destroy(streams[i], site);
}

static cudaError_t create(Call *call, cudaStream_t *to, unsigned flags, int priority)
{
    if (!to || flags & ~(unsigned)cudaStreamNonBlocking) return cudaErrorInvalidValue;
    const Model *model = &runtime.model;
    if (priority > model->priority_low) priority = model->priority_low;
    if (priority < model->priority_high) priority = model->priority_high;
    call_spend(model->costs.stream_create);
    *to = stream_handle(make(call_device(), flags ? TRACE_STREAM_NONBLOCKING : TRACE_STREAM_BLOCKING, flags, priority,
                             call->site));
    return cudaSuccess;
}

API(cudaStreamCreate, 0, (cudaStream_t *pStream), (pStream)) { return create(call, pStream, cudaStreamDefault, 0); }

API(cudaStreamCreateWithFlags, 0, (cudaStream_t *pStream, unsigned flags), (pStream, flags))
{
    return create(call, pStream, flags, 0);
}

API(cudaStreamCreateWithPriority, 0, (cudaStream_t *pStream, unsigned flags, int priority),
    (pStream, flags, priority))
{
    return create(call, pStream, flags, priority);
}

/* Returns at once; the work in the stream still finishes. */
API(cudaStreamDestroy, 0, (cudaStream_t handle), (handle))
{
    Stream *stream = stream_of(call, handle);
    if (stream->flavour == TRACE_STREAM_LEGACY || stream->flavour == TRACE_STREAM_PER_THREAD)
        return cudaErrorInvalidResourceHandle;
    call_spend(runtime.model.costs.stream_destroy);
    destroy(stream, call->site);
    return cudaSuccess;
}

API_STREAM(cudaStreamSynchronize, 0, (cudaStream_t handle), (handle))
{
    const Stream *stream = stream_of(call, handle);
    call_spend(runtime.model.costs.stream_sync);
    uint64_t begin = host_now();
    hazard_before_stream(stream->id);
    cudaError_t error = call_wait(call, engine_stream_tail(runtime.engine, stream->id));
    hazard_after_stream(stream->id, call->name, call->site, host_now() - begin);
    return error;
}

API_STREAM(cudaStreamQuery, 0, (cudaStream_t handle), (handle))
{
    const Stream *stream = stream_of(call, handle);
    call_spend(runtime.model.costs.stream_query);
    if (engine_stream_idle(runtime.engine, stream->id)) {
        hazard_after_stream(stream->id, NULL, call->site, 0);
        return runtime.fault;
    }
    call_pending(stream, runtime.model.costs.stream_query);
    return cudaErrorNotReady;
}

/* Waits for what the event stands for now; an event that was never recorded stands for nothing. */
API_STREAM(cudaStreamWaitEvent, 0, (cudaStream_t handle, cudaEvent_t hEvent, unsigned flags),
           (handle, hEvent, flags))
{
    const Stream *stream = stream_of(call, handle);
    const Event *event = event_of(call, hEvent);
    if (!event) return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventWaitExternal) return cudaErrorInvalidValue;
    if (flags) return cudaErrorIllegalState;          /* external waits are for captures */
    call_spend(runtime.model.costs.stream_wait);
    if (!event->op) {
        hazard_wait_nothing(stream->id, event->id, call->site);
        return cudaSuccess;
    }
    EngineSubmit submit = {.after = &event->op, .n_after = 1};
    TraceOp op = {.kind = TRACE_WAIT, .event = event->id, .name = ""};
    work_submit(call, stream, &submit, &op, NULL);
    return cudaSuccess;
}

API_STREAM(cudaStreamGetFlags, 0, (cudaStream_t handle, unsigned *flags), (handle, flags))
{
    if (!flags) return cudaErrorInvalidValue;
    *flags = stream_of(call, handle)->flags;
    return cudaSuccess;
}

API_STREAM(cudaStreamGetPriority, 0, (cudaStream_t handle, int *priority), (handle, priority))
{
    if (!priority) return cudaErrorInvalidValue;
    *priority = stream_of(call, handle)->priority;
    return cudaSuccess;
}

API_STREAM(cudaStreamGetDevice, 0, (cudaStream_t handle, int *device), (handle, device))
{
    if (!device) return cudaErrorInvalidValue;
    *device = stream_of(call, handle)->device;
    return cudaSuccess;
}

API_STREAM(cudaStreamGetId, 0, (cudaStream_t handle, unsigned long long *streamId), (handle, streamId))
{
    if (!streamId) return cudaErrorInvalidValue;
    *streamId = stream_of(call, handle)->id;
    return cudaSuccess;
}

API_STREAM(cudaStreamIsCapturing, 0, (cudaStream_t handle, enum cudaStreamCaptureStatus *pCaptureStatus),
           (handle, pCaptureStatus))
{
    if (!pCaptureStatus) return cudaErrorInvalidValue;
    stream_of(call, handle);
    *pCaptureStatus = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
