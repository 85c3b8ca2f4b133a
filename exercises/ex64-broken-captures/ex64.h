/* ex64.h - exercise 64: parameters, the kernels, somebody's library, and the seven functions you mend. */
#ifndef EX64_H
#define EX64_H
#include <cuda_runtime.h>

#ifndef REPLAYS
#define REPLAYS 3                /* how often each graph is launched */
#endif
#ifndef COUNT
#define COUNT 8192               /* floats in x and y */
#endif
#define BLOCKS 8
#define THREADS 256

/* Launch each with BLOCKS blocks of THREADS threads. */
__global__ void scale(float *x, float factor);         /* x[k] *= factor */
__global__ void shift(float *x, float by);             /* x[k] += by */
__global__ void add(float *x, const float *y);         /* x[k] += y[k] */

/* Somebody's library. lib_step launches one kernel into the stream. While debugging is on, as it is at first, it then asks
 * the stream whether that went well. lib_debug switches this off and on. */
void lib_step(float *x, cudaStream_t stream);
void lib_debug(int on);

/* Each function does its steps REPLAYS times, one time after the other, and returns when all of it has finished: as a graph
 * that is captured once, instantiated once, and launched REPLAYS times. x and y are device memory that is there already.
 * In each the capture is broken, in another way. No call of yours fails when all seven are mended. */
void scratch(float *x);                  /* 1. y = x and y *= 2, in memory of its own; x += y */
void library(float *x);                  /* 2. shift by 1, a step of the library, shift by 1 */
void forked(float *x, float *y);         /* 3. scale x by 0.5 and shift y by 1, at the same time */
void awaited(float *x, float *y);        /* 4. once, without a graph: scale y by 3. Then, in the graph: x += y */
void plain(float *x);                    /* 5. scale by 0.5, shift by 1, scale by 2 */
float measured(float *x);                /* 6. shift by 1, scale by 0.5; returns how many ms all replays together took */
void nested(float *x);                   /* 7. shift by 1, two scalings by 0.5, shift by 1 */
#endif
