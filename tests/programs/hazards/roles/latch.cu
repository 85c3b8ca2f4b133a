// A latch: who counts down tells what it did before; who does not wait learns nothing.
#include "roles.h"
#include <cuda/latch>
#include <new>

typedef cuda::latch<cuda::thread_scope_block> latch;

__global__ void k(const int *in, int *out)
{
    __shared__ __align__(16) char raw[sizeof(latch)];
    __shared__ int data[TILE];
    latch &done = *reinterpret_cast<latch *>(raw);
    if (threadIdx.x == 0) new (raw) latch(TILE);
    __syncthreads();
    if (threadIdx.x < TILE) {
        data[threadIdx.x] = in[threadIdx.x];                    // A
        done.count_down();
    } else {
#ifdef RIGHT
        done.wait();
#endif
        out[threadIdx.x - TILE] = data[2 * TILE - 1 - threadIdx.x];   // B
    }
}

int main() { return run(k, 2 * TILE); }
// hazard: shared-race A B
// right: -DRIGHT
