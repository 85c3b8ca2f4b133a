/* ex50.h - exercise 50: parameters, the kernel, the host's side of the work, and the function you complete. */
#ifndef EX50_H
#define EX50_H
#include <cuda.h>
#include <cuda_runtime.h>

#ifndef STREAMS
#define STREAMS 2                /* the work is done in STREAMS streams ... */
#endif
#ifndef ROUNDS
#define ROUNDS 2                 /* ... and ROUNDS rounds: STREAMS * ROUNDS batches */
#endif
#ifndef COUNTS
#define COUNTS 1024              /* words of one batch's results; a multiple of BINS; 4194304 on a real GPU */
#endif
#define VALUES 2048              /* words of one batch's input */
#define BINS 256
#define VALUES_BYTES (VALUES * sizeof(unsigned))
#define COUNTS_BYTES (COUNTS * sizeof(unsigned))
#define THREADS 1024

/* Adds to counts, for each value that is in place k of the constant memory (0 ... STREAMS - 1), one in the value's bin. It
 * adds: what was in counts before stays in it.
 * Launch it with THREADS, and with as many blocks as you like. It is limited by memory: with three quarters of the blocks
 * that the device holds at once it is as fast as with all of them; with fewer it becomes slower. */
__global__ void count(int k, unsigned *counts);

/* Host code for cuLaunchHostFunc: takes the results that have arrived at `place`, which is a batch's in h_counts. */
void CUDA_CB received(void *place);

/* Does all batches: batch i = 0 ... STREAMS * ROUNDS - 1 uses stream i % STREAMS. Its VALUES words are copied from h_values
 * to the stream's place in constant memory; the stream's counts are cleared; count; the COUNTS words of results are copied
 * to h_counts; received is called for them. Returns when all of that is done, and waits for nothing before.
 *   values    address of a __constant__ array: STREAMS places of VALUES_BYTES
 *   counts    device memory: STREAMS places of COUNTS_BYTES, and anything may be in it. Allocate no more
 *   h_values, h_counts    pinned host memory for all batches, one behind the other
 *   full      so many blocks of THREADS threads does the device hold at once
 * A context is current. A CUdeviceptr is a number: values + 1 is one byte further. */
void countBatches(CUdeviceptr values, CUdeviceptr counts, const unsigned *h_values, unsigned *h_counts, int full);
#endif
