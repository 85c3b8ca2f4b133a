// A semaphore as a lock around what all threads change.
#include "roles.h"
#include <cuda/semaphore>
#include <new>

typedef cuda::binary_semaphore<cuda::thread_scope_block> semaphore;

__global__ void k(const int *in, int *out)
{
    __shared__ __align__(16) char raw[sizeof(semaphore)];
    __shared__ int sum;
    semaphore &lock = *reinterpret_cast<semaphore *>(raw);
    if (threadIdx.x == 0) {
        sum = 0;
        new (raw) semaphore(1);
    }
    __syncthreads();
#ifdef RIGHT
    lock.acquire();
#endif
    sum += in[threadIdx.x];                                     // A
#ifdef RIGHT
    lock.release();
#endif
    __syncthreads();
    out[threadIdx.x] = sum;
}

int main() { return run(k, 2 * TILE); }
// hazard: shared-race A A
// right: -DRIGHT
