/* ex43.h - exercise 43: parameters, the kernel, and the function you complete. */
#ifndef EX43_H
#define EX43_H
#include <cuda_runtime.h>

#ifndef BATCHES
#define BATCHES 4                /* how many batches there are */
#endif
#ifndef BATCH_FLOATS
#define BATCH_FLOATS 16384       /* floats in one batch; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* work and who looks at the results take every STRIDE-th float of a batch: where copies */
#endif                           /* last as long as on a real GPU, a batch is large, and to simulate all of it takes long */
#define BATCH_BYTES (BATCH_FLOATS * sizeof(float))
#define BLOCKS 64
#define THREADS 256

/* Computes one batch: reads the floats at in, writes as many at out. Launch it with BLOCKS and THREADS. */
__global__ void work(const float *in, float *out);

/* Sends every batch from h_in to the device, runs work on it and brings the result back to h_out.
 * h_in and h_out are pinned host memory, d_in and d_out device memory; each holds BATCHES * BATCH_FLOATS floats, and
 * batch i begins at i * BATCH_FLOATS. Returns when every result has arrived. */
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out);
#endif
