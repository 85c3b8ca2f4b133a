/* harness.h - what every exercise's harness shares. Plain C and CUDA: the same on a virtual and on a real GPU.
 *
 * Results go to the file named by THREELANE_RESULTS (binary, see result_dump); nothing happens when it is not set.
 * Values go to the file named by THREELANE_VALUES, a line each. fd:N in place of a file: an open descriptor. Random input
 * comes from the number in THREELANE_INPUT (else THREELANE_SEED, else 1).
 * The file is for harnesses; a student's .cu includes only its exNN.h. */
#ifndef THREELANE_HARNESS_H
#define THREELANE_HARNESS_H
/* (mathematics comes with every CUDA source; <math.h> by itself is a tenth of a second of each compilation) */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

/* A harness's own CUDA call: it has to work, or nothing that follows means anything. */
#define HARNESS_CALL(call) harness_call((call), #call, __FILE__, __LINE__)
static inline void harness_call(cudaError_t result, const char *text, const char *file, int line)
{
    if (result == cudaSuccess) return;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, text, cudaGetErrorString(result));
    exit(1);
}

/* Host work that lasts this long by the clock. */
static inline void host_work(long us)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000000L + (now.tv_nsec - begin.tv_nsec) < us * 1000L);
}

/* Deterministic input: xorshift64*, seeded from THREELANE_INPUT and a salt. Floats in [0, 1). */
static inline uint64_t harness_seed(uint64_t salt)
{
    const char *text = getenv("THREELANE_INPUT");
    if (!text) text = getenv("THREELANE_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 1;
    seed = seed * 0x9E3779B97F4A7C15ull + salt * 0xBF58476D1CE4E5B9ull + 0x94D049BB133111EBull;
    return seed ? seed : 1;
}
static inline uint64_t harness_next(uint64_t *state)
{
    *state ^= *state >> 12; *state ^= *state << 25; *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Dull;
}
static inline void harness_fill(float *to, size_t n, uint64_t salt)
{
    uint64_t state = harness_seed(salt);
    for (size_t i = 0; i < n; i++) to[i] = (float)(harness_next(&state) >> 40) / 16777216.0f;
}
/* The same into every stride-th of n floats: to[0] gets the first, to[stride] the second. */
static inline void harness_fill_every(float *to, size_t n, size_t stride, uint64_t salt)
{
    uint64_t state = harness_seed(salt);
    for (size_t i = 0; i < n; i += stride) to[i] = (float)(harness_next(&state) >> 40) / 16777216.0f;
}

static inline FILE *harness_open(const char *variable, const char *mode)
{
    const char *path = getenv(variable);
    if (path && !strncmp(path, "fd:", 3)) return fdopen(dup(atoi(path + 3)), mode);
    return path ? fopen(path, mode) : NULL;
}

/* Dumps n floats under a name. Format, a record each: "dump NAME f32 N\n", then N little-endian floats, then "\n". */
static inline void result_dump(const char *name, const float *values, size_t n)
{
    FILE *file = harness_open("THREELANE_RESULTS", "ab");
    if (!file) return;
    fprintf(file, "dump %s f32 %zu\n", name, n);
    fwrite(values, sizeof *values, n, file);
    fputc('\n', file);
    fclose(file);
}

/* Dumps every stride-th of n floats. */
static inline void result_dump_every(const char *name, const float *values, size_t n, size_t stride)
{
    float *some = stride > 1 ? (float *)malloc(n / stride * sizeof *some) : NULL;
    for (size_t i = 0; some && i < n / stride; i++) some[i] = values[i * stride];
    if (stride == 1) result_dump(name, values, n);
    else if (some) result_dump(name, some, n / stride);
    free(some);
}

/* A named value for the report: a line "NAME VALUE". */
static inline void value_print(const char *name, const char *value)
{
    FILE *file = harness_open("THREELANE_VALUES", "a");
    if (!file) return;
    fprintf(file, "%s %s\n", name, value);
    fclose(file);
}

/* Says that a student's function will be given memory of the harness's own, which is not from CUDA: `bytes` from
 * `memory` on. Grading needs to know (grader/TRUST.md); it does nothing elsewhere. */
extern "C" void threelane_shown(const void *memory, size_t bytes) __attribute__((weak));
static inline void harness_shows(const void *memory, size_t bytes)
{
    if (threelane_shown) threelane_shown(memory, bytes);
}

/* Says what a function of the harness's, which a student's code calls, is about to touch through a pointer that it was
 * given: `bytes` from `memory` on. Where calls are made again that nobody trusts (grader/TRUST.md), a pointer to less
 * ends the program with the line of its log; it does nothing elsewhere. */
extern "C" void threelane_needs(const void *memory, size_t bytes) __attribute__((weak));
static inline void harness_needs(const void *memory, size_t bytes)
{
    if (threelane_needs) threelane_needs(memory, bytes);
}

/* Says that a kernel which exNN.h declares is the student's to write. Then it can be graded: it runs in a process of its
 * own (grader/TRUST.md). At file level. */
#define harness_uses(kernel) \
    extern const void *const harness_uses_##kernel; \
    const void *const harness_uses_##kernel = (const void *)kernel

/* How many clock cycles more (or fewer, negative) a kernel must spin, if it lasts have_ms and should last want_ms; 0
 * when that is close enough, as it is at once where every kernel takes one unit. In an explored schedule every kernel
 * and copy has a length of its own, and nothing can be tuned. */
static inline long long harness_spin_cycles(float have_ms, float want_ms)
{
    const char *seed = getenv("THREELANE_SEED");
    int khz = 0;
    if (seed && strcmp(seed, "0") != 0) return 0;
    if (fabsf(have_ms - want_ms) <= 0.005f * want_ms) return 0;
    HARNESS_CALL(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    return (long long)((want_ms - have_ms) * (float)khz);
}

/* The milliseconds between two events that have been recorded; waits for the second and destroys both. */
static inline float harness_elapsed(cudaEvent_t begin, cudaEvent_t end)
{
    float ms = 0;
    HARNESS_CALL(cudaEventSynchronize(end));
    HARNESS_CALL(cudaEventElapsedTime(&ms, begin, end));
    HARNESS_CALL(cudaEventDestroy(begin));
    HARNESS_CALL(cudaEventDestroy(end));
    return ms;
}
#endif
