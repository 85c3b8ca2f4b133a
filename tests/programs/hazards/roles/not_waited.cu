// A thread's copy goes on until it has waited for it.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ int buffer[TILES][TILE];
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < TILES; i++) {
        cuda::memcpy_async(&buffer[i][threadIdx.x], &in[i * TILE + threadIdx.x], sizeof(int), pipe);    // A
        pipe.producer_commit();
    }
    for (int i = 0; i < TILES; i++) {
#ifdef RIGHT
        pipe.consumer_wait();
#endif
        __syncwarp();
        out[i * TILE + threadIdx.x] = buffer[i][TILE - 1 - threadIdx.x];                                // B
    }
}

int main() { return run(k, TILE); }
// hazard: shared-race A B
// out: sum
// err: may still write it
// right: -DRIGHT
