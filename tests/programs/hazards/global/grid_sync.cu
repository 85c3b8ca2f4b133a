// The grid's own barrier orders everything, a block's barrier does not.
// hazard: global-race A B
// right: -DRIGHT
#include "../hazards.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void rotate(int *p, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = i;                                                    // A
#ifdef RIGHT
    cg::this_grid().sync();
#else
    __syncthreads();
#endif
    out[i] = p[(i + 64) % (gridDim.x * blockDim.x)];             // B
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *b; cudaMalloc(&b, BYTES); keep(b);
    void *args[] = {&a, &b};
    cudaLaunchCooperativeKernel((const void *)rotate, 8, 64, args, 0, 0);
    cudaDeviceSynchronize();
    return finish();
}
