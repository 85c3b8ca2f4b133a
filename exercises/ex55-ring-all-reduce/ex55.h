/* ex55.h - exercise 55: parameters, the kernel, and the function you complete. */
#ifndef EX55_H
#define EX55_H
#include <cuda_runtime.h>

#ifndef GPUS
#define GPUS 4                   /* in the ring: 0 sends to 1, 1 to 2, ..., the last one to 0 */
#endif
#ifndef CHUNK
#define CHUNK 16384              /* floats of a chunk; a GPU's buffer has GPUS chunks */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* the sums are made of every STRIDE-th float (sizes for a real GPU) */
#endif
#define BLOCKS 8
#define THREADS 256

/* What GPU g has, in its own memory: a buffer of GPUS chunks, and room for one chunk that arrives. */
typedef struct Ring {
    float *data[GPUS];           /* chunk c is at data[g] + c * CHUNK */
    float *arrives[GPUS];        /* CHUNK floats */
} Ring;

/* sum[k] += more[k] for one chunk, on the GPU that has both; launch it with BLOCKS, THREADS. */
__global__ void add(float *sum, const float *more);

/* Makes every GPU's buffer the sum of all GPUs' buffers, and returns when everything has finished. All GPUs have access
 * to each other's memory. GPU 0 is current, and may be any when it returns. */
void allReduce(Ring ring);
#endif
