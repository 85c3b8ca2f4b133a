/* ex49.h - exercise 49: parameters, the kernels, and the four functions you complete. */
#ifndef EX49_H
#define EX49_H
#include <cuda_runtime.h>

#ifndef BATCHES
#define BATCHES 4                /* A: how many batches there are */
#endif
#ifndef BATCH_FLOATS
#define BATCH_FLOATS 16384       /* A: floats in one batch; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* A: the kernel, and who looks at the results, take every STRIDE-th float of a batch */
#endif
#ifndef CHAINS
#define CHAINS 3                 /* B: how many chains of kernels there are */
#endif
#ifndef LINKS
#define LINKS 2                  /* B: how many kernels each chain has */
#endif
#ifndef LANE_FLOATS
#define LANE_FLOATS 16384        /* C: floats to be sent through the device, in pieces; 131072 where sizes count */
#endif
#define BATCH_BYTES (BATCH_FLOATS * sizeof(float))
#define CHAIN_FLOATS 4096
#define MOST_PIECES 16
#ifndef BLOCKS
#define BLOCKS 16
#endif
#define THREADS 256

/* A. Computes one batch: reads the floats at in, writes as many at out. Launch all three with BLOCKS and THREADS. */
__global__ void K(const float *in, float *out);
/* B. One link of a chain, on the CHAIN_FLOATS floats at chain: link 0, 1, ... LINKS - 1, in this order. */
__global__ void step(float *chain, int link);
/* C. Computes one piece: reads n floats at in, writes as many at out. */
__global__ void piece(const float *in, float *out, int n);

/* A. Sends every batch from h_in to the device, runs K on it and brings the result back to h_out; returns when everything
 * has finished. h_in and h_out are pinned host memory, d_in and d_out device memory; each holds BATCHES * BATCH_FLOATS
 * floats, and batch i begins at i * BATCH_FLOATS. On a device with one copy engine that engine is never idle. */
void oneEngine(const float *h_in, float *h_out, float *d_in, float *d_out);

/* B. Runs CHAINS chains of LINKS steps each, chain i on the CHAIN_FLOATS floats at data + i * CHAIN_FLOATS in device memory,
 * and returns when all have finished. The chains need nothing of each other, and all of them run at once, be there but one
 * hardware queue for all streams (CUDA_DEVICE_MAX_CONNECTIONS=1). */
void oneQueue(float *data);

/* C. Sends LANE_FLOATS floats through the device, as A does, but in so many pieces (1, 2, 4, 8 or 16) of about the same
 * length, so that all three lanes are busy at once. Returns when everything has arrived. */
void inPieces(const float *h_in, float *h_out, float *d_in, float *d_out, int pieces);

/* Tries inPieces() with 1, 2, 4, 8 and 16 pieces, measures how many milliseconds each takes, tells the harness by took(),
 * once for each, and returns the number that was fastest. */
int bestPieces(const float *h_in, float *h_out, float *d_in, float *d_out);
void took(int pieces, double ms);
#endif
