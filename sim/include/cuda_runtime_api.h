/* cuda_runtime_api.h - the CUDA runtime API, for C and C++. The calls are the rows of threelane/calls.def; threelane/api.h
 * says how their declarations work. */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#include <stddef.h>
#include "driver_types.h"
#include "threelane/api.h"

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION

#ifdef __cplusplus
extern "C" {
#define THREELANE_SITE ThreelaneSite site THREELANE_HERE
#define THREELANE_STREAM_FORMS(NAME, PARAMETERS)
#else
#define THREELANE_SITE ThreelaneSite site
#define THREELANE_STREAM_FORMS(NAME, PARAMETERS)                                                   \
    cudaError_t NAME##_ptsz(THREELANE_OPEN PARAMETERS);                                            \
    cudaError_t threelane_##NAME##_ptsz(THREELANE_OPEN PARAMETERS, THREELANE_SITE);
#endif

/* Names stand in parentheses where the macro that calls them must not be meant. */
#define TL_TEXT(NAME, PARAMETERS) const char *NAME PARAMETERS;
#define TL_CALL0(NAME, REPLAY, TRACER)                                                                \
    cudaError_t (NAME)(void);                                                                      \
    cudaError_t threelane_##NAME(THREELANE_SITE);
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER)                                                     \
    cudaError_t (NAME)(THREELANE_OPEN PARAMETERS);                                                 \
    cudaError_t threelane_##NAME(THREELANE_OPEN PARAMETERS, THREELANE_SITE);
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER)                                                   \
    cudaError_t (NAME)(THREELANE_OPEN PARAMETERS) __asm__(#NAME THREELANE_SUFFIX);                 \
    cudaError_t threelane_##NAME(THREELANE_OPEN PARAMETERS, THREELANE_SITE)                        \
        __asm__("threelane_" #NAME THREELANE_SUFFIX);                                              \
    THREELANE_STREAM_FORMS(NAME, PARAMETERS)
#define THREELANE_ONLY_RUNTIME
#include "threelane/calls.def"
#undef THREELANE_ONLY_RUNTIME

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
cudaError_t threelane_unsupported(const char *name, ThreelaneSite site);
#ifdef __cplusplus
}
#endif
#endif
