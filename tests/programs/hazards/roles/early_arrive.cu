// The consumer arrives at the full barrier as its producers do, and reads without waiting: an arrival orders what comes
// before it, not what its thread does next.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ barrier full[TILES];
    __shared__ int buffer[TILES][TILE];
    int lane = threadIdx.x % TILE;
    if (threadIdx.x < TILES) init(&full[threadIdx.x], 2 * TILE);
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        if (threadIdx.x < TILE) buffer[i][lane] = in[i * TILE + lane];      // A
        barrier::arrival_token token = full[i].arrive();
#ifdef RIGHT
        full[i].wait(std::move(token));
#endif
        if (threadIdx.x >= TILE) out[i * TILE + lane] = buffer[i][lane];    // B
    }
}

int main() { return run(k, 2 * TILE); }
// hazard: shared-race A B
// err: thread 32 reads at line 18 and thread 0 writes at line 13, with no barrier between
// err: let the later one wait for a barrier at which the earlier one arrives after its access
// right: -DRIGHT
