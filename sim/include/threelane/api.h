/* threelane/api.h - how a CUDA call tells the virtual GPU where in the program it stands.
 *
 * A function of the API is there twice: NAME, of CUDA's own type, for programs that pass it around (as a deleter, to
 * std::thread), for dlsym, and for objects that other compilers made; and threelane_NAME, which has one more parameter,
 * the site. A call is the latter: a macro of the function's name, in calls.def, makes it so. In C++ the site's default
 * is the place of the call, in C the macro passes it. What is called by way of a value has no known place.
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
#else
#define THREELANE_SUFFIX ""
#endif

/* THREELANE_SITED(name, arguments...): the call with its site. THREELANE_SITED0(name, ): one without parameters.
 * THREELANE_PREFETCH, THREELANE_ADVISE: CUDA 13 says where with a cudaMemLocation, CUDA 12 with a device number.
 * THREELANE_OR(value): a default argument, where the language has them.
 * THREELANE_NO(name): a call that is known and not simulated: the end of the program, with its name and line. */
#define THREELANE_OPEN(...) __VA_ARGS__
#ifdef __cplusplus
#define THREELANE_HERE = {__builtin_FILE(), __builtin_LINE()}
#define THREELANE_OR(VALUE) = VALUE
#define THREELANE_SITED(NAME, ...) threelane_##NAME(__VA_ARGS__)
#define THREELANE_SITED0(NAME, ...) threelane_##NAME(__VA_ARGS__)
#define THREELANE_PREFETCH(...) threelane_cudaMemPrefetchAsync(__VA_ARGS__)
#define THREELANE_ADVISE(...) threelane_cudaMemAdvise(__VA_ARGS__)
#define THREELANE_NO(NAME) threelane_unsupported(NAME, ThreelaneSite{__FILE__, __LINE__})
#else
#define THREELANE_HERE ((ThreelaneSite){__FILE__, __LINE__})
#define THREELANE_OR(VALUE)
#define THREELANE_SITED(NAME, ...) threelane_##NAME(__VA_ARGS__, THREELANE_HERE)
#define THREELANE_SITED0(NAME, ...) threelane_##NAME(__VA_ARGS__ THREELANE_HERE)
#define THREELANE_PREFETCH(P, N, WHERE, ...)                                                       \
    _Generic((WHERE), struct cudaMemLocation: threelane_cudaMemPrefetchAsync,                      \
             default: threelane_cudaMemPrefetchAsync_v12)(P, N, WHERE, __VA_ARGS__, THREELANE_HERE)
#define THREELANE_ADVISE(P, N, ADVICE, WHERE)                                                      \
    _Generic((WHERE), struct cudaMemLocation: threelane_cudaMemAdvise,                             \
             default: threelane_cudaMemAdvise_v12)(P, N, ADVICE, WHERE, THREELANE_HERE)
#define THREELANE_NO(NAME) threelane_unsupported(NAME, THREELANE_HERE)
#endif
#endif
