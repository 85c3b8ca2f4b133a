/* api_driver.h - what the calls of the driver API are made of: the bodies of the runtime's calls.
 *
 * A driver call checks what the driver alone is strict about, and is then the runtime's call of the
 * same purpose: its body, do_cudaX(call, ...), with a call of the driver's name around it. Codes
 * become the driver's when the call ends (call.c). */
#ifndef THREELANE_API_DRIVER_H
#define THREELANE_API_DRIVER_H
#include "sim/api/api.h"
#include "sim/include/cuda.h"

/* The bodies of the runtime's calls (API in api.h). */
#define TL_CALL0(NAME, REPLAY, TRACER) cudaError_t do_##NAME(Call *);
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) cudaError_t do_##NAME(Call *, OPEN PARAMETERS);
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) cudaError_t do_##NAME(Call *, OPEN PARAMETERS);
#define THREELANE_ONLY_RUNTIME
#include "sim/include/threelane/calls.def"
#undef THREELANE_ONLY_RUNTIME

/* DRIVER(name, flags, (parameters), (arguments)) { body }, as API: the body is given `call`, and
 * returns the code as the runtime has it. */
#define DRIVER_BODY(NAME, ...) \
    static cudaError_t do_##NAME(__attribute__((unused)) Call *call, __VA_ARGS__)
#define DRIVER_ENTRY(NAME, SUFFIX, FLAGS, PARAMETERS, ARGUMENTS)                   \
    CUresult threelane_##NAME##SUFFIX(OPEN PARAMETERS, ThreelaneSite at)           \
    {                                                                              \
        Call call;                                                                 \
        if (__builtin_expect(call_log != NULL, 0))                                 \
            call_log->call(#NAME #SUFFIX, at, OPEN ARGUMENTS);                     \
        call_stack_at(__builtin_dwarf_cfa());                                      \
        if (call_enter(&call, #NAME, at, (FLAGS) | CALL_DRIVER))                   \
            call.result = do_##NAME(&call, OPEN ARGUMENTS);                        \
        return (CUresult)call_leave(&call);                                        \
    }                                                                              \
    CUresult(NAME##SUFFIX)(OPEN PARAMETERS)                                        \
    {                                                                              \
        return threelane_##NAME##SUFFIX(OPEN ARGUMENTS, (ThreelaneSite){NULL, 0}); \
    }
#define DRIVER(NAME, FLAGS, PARAMETERS, ARGUMENTS)     \
    DRIVER_BODY(NAME, OPEN PARAMETERS);                \
    DRIVER_ENTRY(NAME, , FLAGS, PARAMETERS, ARGUMENTS) \
    DRIVER_BODY(NAME, OPEN PARAMETERS)
#define DRIVER_STREAM(NAME, FLAGS, PARAMETERS, ARGUMENTS)                       \
    DRIVER_BODY(NAME, OPEN PARAMETERS);                                         \
    DRIVER_ENTRY(NAME, , FLAGS, PARAMETERS, ARGUMENTS)                          \
    DRIVER_ENTRY(NAME, _ptsz, (FLAGS) | CALL_PER_THREAD, PARAMETERS, ARGUMENTS) \
    DRIVER_BODY(NAME, OPEN PARAMETERS)
#define DRIVER0(NAME, FLAGS)                                                                     \
    static cudaError_t do_##NAME(Call *call);                                                    \
    CUresult threelane_##NAME(ThreelaneSite at)                                                  \
    {                                                                                            \
        Call call;                                                                               \
        if (__builtin_expect(call_log != NULL, 0)) call_log->call(#NAME, at);                    \
        call_stack_at(__builtin_dwarf_cfa());                                                    \
        if (call_enter(&call, #NAME, at, (FLAGS) | CALL_DRIVER)) call.result = do_##NAME(&call); \
        return (CUresult)call_leave(&call);                                                      \
    }                                                                                            \
    CUresult(NAME)(void) { return threelane_##NAME((ThreelaneSite){NULL, 0}); }                  \
    static cudaError_t do_##NAME(__attribute__((unused)) Call *call)

/* The driver's library has a function under another name than programs call it by: what was
 * compiled with NVIDIA's header asks for that one. */
#define ALSO_CALLED(NAME, OTHER) __asm__(".globl " #OTHER "\n.set " #OTHER ", " #NAME);

/* A device's memory as the runtime has it. */
static inline void *driver_pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* "CUDA_ERROR_INVALID_VALUE"; NULL: there is no such code. */
const char *driver_error_name(int code);
/* The context that is current to the calling thread; NULL: none. */
CUcontext driver_context(void);
/* The context of a stream's or pointer's device: the one that there is. */
CUcontext driver_context_of(int device);
/* The device of a context; -1 for a NULL handle. */
int driver_device_of(const Call *, CUcontext);
#endif
