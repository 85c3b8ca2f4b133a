/* ex51.h - exercise 51: parameters, the kernels, and the three programs that you repair. */
#ifndef EX51_H
#define EX51_H
#include <cuda_runtime.h>

#ifndef FLOATS
#define FLOATS 16384             /* floats in one copy; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* kernels and who looks at the results take every STRIDE-th float */
#endif
#ifndef OTHER_US
#define OTHER_US 1500            /* how long the CPU's other work takes, microseconds */
#endif
#define BYTES (FLOATS * sizeof(float))
#define BLOCKS 64
#define THREADS 256

/* Both read FLOATS floats at in and write as many at out; launch them with BLOCKS and THREADS. */
__global__ void work(const float *in, float *out);
__global__ void work2(const float *in, float *out, int n, cudaStream_t unused);

/* The CPU's own work, which is to run while the device works. Call it once in each program. */
void otherWork(void);

/* All sources of this exercise are compiled with --default-stream per-thread.
 *
 * Each program sends what is at h_in to the device, runs the kernel on it, brings the result back to h_out, and returns
 * when it has arrived; the third does so with two batches of FLOATS floats, one behind the other in all four places.
 * h_in and h_out are pinned host memory, d_in and d_out device memory. */
void program1(const float *h_in, float *h_out, float *d_in, float *d_out);
void program2(const float *h_in, float *h_out, float *d_in, float *d_out);
void program3(const float *h_in, float *h_out, float *d_in, float *d_out);
#endif
