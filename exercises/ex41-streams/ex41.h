/* ex41.h - exercise 41: parameters, the kernels, and the function you complete. */
#ifndef EX41_H
#define EX41_H
#include <cuda_runtime.h>

#ifndef FLOATS
#define FLOATS 4096
#endif
#define BLOCKS 8
#define THREADS 256

/* Two chains of kernels, each over FLOATS floats in device memory. Within a chain the order matters.
 * Launch each with BLOCKS and THREADS. */
__global__ void ker_1(float *x);
__global__ void ker_2(float *x);
__global__ void ker_3(float *x);
__global__ void ker_A(float *y);
__global__ void ker_B(float *y);

/* Work of the CPU that needs nothing of the kernels. It takes as long as one kernel. */
void hostPart(void);

/* Runs ker_1, ker_2, ker_3 on x and ker_A, ker_B on y, and two hostPart() meanwhile.
 * Returns when all of them have finished. */
void fiveKernels(float *x, float *y);
#endif
