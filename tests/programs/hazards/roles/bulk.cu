// A bulk copy is the barrier's: its phase ends when the bytes have come. A block's barrier is another one.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ __align__(16) int buffer[N];
    __shared__ barrier ready;
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(cg::this_thread_block(), buffer, in, cuda::aligned_size_t<16>(N * sizeof(int)), ready);  // A
    barrier::arrival_token token = ready.arrive();
#ifdef RIGHT
    ready.wait(std::move(token));
#else
    __syncthreads();
#endif
    for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = buffer[N - 1 - i];                               // B
}

int main() { return run(k, 2 * TILE); }
// hazard: shared-race A B
// right: -DRIGHT
