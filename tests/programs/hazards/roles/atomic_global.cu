// The same in device memory, between blocks.
#include "roles.h"
#include <cuda/atomic>

#ifdef RIGHT
#define RAISE cuda::memory_order_release
#else
#define RAISE cuda::memory_order_relaxed
#endif

__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__device__ int data;

__global__ void k(const int *in, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data = in[7];                                           // A
        flag.store(1, RAISE);
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        out[0] = data;                                          // B
    }
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    cudaMemset(in, 1, N * sizeof *in);
    k<<<2, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
// hazard: global-race A B
// right: -DRIGHT
