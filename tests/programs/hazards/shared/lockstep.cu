// __syncwarp() in each step; a tile of cooperative groups does the same.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void sum(int *out)
{
    __shared__ int part[64];
    part[threadIdx.x] = 1;
    __syncthreads();
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    for (int k = 8; k; k /= 2) {
        int other = threadIdx.x % 16 < k ? part[threadIdx.x + k] : 0;
        tile.sync();
        part[threadIdx.x] += other;
        tile.sync();
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 32; k > 8; k /= 2) {
            int other = threadIdx.x < k ? part[threadIdx.x + k] : 0;
            __syncwarp();
            part[threadIdx.x] += other;
            __syncwarp();
        }
    }
    if (threadIdx.x == 0) *out = part[0];
}

int main()
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    sum<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
