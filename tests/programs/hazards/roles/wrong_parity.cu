// A barrier's first phase has parity 0: to wait for parity 1 is to wait for the phase before it, which is over.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ barrier full[TILES];
    __shared__ int buffer[TILES][TILE];
    int lane = threadIdx.x % TILE;
    if (threadIdx.x < TILES) init(&full[threadIdx.x], TILE);
    __syncthreads();
    for (int i = 0; i < TILES; i++) {
        if (threadIdx.x >= TILE) {
            buffer[i][lane] = in[i * TILE + lane];                  // A
            (void)full[i].arrive();
        } else {
#ifdef RIGHT
            full[i].wait_parity(0);
#else
            full[i].wait_parity(1);
#endif
            out[i * TILE + lane] = buffer[i][TILE - 1 - lane];      // B
        }
    }
}

int main() { return run(k, 2 * TILE); }
// hazard: shared-race A B
// right: -DRIGHT
