/* ex57.h - exercise 57: parameters, the parts of a kernel, and the two functions you complete. */
#ifndef EX57_H
#define EX57_H
#include <cuda_runtime.h>

#ifndef KERNELS
#define KERNELS 4                /* how many kernels the chain has */
#endif
#ifndef PROLOGUE
#define PROLOGUE 1               /* how long the parts of a kernel last, in time units */
#endif
#ifndef MAIN
#define MAIN 2
#endif
#ifndef EPILOGUE
#define EPILOGUE 2
#endif
#ifndef UNIT_US
#define UNIT_US 1000             /* how long a time unit is, in microseconds */
#endif
#define BLOCKS 4
#define THREADS 64
#define FLOATS (BLOCKS * THREADS)    /* in each row: a thread makes one */

/* The parts of a kernel, for the calling thread. Each lasts so many time units, of `unit` clock cycles. */
__device__ static inline int place(void)
{
    return (int)(blockIdx.x * THREADS + threadIdx.x);
}

__device__ static __forceinline__ void lasts(int units, long long unit)
{
    if (units == 0) return;
    long long begin = clock64();
    while (clock64() - begin < units * unit) { }
}

/* The prologue: fetches the thread's weight. The weights are there before the chain begins. */
__device__ static inline float loadWeight(const float *weights, long long unit)
{
    float weight = weights[place()];
    lasts(PROLOGUE, unit);
    return weight;
}

/* The main part: reads two floats of `from`, one of them made by another block, and writes one of `to`. */
__device__ static inline float combine(float weight, const float *from, float *to, long long unit)
{
    float value = 0.5f * (from[place()] + from[FLOATS - 1 - place()]) * weight + 1.0f;
    lasts(MAIN, unit);
    to[place()] = value;
    return value;
}

/* The epilogue: writes a statistic that no kernel reads. */
__device__ static inline void keepSquare(float value, float *squares, long long unit)
{
    lasts(EPILOGUE, unit);
    squares[place()] = value * value;
}

/* One kernel of the chain: the three parts, in this order. Launched with BLOCKS and THREADS. */
__global__ void step(const float *weights, const float *from, float *to, float *squares, long long unit);

/* Runs the chain in one stream: kernel i has row i of weights, reads row i of data, writes row i + 1 of data and row i of
 * squares (a row is FLOATS floats). Kernel i + 1 begins before kernel i has ended; what it reads of kernel i's it reads
 * when that has ended. Returns when everything has finished. */
void runChain(const float *weights, float *data, float *squares, long long unit);
#endif
