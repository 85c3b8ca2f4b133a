/* ex47.h - exercise 47: parameters, the kernels, and the three functions you complete. */
#ifndef EX47_H
#define EX47_H
#include <stdint.h>
#include <cuda_runtime.h>

#ifndef REQUESTS
#define REQUESTS 6               /* how many requests come in a round */
#endif
#ifndef STREAMS
#define STREAMS 3                /* how many of them are at work at once */
#endif
#ifndef GROWTHS
#define GROWTHS 3                /* how often the cache grows */
#endif
#ifndef REQUEST_FLOATS
#define REQUEST_FLOATS 4096      /* floats in the longest request; 4194304 or more on a real GPU */
#endif
#ifndef STRIDE
#define STRIDE 1                 /* kernels and who looks at the results take every STRIDE-th float of a request */
#endif
#ifndef PART
#define PART 256                 /* how many floats the cache gets in a step */
#endif
#define BLOCKS 64
#define THREADS 256

/* Requests are of different lengths, the longest comes first: the floats and the bytes of request i. */
#define LENGTH(i) (REQUEST_FLOATS - 256 * (i))
#define REQUEST_BYTES(i) ((size_t)LENGTH(i) * sizeof(float))

/* A. Called once, before the first round: says how much memory the device's pool keeps when somebody synchronizes. It has
 * to keep what a round needs, so that the next one finds it there. */
void preparePool(void);

/* B. One round: sends each of the REQUESTS requests to scratch memory on the device, runs K on it and brings the result
 * back; returns when everything has finished. Request i begins at i * REQUEST_FLOATS of h_in and of h_out, which are pinned
 * host memory. Its scratch memory is as long as the request, taken from the pool for this request alone, and freed behind
 * it. Request i is in stream i % STREAMS, and the host stops for none of them. */
void serveRequests(const float *h_in, float *h_out);

/* Computes request i in place, on its LENGTH(i) floats in device memory. */
__global__ void K(float *scratch, int i);

/* C. A cache that grows, as a language model's does with each word, read by another stream meanwhile. The steps are s = 0,
 * 1, ... GROWTHS. In one stream:
 *
 *     append(cache, tokens, s)    makes part s of the cache, from part s - 1: it then has s + 1 parts of PART floats, and is
 *                                 full. After the last step, that is all; else:
 *     grow(larger, cache, s)      copies these s + 1 parts into a larger one, of s + 2 parts, which is the cache from then on,
 *                                 and the old one is freed
 *
 * and in the other one
 *
 *     summary(sums, cache, s)     writes part s of sums from the s + 1 parts that the cache has after append number s
 *
 * beside grow, each s once. tokens and sums are device memory of (GROWTHS + 1) * PART floats. Nothing in the first stream
 * waits longer than it must, the host stops for nothing before everything is launched, and the function returns when
 * everything has finished, with all memory freed. */
void growCache(const float *tokens, float *sums);

__global__ void append(float *cache, const float *tokens, int s);    /* launch each of the kernels with BLOCKS and THREADS */
__global__ void grow(float *larger, const float *cache, int s);
__global__ void summary(float *sums, const float *cache, int s);
#endif
