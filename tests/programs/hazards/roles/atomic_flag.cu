// A flag in shared memory tells what was written before it, if it is raised with release and seen with acquire.
#include "roles.h"
#include <cuda/atomic>

#ifdef RIGHT
#define RAISE cuda::memory_order_release
#else
#define RAISE cuda::memory_order_relaxed
#endif

__global__ void k(const int *in, int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ int data;
    if (threadIdx.x == 0) flag.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        data = in[7];                                           // A
        flag.store(1, RAISE);
    } else if (threadIdx.x == 32) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        out[0] = data;                                          // B
    }
}

int main() { return run(k, 64); }
// hazard: shared-race A B
// right: -DRIGHT
// out: sum 7
