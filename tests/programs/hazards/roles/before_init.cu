// Others use a barrier that one thread makes: only after a barrier of the block.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ barrier ready;
    if (threadIdx.x == 0) init(&ready, blockDim.x);             // A
#ifdef RIGHT
    __syncthreads();
#endif
    ready.arrive_and_wait();                                    // B
    out[threadIdx.x] = in[threadIdx.x];
}

int main() { return run(k, 2 * TILE); }
// hazard: shared-race A B
// right: -DRIGHT
