/* ex58.h - exercise 58: parameters, the parts of a kernel, and the two functions you complete. */
#ifndef EX58_H
#define EX58_H
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#ifndef LAYERS
#define LAYERS 2                 /* how many kernels the chain has */
#endif
#ifndef LOAD
#define LOAD 2                   /* how long it takes one block to load a whole tile of weights, in time units; even */
#endif
#ifndef MAIN
#define MAIN 3                   /* how long the other parts of a kernel last */
#endif
#ifndef EPILOGUE
#define EPILOGUE 2
#endif
#ifndef UNIT_US
#define UNIT_US 1000             /* how long a time unit is, in microseconds */
#endif
#define CLUSTER 2                /* blocks in a cluster */
#define BLOCKS 4
#define THREADS 64
#define TILE THREADS             /* weights that every block needs: a layer's, the same for all of its blocks */
#define FLOATS (BLOCKS * THREADS)    /* in each row of data: a thread makes one */

__device__ static inline int place(void)
{
    return (int)(blockIdx.x * THREADS + threadIdx.x);
}

__device__ static __forceinline__ void lasts(long long cycles)
{
    if (cycles == 0) return;
    long long begin = clock64();
    while (clock64() - begin < cycles) { }
}

/* The prologue, for the calling thread, which is one of a block's THREADS: the block loads `count` weights, TILE or half of
 * them, from `weights` into its shared memory. The whole tile takes LOAD units, half of it half as long. The weights are
 * there before the chain begins. There is no barrier in it. */
__device__ static inline void loadWeights(float *to, const float *weights, int count, long long unit)
{
    for (int i = (int)threadIdx.x; i < count; i += THREADS) to[i] = weights[i];
    if (count > TILE / 2) lasts(LOAD * unit);
    else lasts(LOAD * unit / 2);
}

/* The main part: needs the whole tile; reads two floats of `from`, one of them made by another block; writes one of `to`. */
__device__ static inline float combine(const float *tile, const float *from, float *to, long long unit)
{
    float weight = 0.5f * (tile[threadIdx.x] + tile[TILE - 1 - threadIdx.x]);
    float value = 0.5f * (from[place()] + from[FLOATS - 1 - place()]) * weight + 1.0f;
    lasts(MAIN * unit);
    to[place()] = value;
    return value;
}

/* The epilogue: writes a statistic that no kernel reads. */
__device__ static inline void keepSquare(float value, float *squares, long long unit)
{
    lasts(EPILOGUE * unit);
    squares[place()] = value * value;
}

/* One layer. shared 0: each block loads the whole tile. shared 1: it was launched in clusters of CLUSTER blocks, each block
 * loads half of the tile and takes the other half out of the shared memory of the other block of its cluster. In both
 * cases it may have been launched to begin before the layer before it has ended. Launched with BLOCKS and THREADS. */
__global__ void layer(const float *weights, const float *from, float *to, float *squares, int shared, long long unit);

/* Runs the chain in one stream: layer i has the TILE weights from weights + i * TILE on, reads row i of data, writes row
 * i + 1 of data and row i of squares (a row is FLOATS floats). early: each layer but the first may begin before the one
 * before it has ended. shared: in clusters. Returns when everything has finished. */
void runChain(const float *weights, float *data, float *squares, int early, int shared, long long unit);
#endif
