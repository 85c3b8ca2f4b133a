/* api_stream.c - streams. */
#include "sim/api/api.h"
#include "sim/launch/launch_attributes.h"
#include "sim/graph/capture.h"
#include "sim/nested/nested.h"

static cudaError_t create(Call *call, cudaStream_t *to, unsigned flags, int priority)
{
    if (!to || flags & ~(unsigned)cudaStreamNonBlocking) return cudaErrorInvalidValue;
    const Model *model = device_model(call_device());
    if (priority > model->priority_low) priority = model->priority_low;
    if (priority < model->priority_high) priority = model->priority_high;
    call_spend(call->costs->stream_create);
    *to = stream_handle(stream_new(call, flags ? TRACE_STREAM_NONBLOCKING : TRACE_STREAM_BLOCKING,
                                   flags, priority));
    return cudaSuccess;
}

API(cudaStreamCreate, 0, (cudaStream_t * pStream), (pStream))
{
    return create(call, pStream, cudaStreamDefault, 0);
}

API(cudaStreamCreateWithFlags, CALL_IN_KERNEL, (cudaStream_t * pStream, unsigned flags),
    (pStream, flags))
{
    if (exec_in_kernel()) return nested_stream_create(pStream, flags);
    return create(call, pStream, flags, 0);
}

API(cudaStreamCreateWithPriority, 0, (cudaStream_t * pStream, unsigned flags, int priority),
    (pStream, flags, priority))
{
    return create(call, pStream, flags, priority);
}

/* Returns at once; the work in the stream still finishes. */
API(cudaStreamDestroy, CALL_IN_KERNEL, (cudaStream_t handle), (handle))
{
    if (exec_in_kernel()) return nested_stream_destroy(handle);
    Stream *stream = stream_of(call, handle);
    if (stream->flavour == TRACE_STREAM_LEGACY || stream->flavour == TRACE_STREAM_PER_THREAD)
        return cudaErrorInvalidResourceHandle;
    capture_forget_stream(call, stream);
    call_spend(call->costs->stream_destroy);
    stream_destroy(stream, call->site);
    return cudaSuccess;
}

API_STREAM(cudaStreamSynchronize, 0, (cudaStream_t handle), (handle))
{
    const Stream *stream = stream_of(call, handle);
    cudaError_t error = CAPTURE_RULE(ask, call, stream);
    if (error) return error;
    call_spend(call->costs->stream_sync);
    return stream_wait(call, stream);
}

API_STREAM(cudaStreamQuery, 0, (cudaStream_t handle), (handle))
{
    const Stream *stream = stream_of(call, handle);
    cudaError_t error = CAPTURE_RULE(ask, call, stream);
    if (error) return error;
    call_spend(call->costs->stream_query);
    if (engine_stream_idle(runtime.engine, stream->id)) {
        stream_seen(call, stream);
        return runtime.fault;
    }
    call_pending(stream, call->costs->stream_query);
    return cudaErrorNotReady;
}

/* Waits for what the event stands for now; an event that was never recorded stands for nothing. */
API_STREAM(cudaStreamWaitEvent, CALL_IN_KERNEL,
           (cudaStream_t handle, cudaEvent_t hEvent, unsigned flags), (handle, hEvent, flags))
{
    if (exec_in_kernel()) return nested_stream_wait(handle, hEvent);
    Stream *stream = stream_of(call, handle);
    Event *event = event_of(call, hEvent);
    if (!event) {
        if (capture_rules) capture_rules->fails(stream);
        return cudaErrorInvalidResourceHandle;
    }
    if (flags & ~(unsigned)cudaEventWaitExternal) return cudaErrorInvalidValue;
    if (flags && !capture_has(stream)) return cudaErrorIllegalState;
    call_spend(call->costs->stream_wait);
    if (flags) {
        Operation wait = {.kind = TRACE_WAIT, .event = event->id, .site = call->site};
        struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeWaitEvent,
                                             .eventWait = {hEvent}};
        return capture_node(call, stream, &params, &wait, NULL);
    }
    bool done = false;
    cudaError_t error =
        capture_rules || event->captured ? capture_wait(call, stream, event, &done) : cudaSuccess;
    if (error || done) return error;
    if (!event->op) {
        stream_waits_for_nothing(call, stream, event);
        return cudaSuccess;
    }
    Operation operation = {.kind = TRACE_WAIT, .event = event->id, .site = call->site};
    if (event->early) operation_early(stream, event->early, event->early_ends);
    return operation_submit(call, stream, &operation, &event->op, 1);
}

/* As a card has it: these two alone, of all that only tell. */
static const char not_told[] = "CUDA does not tell that of a stream that is being captured: ask "
                               "before the capture begins";

API_STREAM(cudaStreamGetFlags, 0, (cudaStream_t handle, unsigned *flags), (handle, flags))
{
    const Stream *stream = stream_of(call, handle);
    if (!flags) return cudaErrorInvalidValue;
    if (capture_has(stream)) return capture_refuse(call, stream, not_told);
    *flags = stream->flags;
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

API_STREAM(cudaStreamGetId, 0, (cudaStream_t handle, unsigned long long *streamId),
           (handle, streamId))
{
    const Stream *stream = stream_of(call, handle);
    if (!streamId) return cudaErrorInvalidValue;
    if (capture_has(stream)) return capture_refuse(call, stream, not_told);
    *streamId = stream->id;
    return cudaSuccess;
}

API_STREAM(cudaStreamIsCapturing, 0,
           (cudaStream_t handle, enum cudaStreamCaptureStatus *pCaptureStatus),
           (handle, pCaptureStatus))
{
    CaptureInfo info;
    if (!pCaptureStatus) return cudaErrorInvalidValue;
    cudaError_t error = capture_info(call, stream_of(call, handle), &info);
    if (!error) *pCaptureStatus = info.status;
    return error;
}

/* ---- attributes ---- */

API_STREAM(cudaStreamGetAttribute, 0,
           (cudaStream_t handle, cudaStreamAttrID attr, cudaStreamAttrValue *value_out),
           (handle, attr, value_out))
{
    const Stream *stream = stream_of(call, handle);
    if (!value_out) return cudaErrorInvalidValue;
    return launch_stream_attribute(stream, attr, value_out);
}

API_STREAM(cudaStreamSetAttribute, 0,
           (cudaStream_t handle, cudaStreamAttrID attr, const cudaStreamAttrValue *value),
           (handle, attr, value))
{
    Stream *stream = stream_of(call, handle);
    if (!value) return cudaErrorInvalidValue;
    return launch_stream_set_attribute(call, stream, attr, value);
}

API_STREAM(cudaStreamCopyAttributes, 0, (cudaStream_t dst, cudaStream_t src), (dst, src))
{
    Stream *to = stream_of(call, dst);
    const Stream *from = stream_of(call, src);
    if (to->device != from->device) return cudaErrorInvalidValue;
    to->hints = from->hints;
    to->priority = from->priority;
    to->priority_changed = true;
    return cudaSuccess;
}
