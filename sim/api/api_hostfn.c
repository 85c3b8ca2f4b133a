/* api_hostfn.c - host functions and callbacks: run on the driver's thread when their stream reaches
 * them. */
#include "sim/api/api.h"
#include <pthread.h>

/* Does it lie in a frame of the calling thread's stack? The thread's number then; else 0. */
static uint32_t frame_of(const void *data)
{
    uintptr_t at = (uintptr_t)data, low = call_stack_of(host_thread());
    pthread_attr_t attributes;
    void *stack;
    size_t bytes;
    if (!low || at < low || pthread_getattr_np(pthread_self(), &attributes)) return 0;
    bool known = pthread_attr_getstack(&attributes, &stack, &bytes) == 0;
    pthread_attr_destroy(&attributes);
    return known && at - (uintptr_t)stack < bytes ? host_thread() : 0;
}

static cudaError_t submit(Call *call, cudaStream_t handle, cudaHostFn_t fn,
                          cudaStreamCallback_t callback, void *data)
{
    const Stream *stream = stream_of(call, handle);
    if (!stream->keeper) call_spend(call->costs->host_fn);
    Operation operation = {.kind = TRACE_HOSTFN,
                           .work_ns = ENGINE_OPEN,
                           .site = call->site,
                           .effect = {EFFECT_FUNCTION,
                                      .function = {.fn = fn,
                                                   .callback = callback,
                                                   .data = data,
                                                   .stream = handle,
                                                   .frame_of = data ? frame_of(data) : 0,
                                                   .student = host_student(),
                                                   .token =
                                                       call_log ? call_log->take_token() : 0}}};
    return operation_submit(call, stream, &operation, NULL, 0);
}

API_STREAM(cudaLaunchHostFunc, 0, (cudaStream_t stream, cudaHostFn_t fn, void *userData),
           (stream, fn, userData))
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
