// Each thread has waited for its own copies, and reads what others have copied.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ int buffer[TILE];
    for (int i = 0; i < TILES; i++) {
        __pipeline_memcpy_async(&buffer[threadIdx.x], &in[i * TILE + threadIdx.x], sizeof(int));   // A
        __pipeline_commit();
        __pipeline_wait_prior(0);
#ifdef RIGHT
        __syncthreads();
#endif
        out[i * TILE + threadIdx.x] = buffer[TILE - 1 - threadIdx.x];                               // B
        __syncthreads();
    }
}

int main() { return run(k, TILE); }
// hazard: shared-race A B
// right: -DRIGHT
