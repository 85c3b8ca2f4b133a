/* api_event.c - events. A record captures what its stream holds at the call, and a later record
 * replaces it. */
#include "sim/api/api.h"
#include "sim/graph/capture.h"
#include "sim/nested/nested.h"

static cudaError_t create(Call *call, cudaEvent_t *to, unsigned flags)
{
    unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!to || flags & ~known) return cudaErrorInvalidValue;
    if (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming))
        return cudaErrorInvalidValue;
    call_spend(call->costs->event_create);
    *to = event_handle(event_new(call, flags));
    return cudaSuccess;
}

API(cudaEventCreate, 0, (cudaEvent_t * event), (event))
{
    return create(call, event, cudaEventDefault);
}

API(cudaEventCreateWithFlags, CALL_IN_KERNEL, (cudaEvent_t * event, unsigned flags), (event, flags))
{
    if (exec_in_kernel()) return nested_event_create(event, flags);
    return create(call, event, flags);
}

API(cudaEventDestroy, CALL_IN_KERNEL, (cudaEvent_t handle), (handle))
{
    if (exec_in_kernel()) return nested_event_destroy(handle);
    Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    call_spend(call->costs->event_destroy);
    event_destroy(call, event);
    return cudaSuccess;
}

static cudaError_t record(Call *call, cudaEvent_t handle, cudaStream_t hStream, unsigned flags)
{
    Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    if (flags & ~(unsigned)cudaEventRecordExternal) return cudaErrorInvalidValue;
    const Stream *stream = stream_of(call, hStream);
    if (flags && !capture_has(stream)) return cudaErrorIllegalState;
    if (stream->device != event->device) return cudaErrorInvalidResourceHandle;
    cudaError_t error = CAPTURE_RULE(work, call, stream);
    if (error) return error;
    call_spend(call->costs->event_record);
    Operation operation = {.kind = TRACE_RECORD,
                           .event = event->id,
                           .timed = !(event->flags & cudaEventDisableTiming),
                           .site = call->site};
    if (flags) {
        struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeEventRecord,
                                             .eventRecord = {handle}};
        return capture_node(call, stream, &params, &operation, NULL);
    }
    if ((capture_rules || event->captured) && capture_record(stream, event)) return cudaSuccess;
    error = operation_submit(call, stream, &operation, NULL, 0);
    event->op = call->op;
    event->early = 0;
    return error;
}

API_STREAM(cudaEventRecord, CALL_IN_KERNEL, (cudaEvent_t event, cudaStream_t stream),
           (event, stream))
{
    if (exec_in_kernel()) return nested_event_record(event, stream);
    return record(call, event, stream, cudaEventRecordDefault);
}

API_STREAM(cudaEventRecordWithFlags, 0, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
           (event, stream, flags))
{
    return record(call, event, stream, flags);
}

/* A captured event has no state; of another one, a capture would not know that it was asked for. */
static cudaError_t may_ask(Call *call, const Event *event)
{
    return event->captured ? capture_ask_event(call, event, true) : CAPTURE_RULE(unsafe, call);
}

API(cudaEventSynchronize, 0, (cudaEvent_t handle), (handle))
{
    const Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    cudaError_t error = may_ask(call, event);
    if (error) return error;
    call_spend(call->costs->event_sync);
    return event_wait(call, event);
}

API(cudaEventQuery, 0, (cudaEvent_t handle), (handle))
{
    const Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    cudaError_t error = may_ask(call, event);
    if (error) return error;
    call_spend(call->costs->event_query);
    if (!event->op || engine_op_ended(runtime.engine, event->op)) {
        event_seen(call, event);
        return runtime.fault;
    }
    call_pending(event, call->costs->event_query);
    return cudaErrorNotReady;
}

API(cudaEventElapsedTime, 0, (float *ms, cudaEvent_t hStart, cudaEvent_t hEnd), (ms, hStart, hEnd))
{
    if (!ms) return cudaErrorInvalidValue;
    const Event *start = event_of(call, hStart), *end = event_of(call, hEnd);
    if (start && start->captured) return capture_ask_event(call, start, false);
    if (end && end->captured) return capture_ask_event(call, end, false);
    if (!start || !end || !start->op || !end->op ||
        (start->flags | end->flags) & cudaEventDisableTiming || start->device != end->device)
        return cudaErrorInvalidResourceHandle;
    uint64_t from = engine_op_end_ns(runtime.engine, start->op),
             to = engine_op_end_ns(runtime.engine, end->op);
    if (from == ENGINE_NEVER || to == ENGINE_NEVER) {
        call_pending(end, call->costs->event_query);
        return cudaErrorNotReady;
    }
    event_seen(call, start);
    event_seen(call, end);
    TELL(measures, call, start, end);
    *ms = (float)((double)(int64_t)(to - from) / 1e6);
    return cudaSuccess;
}
