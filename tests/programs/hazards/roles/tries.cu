// Threads that try again and again wait for ever, too: 31 arrive where 32 are expected. So do those who wait for a block
// barrier meanwhile.
#include "roles.h"
#include <cuda/ptx>

__global__ void k(const int *in, int *out)
{
    __shared__ uint64_t ready;
    if (threadIdx.x == 0) cuda::ptx::mbarrier_init(&ready, 32);
    __syncthreads();
#ifdef RIGHT
    if (threadIdx.x < 32) (void)cuda::ptx::mbarrier_arrive(&ready);
#else
    if (threadIdx.x < 31) (void)cuda::ptx::mbarrier_arrive(&ready);
#endif
    if (threadIdx.x < 64)
        while (!cuda::ptx::mbarrier_try_wait_parity(&ready, 0)) {}      // A
    __syncthreads();
    out[threadIdx.x] = in[threadIdx.x];
}

int main() { return run(k, 96); }
// hazard: barrier A
// err: threads 0-63 (warps 0-1) at line 17 for ready (31 of 32 arrivals have come in phase 0)
// err: threads 64-95 (warp 2) wait at tries.cu:18 in __syncthreads()
// right: -DRIGHT
