/* threelane/api.h - how a CUDA call tells the virtual GPU where in the program it stands.
 *
 * In C++ every API function has one more parameter, the site, whose default is the place of the call. In C a macro of
 * the function's name passes it (c_sites.h). Both arrive at threelane_NAME; the plain symbol NAME is there as well,
 * for dlsym and for objects that other compilers made.
 */
#ifndef THREELANE_API_H
#define THREELANE_API_H

typedef struct ThreelaneSite {
    const char *file;
    int line;
} ThreelaneSite;

/* Compiled with --default-stream per-thread, stream 0 is the calling thread's own: those calls have names of theirs. */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define THREELANE_SUFFIX "_ptsz"
#define THREELANE_OF(NAME) NAME##_ptsz
#else
#define THREELANE_SUFFIX ""
#define THREELANE_OF(NAME) NAME
#endif

/* THREELANE_CALL(result, name, parameters...): a call.
 * THREELANE_CALL0(result, name):               one without parameters.
 * THREELANE_STREAM_CALL(...):                  one that means the default stream when it says nothing else.
 * THREELANE_VALUE_CALL(...):                   one that programs also pass around as a value (deleters); in C++ too it
 *                                              keeps its plain type, and a macro of its name brings the site.
 * THREELANE_OR(value):                         a default argument, where the language has them. */
#ifdef __cplusplus
#define THREELANE_HERE = {__builtin_FILE(), __builtin_LINE()}
#define THREELANE_OR(VALUE) = VALUE
#define THREELANE_CALL(R, NAME, ...) \
    extern "C" R NAME(__VA_ARGS__, ThreelaneSite site THREELANE_HERE) __asm__("threelane_" #NAME);
#define THREELANE_CALL0(R, NAME) \
    extern "C" R NAME(ThreelaneSite site THREELANE_HERE) __asm__("threelane_" #NAME);
#define THREELANE_STREAM_CALL(R, NAME, ...) \
    extern "C" R NAME(__VA_ARGS__, ThreelaneSite site THREELANE_HERE) __asm__("threelane_" #NAME THREELANE_SUFFIX);
#define THREELANE_VALUE_CALL(R, NAME, ...)                                                         \
    extern "C" R NAME(__VA_ARGS__);                                                                \
    extern "C" R threelane_##NAME(__VA_ARGS__, ThreelaneSite site THREELANE_HERE);
#define THREELANE_CALL_SITE (ThreelaneSite{__FILE__, __LINE__})
extern "C" cudaError_t threelane_unsupported(const char *name, ThreelaneSite site);
#else
#define THREELANE_HERE ((ThreelaneSite){__FILE__, __LINE__})
#define THREELANE_OR(VALUE)
#define THREELANE_CALL(R, NAME, ...)                                                               \
    R NAME(__VA_ARGS__);                                                                           \
    R threelane_##NAME(__VA_ARGS__, ThreelaneSite site);
#define THREELANE_CALL0(R, NAME)                                                                   \
    R NAME(void);                                                                                  \
    R threelane_##NAME(ThreelaneSite site);
#define THREELANE_STREAM_CALL(R, NAME, ...)                                                        \
    THREELANE_CALL(R, NAME, __VA_ARGS__)                                                           \
    R NAME##_ptsz(__VA_ARGS__);                                                                    \
    R threelane_##NAME##_ptsz(__VA_ARGS__, ThreelaneSite site);
#define THREELANE_VALUE_CALL THREELANE_CALL
#define THREELANE_CALL_SITE THREELANE_HERE
cudaError_t threelane_unsupported(const char *name, ThreelaneSite site);
#endif
/* What a call that is known and not simulated becomes: the end of the program, with its name and line. */
#define THREELANE_NO(NAME) threelane_unsupported(NAME, THREELANE_CALL_SITE)
#endif
