// init() counts arrivals: the warp that has nothing to do with the tiles is counted, and never arrives.
#include "roles.h"

#ifdef RIGHT
#define ARRIVE 2 * TILE
#else
#define ARRIVE blockDim.x
#endif

__global__ void k(const int *in, int *out)
{
    __shared__ barrier full[2], empty[2];
    __shared__ int buffer[2][TILE];
    int lane = threadIdx.x % TILE;
    if (threadIdx.x == 0)
        for (int b = 0; b < 2; b++) {
            init(&full[b], ARRIVE);
            init(&empty[b], ARRIVE);
        }
    __syncthreads();
    if (threadIdx.x >= 2 * TILE) return;
    for (int i = 0; i < TILES; i++) {
        if (threadIdx.x < TILE) {
            if (i >= 2) empty[i % 2].arrive_and_wait();
            buffer[i % 2][lane] = in[i * TILE + lane];
            (void)full[i % 2].arrive();
        } else {
            full[i % 2].arrive_and_wait();                              // A
            out[i * TILE + lane] = buffer[i % 2][TILE - 1 - lane];
            if (i + 2 < TILES) (void)empty[i % 2].arrive();
        }
    }
}

int main() { return run(k, 3 * TILE); }
// hazard: barrier A
// err: threads 32-63 (warp 1) at line 28 for full[0] (64 of 96 arrivals have come in phase 0)
// err: threads 0-31 (warp 0) wait at count.cu:24 for empty[0]: 32 of 96 arrivals have come in phase 0
// err: threads 64-95 (warp 2) have ended
// err: full[0] was made at count.cu:17, for 96 arrivals in a phase
// right: -DRIGHT
