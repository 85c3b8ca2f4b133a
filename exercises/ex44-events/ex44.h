/* ex44.h - exercise 44: parameters, the kernels, and the function you complete. */
#ifndef EX44_H
#define EX44_H
#include <cuda_runtime.h>

#ifndef STEPS
#define STEPS 2                  /* how many kernels the producer needs */
#endif
#ifndef PIECE_US
#define PIECE_US 500             /* how long one of the host's pieces takes, microseconds; a kernel takes about 1000 */
#endif
#ifndef FLOATS
#define FLOATS 4096
#endif
#define BLOCKS 8
#define THREADS 256

/* All of them work on FLOATS floats in device memory; launch each with BLOCKS and THREADS. */
__global__ void produce(float *data, int step);                    /* step 0, 1, ... STEPS - 1, in this order */
__global__ void consume(float *result, const float *data);         /* needs data as the last step left them */
__global__ void unrelated(float *other, int step);                 /* has nothing to do with the two */

/* A small piece of the CPU's own work, shorter than a kernel. */
void hostPiece(void);

/* Runs, each in a stream of its own: STEPS steps of produce on data; consume, after the last of them; and STEPS + 2
 * steps of unrelated on other, which takes longer than the two. Meanwhile calls hostPiece() again and again, until consume has finished.
 * Returns, when everything has finished, the milliseconds from the start of the first produce to the end of consume,
 * as measured with events in their streams. */
float orderByEvent(float *data, float *result, float *other);
#endif
