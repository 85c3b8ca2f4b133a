/* ex53.h - exercise 53: parameters, what a block does with a tile, and the two functions you complete. */
#ifndef EX53_H
#define EX53_H
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#ifndef BATCHES
#define BATCHES 4                /* how many batches there are */
#endif
#ifndef STREAMS
#define STREAMS 3                /* batch i goes through stream i % STREAMS */
#endif
#ifndef CLUSTER
#define CLUSTER 4                /* blocks that work on one tile: 2, 4 or 8 */
#endif
#ifndef TILES
#define TILES 2                  /* tiles of a batch */
#endif
#ifndef TILE
#define TILE 12800               /* floats of a tile: more than the 48 KiB that every kernel may have of shared memory */
#endif
#ifndef STRIDE
#define STRIDE 8                 /* of a tile every STRIDE-th float is worked on, so that to simulate it is quick */
#endif

#define THREADS 128
#define BLOCKS (TILES * CLUSTER) /* of a launch: blocks 0 to CLUSTER - 1 work on tile 0, the next CLUSTER on tile 1 ... */
#define TILE_BYTES (TILE * sizeof(float))      /* dynamic shared memory of a block */
#define BATCH_FLOATS (TILES * TILE)
#define BATCH_BYTES (BATCH_FLOATS * sizeof(float))

/* All threads of a block call these. This one brings a tile from global into shared memory; it does not wait for anybody. */
static __device__ inline void loadTile(float *tile, const float *from)
{
    for (int i = threadIdx.x * STRIDE; i < TILE; i += THREADS * STRIDE) tile[i] = from[i];
}
/* And this one makes part number `part` of `parts` of a tile's result, from the whole tile. cycles: how long that takes at
 * least. */
static __device__ inline void makePart(float *to, const float *tile, int part, int parts, long long cycles)
{
    const int third = TILE / 3 / STRIDE * STRIDE, begin = TILE / parts * part, end = TILE / parts * (part + 1);
    for (int i = begin + threadIdx.x * STRIDE; i < end; i += THREADS * STRIDE)
        to[i] = 0.5f * tile[i] + 0.25f * tile[(i + third) % TILE] + 0.25f * tile[TILE - STRIDE - i];
    if (threadIdx.x == 0 && cycles > 0) {
        long long start = clock64();
        while (clock64() - start < cycles) { }
    }
}

/* Every block loads the whole tile for itself: the harness's. */
__global__ void ownTiles(const float *in, float *out, long long cycles);

/* The same, and the CLUSTER blocks of a tile load it once between them. You write it. */
__global__ void sharedTiles(const float *in, float *out, long long cycles);

/* Sends every batch from h_in to d_in, runs sharedTiles on it and brings the result from d_out back to h_out; batch i begins
 * i * BATCH_FLOATS behind each of the four. h_in and h_out are pinned. Returns when every result has arrived. You write it. */
void clusterPipeline(const float *h_in, float *h_out, float *d_in, float *d_out, long long cycles);
#endif
