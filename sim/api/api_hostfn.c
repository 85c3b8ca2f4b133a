/* api_hostfn.c - host functions and callbacks: run on the driver's thread when their stream reaches them. */
#include "sim/api/api.h"

static cudaError_t submit(Call *call, cudaStream_t handle, cudaHostFn_t fn, cudaStreamCallback_t callback, void *data)
{
    const Stream *stream = stream_of(call, handle);
    call_spend(call->costs->host_fn);
    Operation operation = {.kind = TRACE_HOSTFN, .work_ns = ENGINE_OPEN, .site = call->site,
                           .effect = {EFFECT_FUNCTION, .function = {
                               .fn = fn, .callback = callback, .data = data, .stream = handle,
                               .token = call_log ? call_log->take_token() : 0}}};
    return operation_submit(call, stream, &operation, NULL, 0);
}

API_STREAM(cudaLaunchHostFunc, 0, (cudaStream_t stream, cudaHostFn_t fn, void *userData), (stream, fn, userData))
{
    if (!fn) return cudaErrorInvalidValue;
    return submit(call, stream, fn, NULL, userData);
}

API_STREAM(cudaStreamAddCallback, 0,
           (cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned flags),
           (stream, callback, userData, flags))
{
    if (!callback || flags) return cudaErrorInvalidValue;
    return submit(call, stream, NULL, callback, userData);
}
