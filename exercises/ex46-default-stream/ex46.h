/* ex46.h - exercise 46: parameters, the kernels, the library, and the three functions you complete. */
#ifndef EX46_H
#define EX46_H
#include <cuda_runtime.h>

#ifndef BATCHES
#define BATCHES 4                /* how many batches there are */
#endif
#ifndef STEPS
#define STEPS 3                  /* how many kernels each of two host threads launches */
#endif
#ifndef BATCH_FLOATS
#define BATCH_FLOATS 16384       /* floats in one batch; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* kernels and who looks at the results take every STRIDE-th float of a batch */
#endif
#define BATCH_BYTES (BATCH_FLOATS * sizeof(float))
#define BLOCKS 64
#define THREADS 256

/* Computes one batch: reads the floats at in, writes as many at out. Launch both with BLOCKS and THREADS. */
__global__ void K(const float *in, float *out);
/* One step of a host thread's own work on its own BATCH_FLOATS floats: step 0, 1, ... STEPS - 1, in this order. */
__global__ void step(float *data, int number);

/* A library of somebody else's, version 2. libHeartbeat() tells the monitoring that the program is alive:
 *
 *     static cudaStream_t stream = 0;
 *     void libSetStream(cudaStream_t s) { stream = s; }
 *     void libHeartbeat(void)           { beat<<<1, 1, 0, stream>>>(...); }
 *
 * It has nothing to do with your data. */
void libHeartbeat(void);
void libSetStream(cudaStream_t stream);

/* The same library, version 1: it has no such call, and will not get one.
 *
 *     void oldHeartbeat(void)                 { beat<<<1, 1>>>(...); }
 *     void oldSummary(const float *d_out)     { summary<<<BLOCKS, THREADS>>>(d_out, ...); }
 *
 * oldSummary() reads what K wrote, of all batches. */
void oldHeartbeat(void);
void oldSummary(const float *d_out);

/* A and B. Both send every batch from h_in to the device, run K on it and bring the result back to h_out, a stream per
 * batch, and call the library's heartbeat once after each batch. h_in and h_out are pinned host memory, d_in and d_out
 * device memory; each holds BATCHES * BATCH_FLOATS floats, and batch i begins at i * BATCH_FLOATS. Both return when
 * everything has finished. B calls oldSummary(d_out) once, after the last batch has been launched. */
void withStream(const float *h_in, float *h_out, float *d_in, float *d_out);       /* A: version 2 */
void nonBlocking(const float *h_in, float *h_out, float *d_in, float *d_out);      /* B: version 1 */

/* C. Runs the STEPS steps on each of two arrays in device memory, of BATCH_FLOATS floats each, a host thread for each
 * array, and returns when all have finished. The threads launch as old code does that knows no streams: into what is the
 * default stream for them. */
void twoThreads(float *first, float *second);
#endif
