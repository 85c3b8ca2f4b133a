// run: THREELANE_MODEL=unit
// out: from the host
// out: block 1 thread 2: 0.50 text
// out: all 6 lines in order
// printf in a kernel comes out when the kernel has ended.
#include <cstdio>
__global__ void talk() { printf("block %d thread %d: %.2f %s\n", blockIdx.x, threadIdx.x, threadIdx.x / 4.0, "text"); }
__global__ void words() { if (threadIdx.x == 5) printf("all %d lines in order\n", threadIdx.x + 1); }

int main()
{
    talk<<<2, 3>>>();
    printf("from the host\n");
    cudaDeviceSynchronize();
    words<<<1, 32>>>();
    return cudaDeviceSynchronize();
}
