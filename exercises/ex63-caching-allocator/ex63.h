/* ex63.h - exercise 63: parameters, what the workload is like, and the allocator that you complete. */
#ifndef EX63_H
#define EX63_H
#include <cuda_runtime.h>

#ifndef FLOATS
#define FLOATS 16384             /* floats in the longest batch; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* kernels and who looks at the results take every STRIDE-th float */
#endif
#ifndef STEPS
#define STEPS 6                  /* how many batches the program works through */
#endif
#ifndef LAG
#define LAG 3                    /* step i begins when the results of step i - LAG are back: so far is the host ahead */
#endif
#ifndef LENGTHS
#define LENGTHS 1                /* how many different lengths the batches have ... */
#endif
#define LESS 1001                /* ... each so many floats longer than the one before */
#define STREAMS 4                /* how many streams the program has */
#define ALIGNED 256              /* cudaMalloc aligns all it gives out to so many bytes, and so do you */

/* The program, in harness.cu, asks for three blocks a step:
 *
 *   stream  copy         compute                       back                  peaks
 *           x = allocate
 *           H2D into x
 *                        recordStream(x, compute)
 *                        y = allocate
 *                        recordStream(y, compute)
 *                        fwd: x -> y
 *                        z = allocate
 *                        bwd: x, y, weights -> z
 *                        release(y), release(x)
 *                                                      D2H out of z          peak: reads z
 *                                                      recordStream(z, back) recordStream(z, peaks), in any order
 *                                                      release(z)
 *
 * The weights are a block, too: allocated for `compute` before the first step, and released after the last.
 * It orders its own work with events, as you did in exercises 44 and 48. When it calls release(), nothing of that work
 * needs to have run yet: the host is steps ahead of the device. */

/* Before the first request: `bytes` of device memory at `slab` are yours to give out, all that there is. */
void allocatorStart(void *slab, size_t bytes);

/* A block of at least so many bytes of the slab, ALIGNED, that overlaps no block that is held (given out and not
 * released). The caller uses it in `stream`, in the order of its calls: work that was put into `stream` before may
 * still be using the block. No other stream may. */
void *allocate(size_t bytes, cudaStream_t stream);

/* The held block is used in this stream as well, by work that is put into it before the block is released. There may
 * be several such streams; the same one may be named twice, and the block's own stream may be named, too. */
void recordStream(void *block, cudaStream_t stream);

/* The caller puts no more work that uses this block into any stream. */
void release(void *block);

/* After the last release, when all work is done: nothing of yours is left behind. */
void allocatorStop(void);
#endif
