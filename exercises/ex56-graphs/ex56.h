/* ex56.h - exercise 56: parameters, the kernels, and the function you complete. */
#ifndef EX56_H
#define EX56_H
#include <cuda_runtime.h>

#ifndef REPLAYS
#define REPLAYS 4                /* how often the iteration is done */
#endif
#ifndef COUNT
#define COUNT 16384              /* floats in x, left and right */
#endif
#define BLOCKS 8
#define THREADS 256

/*        K2 -- K3           One iteration: six kernels, BLOCKS blocks of THREADS threads each. K1 changes x; K2 reads it and
 *       /        \          fills left, which K3 changes; K4 reads it and fills right, which K5 changes; K6 makes the next
 *     K1          K6        x of both. The arrows are all that has to be kept: K2 and K4 can run at the same time, and so
 *       \        /          can K3 and K5. */
/*        K4 -- K5   */
__global__ void K1(float *x, float rate);
__global__ void K2(float *left, const float *x);
__global__ void K3(float *left);
__global__ void K4(float *right, const float *x);
__global__ void K5(float *right);
__global__ void K6(float *x, const float *left, const float *right);

/* The rate of iteration i, 0 ... REPLAYS - 1: every iteration has another one. */
float rateOf(int i);

/* Does iterations 0 ... REPLAYS - 1, one after the other, on device memory that is there already, and returns when all of
 * it has finished. No kernel is launched into a stream that is not being captured: the iteration is captured as a graph,
 * the graph is instantiated once, and every iteration is one launch of it, K1 with the rate of that iteration. */
void replay(float *x, float *left, float *right);
#endif
