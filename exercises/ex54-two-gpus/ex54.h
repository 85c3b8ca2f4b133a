/* ex54.h - exercise 54: parameters, the kernels, and the function you complete. */
#ifndef EX54_H
#define EX54_H
#include <cuda_runtime.h>

#ifndef MICROBATCHES
#define MICROBATCHES 4           /* how many go through both GPUs */
#endif
#ifndef FLOATS
#define FLOATS 4096              /* of a microbatch's activations */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* F and L work on every STRIDE-th of them (sizes for a real GPU) */
#endif
#define BLOCKS 8
#define THREADS 256

/*  GPU 0    F0  F1  F2  F3          F(i) makes the activations of microbatch i: FLOATS floats in memory of GPU 0.
 *             \   \   \   \         P(i) copies them to memory of GPU 1.
 *  link        P0  P1  P2  P3       L(i) reads them there and makes results of microbatch i.
 *                \   \   \   \
 *  GPU 1          L0  L1  L2  L3 */
__global__ void F(float *activations, const float *input, int i);      /* on GPU 0; launch each with BLOCKS, THREADS */
__global__ void L(float *results, const float *activations, int i);    /* on GPU 1 */

/* Runs all microbatches, i = 0, 1, ..., on memory that is there already, and returns when everything has finished.
 *   input             GPU 0: what F reads
 *   send, send2       GPU 0: two buffers for activations
 *   receive, receive2 GPU 1: two buffers for activations
 *   results           GPU 1: what L writes
 * Both GPUs have access to each other's memory. GPU 0 is current, and may be any when it returns. */
void pipeline(const float *input, float *send, float *send2, float *receive, float *receive2, float *results);
#endif
