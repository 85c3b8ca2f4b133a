/* api_hostfn.c - host functions and callbacks: run on the driver's thread when their stream reaches them. */
#include "sim/runtime/runtime.h"
#include <stdlib.h>

/* A host function of the student's, in a program that keeps a log. */
typedef struct Logged {
    uint32_t token;
    cudaHostFn_t fn;
    cudaStreamCallback_t callback;
    void *data;
    cudaStream_t stream;
} Logged;

static void run_logged(void *arg)
{
    Logged logged = *(Logged *)arg;
    free(arg);
    log_host_function(logged.token);
    if (logged.callback) logged.callback(logged.stream, runtime.fault, logged.data);
    else logged.fn(logged.data);
    log_host_function_end();
}

static cudaError_t submit(Call *call, cudaStream_t handle, cudaHostFn_t fn, cudaStreamCallback_t callback, void *data)
{
    const Stream *stream = stream_of(call, handle);
    call_spend(runtime.model.costs.host_fn);
    EngineSubmit what = {.work_ns = ENGINE_OPEN};
    TraceOp op = {.kind = TRACE_HOSTFN, .name = ""};
    Work work = {.effect = WORK_HOSTFN, .site = call->site,
                 .host = {.fn = fn, .callback = callback, .data = data, .stream = handle}};
    uint32_t token = log_on ? log_take_token() : 0;
    if (token) {
        Logged *logged = malloc(sizeof *logged);
        if (!logged) return cudaErrorMemoryAllocation;
        *logged = (Logged){token, fn, callback, data, handle};
        work.host.fn = run_logged;
        work.host.callback = NULL;
        work.host.data = logged;
    }
    work_submit(call, stream, &what, &op, &work);
    return cudaSuccess;
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
