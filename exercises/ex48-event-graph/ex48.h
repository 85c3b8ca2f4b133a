/* ex48.h - exercise 48: parameters, the kernels, and the function you complete. */
#ifndef EX48_H
#define EX48_H
#include <cuda_runtime.h>

#ifndef A_LEN
#define A_LEN 3                  /* how many kernels each row of the graph has */
#endif
#ifndef B_LEN
#define B_LEN 3
#endif
#ifndef C_LEN
#define C_LEN 4
#endif
#ifndef D_LEN
#define D_LEN 2
#endif
#ifndef EDGE_AB
#define EDGE_AB 0                /* which A the first B needs: 0 is the first */
#endif
#ifndef EDGE_BD
#define EDGE_BD 1                /* which B the first D needs */
#endif
#ifndef PART
#define PART 4096                /* how many floats one node makes */
#endif
#define BLOCKS 8
#define THREADS 256

/*  A0 -> A1 -> A2           Each node makes the part of its own number, PART floats, in its row's memory, from the part
 *   \                       before it. The first B makes it from part EDGE_AB of a, the first D from part EDGE_BD of b.
 *    B0 -> B1 -> B2         Those two edges, and the order in each row, are all that has to be kept.
 *           \
 *            D0 -> D1       C0 -> C1 -> C2 -> C3 needs nobody. */
__global__ void A(float *a, int i);                    /* i = 0, 1, ... A_LEN - 1, in this order; launch each of the */
__global__ void B(float *b, const float *a, int i);    /* kernels with BLOCKS and THREADS */
__global__ void C(float *c, int i);
__global__ void D(float *d, const float *b, int i);

/* Runs the graph in four streams, a row each, on device memory that is there already, and returns when everything has
 * finished. No row waits longer than the graph says, and the host waits for nothing before it has launched everything. */
void runGraph(float *a, float *b, float *c, float *d);
#endif
