/* memset_mystery.h - exercise 50's program: two streams, two rounds, each copies in, clears, counts, copies out and
 * calls the host; in the driver API. A program says how it clears, and how many blocks its kernel has. */
#ifndef MEMSET_MYSTERY_H
#define MEMSET_MYSTERY_H
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MUST(CALL)                                                                                 \
    do {                                                                                           \
        int must_code = (int)(CALL);                                                               \
        const char *must_name = NULL;                                                              \
        if (must_code == 0) break;                                                                 \
        cuGetErrorName((CUresult)must_code, &must_name);                                           \
        printf("line %d: %s: %s\n", __LINE__, #CALL, must_name ? must_name : "?");                 \
        exit(1);                                                                                   \
    } while (0)

enum { STREAMS = 2, ROUNDS = 2, VALUES = 1024, BINS = 16, SMS = 16, FULL = 2 * SMS, THREADS = 1024 };

__constant__ unsigned weight[BINS];

/* Counts values by bin, on top of what is in counts. */
__global__ void count(const unsigned *values, unsigned *counts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < VALUES) atomicAdd(&counts[values[i] % BINS], weight[values[i] % BINS]);
}

static CUstream stream[STREAMS], side[STREAMS];
static CUevent copied_out[STREAMS], cleared[STREAMS];
static CUdeviceptr values[STREAMS], counts[STREAMS];
static unsigned *h_values[STREAMS], *h_counts[STREAMS];
static CUfunction count_function;
static int received;

static void CUDA_CB receive(void *) { received++; }

static inline void copy_in(int k)
{
    MUST(cuMemcpyHtoDAsync(values[k], h_values[k], VALUES * sizeof(unsigned), stream[k]));
}
static inline void clear(int k, CUstream in) { MUST(cuMemsetD32Async(counts[k], 0, BINS, in)); }
static inline void launch(int k, int blocks)
{
    void *arguments[] = {&values[k], &counts[k]};
    MUST(cuLaunchKernel(count_function, blocks, 1, 1, THREADS, 1, 1, 0, stream[k], arguments, NULL));
}
static inline void copy_out(int k)
{
    MUST(cuMemcpyDtoHAsync(h_counts[k], counts[k], BINS * sizeof(unsigned), stream[k]));
}
static inline void call_host(int k) { MUST(cuLaunchHostFunc(stream[k], receive, NULL)); }

static inline double now_units()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void begin()
{
    CUdevice device;
    CUcontext context;
    CUmodule program;
    CUdeviceptr weights;
    size_t bytes;
    unsigned host_weight[BINS];
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cudaGetFuncBySymbol(&count_function, (const void *)count));
    MUST(cuFuncGetModule(&program, count_function));
    MUST(cuModuleGetGlobal(&weights, &bytes, program, "weight"));
    for (int i = 0; i < BINS; i++) host_weight[i] = i % 3 + 1;
    MUST(cuMemcpyHtoD(weights, host_weight, bytes));
    for (int k = 0; k < STREAMS; k++) {
        MUST(cuStreamCreate(&stream[k], CU_STREAM_NON_BLOCKING));
        MUST(cuStreamCreate(&side[k], CU_STREAM_NON_BLOCKING));
        MUST(cuEventCreate(&copied_out[k], CU_EVENT_DISABLE_TIMING));
        MUST(cuEventCreate(&cleared[k], CU_EVENT_DISABLE_TIMING));
        MUST(cuMemAlloc(&values[k], VALUES * sizeof(unsigned)));
        MUST(cuMemAlloc(&counts[k], BINS * sizeof(unsigned)));
        MUST(cuMemAllocHost((void **)&h_values[k], VALUES * sizeof(unsigned)));
        MUST(cuMemAllocHost((void **)&h_counts[k], BINS * sizeof(unsigned)));
        for (int i = 0; i < VALUES; i++) h_values[k][i] = i * (k + 3);
    }
    MUST(cuCtxSynchronize());
}

static int end(double units)
{
    int wrong = received != STREAMS * ROUNDS;
    for (int k = 0; k < STREAMS; k++) {
        unsigned wanted[BINS] = {0};
        for (int i = 0; i < VALUES; i++) wanted[h_values[k][i] % BINS] += h_values[k][i] % BINS % 3 + 1;
        for (int i = 0; i < BINS; i++) wrong += wanted[i] != h_counts[k][i];
        MUST(cuMemFree(values[k]));
        MUST(cuMemFree(counts[k]));
        MUST(cuMemFreeHost(h_values[k]));
        MUST(cuMemFreeHost(h_counts[k]));
        MUST(cuEventDestroy(copied_out[k]));
        MUST(cuEventDestroy(cleared[k]));
        MUST(cuStreamDestroy(stream[k]));
        MUST(cuStreamDestroy(side[k]));
    }
    MUST(cuDevicePrimaryCtxRelease(0));
    printf("%g units, %s\n", units, wrong ? "wrong" : "right");
    return wrong != 0;
}
#endif
