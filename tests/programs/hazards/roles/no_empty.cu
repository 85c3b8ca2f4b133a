// A buffer that is handed over three times by a full barrier: nobody tells the producer that it has been read.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ barrier full[3], empty[3];
    __shared__ int buffer[TILE];
    int lane = threadIdx.x % TILE;
    if (threadIdx.x < 3) init(&full[threadIdx.x], TILE), init(&empty[threadIdx.x], TILE);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x >= TILE) {
#ifdef RIGHT
            if (i) empty[i - 1].wait_parity(0);
#endif
            buffer[lane] = in[i * TILE + lane];             // A
            (void)full[i].arrive();
        } else {
            full[i].wait_parity(0);
            out[i * TILE + lane] = buffer[TILE - 1 - lane]; // B
            (void)empty[i].arrive();
        }
    }
}

int main() { return run(k, 2 * TILE); }
// hazard: shared-race A B
// right: -DRIGHT
