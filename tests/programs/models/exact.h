// exact.h - what the programs of this folder share: schedules that can be worked out by hand, on exact models, and how
// long each takes in the model's units.
#ifndef EXACT_H
#define EXACT_H
#include <cstdio>
#include <cstdlib>
#include <ctime>

static const double unit_ns = 1e6;

static long long now_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

// Until the device is idle again, in units.
template <class F> static double units(F work)
{
    cudaDeviceSynchronize();
    long long begin = now_ns();
    work();
    cudaDeviceSynchronize();
    return (double)(now_ns() - begin) / unit_ns;
}

static int bad;
#define LASTS(WANTED, ...)                                                                         \
    do {                                                                                           \
        double lasts_units = units(__VA_ARGS__);                                                   \
        if (lasts_units != (WANTED))                    \
            printf("line %d: %.9g units, not %g\n", __LINE__, lasts_units, (double)(WANTED)), bad++; \
    } while (0)
#define MUST(CALL)                                                                                     \
    do {                                                                                               \
        cudaError_t must_error = (CALL);                                                               \
        if (must_error != cudaSuccess) {                                                               \
            printf("line %d: %s: %s\n", __LINE__, #CALL, cudaGetErrorString(must_error)), exit(1);     \
        }                                                                                              \
    } while (0)
#endif
