/* conformance.h - what the conformance programs share.
 *
 * Each program states, by assertions, how CUDA behaves: as documented, or as measured on an H200. They are plain CUDA,
 * so nvcc and a real GPU judge them as well. Bounds in milliseconds are wide enough for hardware: a call "returns at
 * once" when it takes less than AT_ONCE beside work of BUSY, and "waits" when it takes most of BUSY.
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUSY 20.0
#define AT_ONCE 5.0
#define WAITED 18.0

static int failures;

static inline void check_at(bool good, int line, const char *what)
{
    if (good) return;
    printf("FAIL %d: %s\n", line, what);
    failures++;
}
static inline void is_at(cudaError_t wanted, cudaError_t got, int line, const char *what)
{
    if (wanted == got) return;
    printf("FAIL %d: %s: %s (%d), not %s (%d)\n", line, what, cudaGetErrorName(got), (int)got,
           cudaGetErrorName(wanted), (int)wanted);
    failures++;
}
static inline void took_at(double ms, double least, double most, int line, const char *what)
{
    if (ms >= least && ms < most) return;
    printf("FAIL %d: %s took %.3f ms, not %.3f to %.3f\n", line, what, ms, least, most);
    failures++;
}

static inline void code_at(const char *what, cudaError_t got)
{
    static int n;
    printf("%d %s: %d\n", ++n, what, (int)got);
    cudaGetLastError();
}

#define CHECK(CONDITION) check_at((CONDITION), __LINE__, #CONDITION)
/* The call returns this error. */
#define IS(ERROR, CALL) is_at((cudaError_t)(ERROR), (CALL), __LINE__, #CALL)
/* A line of a table: what the call returns. */
#define CODE(CALL) code_at(#CALL, (CALL))
/* The call succeeds; without it the rest means nothing. */
#define OK(CALL)                                                                                   \
    do {                                                                                           \
        cudaError_t ok_error = (CALL);                                                             \
        if (ok_error != cudaSuccess) {                                                             \
            is_at(cudaSuccess, ok_error, __LINE__, #CALL);                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
/* The call succeeds and takes that long. */
#define TAKES(LEAST, MOST, CALL)                                                                   \
    do {                                                                                           \
        double takes_begin = now_ms();                                                             \
        OK(CALL);                                                                                  \
        took_at(now_ms() - takes_begin, LEAST, MOST, __LINE__, #CALL);                             \
    } while (0)
#define RETURNS_AT_ONCE(CALL) TAKES(0, AT_ONCE, CALL)
#define WAITS(CALL) TAKES(WAITED, 2 * BUSY, CALL)

static inline double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

__device__ static inline unsigned long long timer_ns(void)
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
/* Lasts ns; stamps, if not NULL, its start and end into at[0] and at[1]. */
__global__ static void spin(long long ns, unsigned long long *at)
{
    unsigned long long begin = timer_ns(), now;
    do {
        now = timer_ns();
    } while ((long long)(now - begin) < ns);
    if (at && threadIdx.x == 0 && blockIdx.x == 0) {
        at[0] = begin;
        at[1] = now;
    }
}
/* Keeps a stream busy. */
static inline void busy(cudaStream_t stream, double ms = BUSY)
{
    spin<<<1, 1, 0, stream>>>((long long)(ms * 1e6), NULL);
    OK(cudaGetLastError());
}
/* The first launch and the first copies are slow on hardware. */
static inline void warm_up(void)
{
    static char host[4096];
    void *device, *pinned;
    OK(cudaMalloc(&device, 1 << 20));
    OK(cudaMallocHost(&pinned, 1 << 20));
    busy(0, 0.01);
    OK(cudaMemcpy(device, pinned, 1 << 20, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(pinned, device, 1 << 20, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaMemset(device, 0, 1 << 20));
    OK(cudaFree(device));
    OK(cudaFreeHost(pinned));
    OK(cudaDeviceSynchronize());
}
/* A program about several devices says so where there are fewer, and ends (gpu/conformance counts it as skipped). */
enum { SKIPPED = 77 };
static inline void needs_devices(int n, const char *name)
{
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices >= n) return;
    printf("skipped %s: it needs %d GPUs, and there %s %d\n", name, n, devices == 1 ? "is" : "are", devices);
    exit(SKIPPED);
}
static inline int finish(const char *name)
{
    if (!failures) printf("ok %s\n", name);
    return failures ? 1 : 0;
}
#endif
