// Roles that hand over by way of device memory: a barrier of the block orders that, too, and an arrival alone does not.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ barrier full[TILES];
    int lane = threadIdx.x % TILE;
    if (threadIdx.x < TILES) init(&full[threadIdx.x], 2 * TILE);
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        if (threadIdx.x < TILE) out[i * TILE + lane] = in[i * TILE + lane];                 // A
        barrier::arrival_token token = full[i].arrive();
#ifdef RIGHT
        full[i].wait(std::move(token));
#endif
        if (threadIdx.x >= TILE && lane < 16) out[i * TILE + lane] += out[i * TILE + 31 - lane];       // B
    }
}

int main() { return run(k, 2 * TILE); }
// hazard: global-race A B
// right: -DRIGHT
