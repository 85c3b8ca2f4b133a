// PTX that the virtual GPU does not know is an error in the program's own line.
// build: fails
// err: unknown_ptx.cu:9:5: error: "tex.1d.v4
#include <cuda_runtime.h>

__global__ void k(int *p)
{
    int v = p[threadIdx.x];
    asm volatile("tex.1d.v4.s32.s32 %0, %0;" : "+r"(v));
    p[threadIdx.x] = v;
}

int main() { k<<<1, 32>>>(nullptr); }
