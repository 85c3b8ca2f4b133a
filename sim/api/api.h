/* api.h - what the files of the CUDA API share: how a call is defined.
 *
 * A function of the API checks its arguments as CUDA does, describes what is to happen as an
 * operation, submits it and waits as long as CUDA makes its caller wait. Who else wants to know
 * (the trace, the checker) is told by the runtime: nothing here speaks to them. */
#ifndef THREELANE_SIM_API_H
#define THREELANE_SIM_API_H
#include "sim/include/cuda_runtime_api.h"
#include "sim/runtime/call.h"
#include "sim/runtime/observer.h"
#include "sim/runtime/operation.h"
#include "sim/runtime/place.h"
#include "sim/runtime/stream.h"

/* API(name, flags, (parameters), (arguments)) { body }: defines threelane_name and name; the body
 * is given `call`, and is a function of its own, do_name, which the driver's call of the same
 * purpose is made of (api_driver.h). */
#define OPEN(...) __VA_ARGS__
#define API_BODY(NAME, ...) cudaError_t do_##NAME(__attribute__((unused)) Call *call, __VA_ARGS__)
#define API_ENTRY(NAME, SUFFIX, FLAGS, PARAMETERS, ARGUMENTS)                                    \
    cudaError_t threelane_##NAME##SUFFIX(OPEN PARAMETERS, ThreelaneSite at)                      \
    {                                                                                            \
        Call call;                                                                               \
        if (__builtin_expect(call_log != NULL, 0))                                               \
            call_log->call(#NAME #SUFFIX, at, OPEN ARGUMENTS);                                   \
        call_stack_at(__builtin_dwarf_cfa());                                                    \
        if (call_enter(&call, #NAME, at, FLAGS)) call.result = do_##NAME(&call, OPEN ARGUMENTS); \
        return call_leave(&call);                                                                \
    }                                                                                            \
    cudaError_t(NAME##SUFFIX)(OPEN PARAMETERS)                                                   \
    {                                                                                            \
        return threelane_##NAME##SUFFIX(OPEN ARGUMENTS, (ThreelaneSite){NULL, 0});               \
    }
#define API(NAME, FLAGS, PARAMETERS, ARGUMENTS)     \
    API_BODY(NAME, OPEN PARAMETERS);                \
    API_ENTRY(NAME, , FLAGS, PARAMETERS, ARGUMENTS) \
    API_BODY(NAME, OPEN PARAMETERS)
#define API_STREAM(NAME, FLAGS, PARAMETERS, ARGUMENTS)                       \
    API_BODY(NAME, OPEN PARAMETERS);                                         \
    API_ENTRY(NAME, , FLAGS, PARAMETERS, ARGUMENTS)                          \
    API_ENTRY(NAME, _ptsz, (FLAGS) | CALL_PER_THREAD, PARAMETERS, ARGUMENTS) \
    API_BODY(NAME, OPEN PARAMETERS)
#define API0(NAME, FLAGS)                                                          \
    cudaError_t do_##NAME(Call *call);                                             \
    cudaError_t threelane_##NAME(ThreelaneSite at)                                 \
    {                                                                              \
        Call call;                                                                 \
        if (__builtin_expect(call_log != NULL, 0)) call_log->call(#NAME, at);      \
        call_stack_at(__builtin_dwarf_cfa());                                      \
        if (call_enter(&call, #NAME, at, FLAGS)) call.result = do_##NAME(&call);   \
        return call_leave(&call);                                                  \
    }                                                                              \
    cudaError_t(NAME)(void) { return threelane_##NAME((ThreelaneSite){NULL, 0}); } \
    cudaError_t do_##NAME(__attribute__((unused)) Call *call)
#endif
