/* Exercise 58: dependent launch and clusters together. What you may rely on is in ex58.h; the lesson is
 * `make ex58-lesson`. */
#include "ex58.h"
namespace cg = cooperative_groups;

__global__ void layer(const float *weights, const float *from, float *to, float *squares, int shared, long long unit)
{
    __shared__ float tile[TILE];
    /* TODO: When `shared` is 1, load only half of the tile and take the other half from the other block of the cluster. */
    loadWeights(tile, weights, TILE, unit);
    __syncthreads();

    /* TODO: The layer before this one may still be at work here. And the next one may begin before this one ends. */
    float value = combine(tile, from, to, unit);
    keepSquare(value, squares, unit);
}

void runChain(const float *weights, float *data, float *squares, int early, int shared, long long unit)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    /* TODO: `early` asks for one attribute of the launch, `shared` for another one. Both may be asked for at once. */
    for (int i = 0; i < LAYERS; i++)
        layer<<<BLOCKS, THREADS, 0, stream>>>(weights + i * TILE, data + i * FLOATS, data + (i + 1) * FLOATS,
                                              squares + i * FLOATS, shared, unit);

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
