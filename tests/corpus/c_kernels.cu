// Kernels with a C interface, and a main in a C file.
// with: c_caller.c
// variant:
// variant: -DBLOCK=96
// variant: -O0
// variant: -G
// variant: -O3 -DBLOCK=33
// wrong: -DWRONG=1 = wrong-memory
// wrong: -DWRONG=2 = out-of-bounds
#include "helper.h"
#ifndef BLOCK
#define BLOCK 128
#endif
__global__ void scale(float *p, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= by;
}
extern "C" void launch_scale(float *p, int n, float by, cudaStream_t stream)
{
    scale<<<(n + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(p, n, by);
    CHECK_LAUNCH();
}
