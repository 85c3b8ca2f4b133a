/* ex52.h - exercise 52: parameters, what the warps of a block do, and the two functions you complete. */
#ifndef EX52_H
#define EX52_H
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_runtime.h>

#ifndef BATCHES
#define BATCHES 8                /* how many batches there are */
#endif
#ifndef BLOCKS
#define BLOCKS 4                 /* of a launch: a block works on tiles blockIdx.x, blockIdx.x + gridDim.x ... */
#endif
#ifndef TILES
#define TILES 4                  /* tiles of a batch that each block gets */
#endif
#ifndef TILE
#define TILE 256                 /* floats in a tile of A, of B and of the result */
#endif

#define TILE_BYTES (TILE * sizeof(float))
#define INPUT_BYTES (2 * TILE_BYTES)           /* a tile of the input: TILE floats of A, then TILE floats of B */
#define ALL_TILES (BLOCKS * TILES)             /* of a batch */
#define BATCH_IN_BYTES (ALL_TILES * INPUT_BYTES)
#define BATCH_OUT_BYTES (ALL_TILES * TILE_BYTES)
#define THREADS 96               /* three warps: one loads, one computes, one stores */
enum { LOADER, COMPUTER, STORER };
/* Two buffers for inputs and two for results. */
#define SHARED_BYTES (2 * INPUT_BYTES + 2 * TILE_BYTES)

/* What a warp does with one tile; lane: 0 to 31. cycles: how long computing it takes at least. */
static __device__ inline void loadTile(int lane, float *input, const float *from)
{
    for (int i = 4 * lane; i < 2 * TILE; i += 128) *(float4 *)(input + i) = *(const float4 *)(from + i);
}
static __device__ inline void computeTile(int lane, const float *input, float *result, long long cycles)
{
    for (int i = 4 * lane; i < TILE; i += 128) {
        float4 a = *(const float4 *)(input + i), b = *(const float4 *)(input + 2 * TILE - 4 - i);
        *(float4 *)(result + i) = make_float4(a.x * b.w + 1, a.y * b.z + 1, a.z * b.y + 1, a.w * b.x + 1);
    }
    if (lane == 0 && cycles > 0) {
        long long begin = clock64();
        while (clock64() - begin < cycles) { }
    }
    __syncwarp();
}
static __device__ inline void storeTile(int lane, float *to, const float *result)
{
    for (int i = 4 * lane; i < TILE; i += 128) *(float4 *)(to + i) = *(const float4 *)(result + i);
}

/* Works on `tiles` tiles: tile t is read at in + t * 2 * TILE (A, then B) and its result goes to out + t * TILE. This one is
 * the harness's: all warps do everything, one step after the other. */
__global__ void together(const float *in, float *out, int tiles, long long cycles);

/* The same in three roles, which hand tiles to each other through two buffers each. You write it. It is launched with
 * BLOCKS blocks of THREADS threads and SHARED_BYTES of dynamic shared memory. */
__global__ void specialized(const float *in, float *out, int tiles, long long cycles);

/* Sends every batch from h_in to the device, runs specialized on it and brings the result back to h_out. Both are pinned;
 * batch i begins i * BATCH_IN_BYTES and i * BATCH_OUT_BYTES behind them. Memory of the device comes from the pool
 * (cudaMallocAsync), not from cudaMalloc. Returns when every result has arrived. You write it. */
void pipelined(const char *h_in, char *h_out, long long cycles);
#endif
