// cuCtxCreate has three arguments in CUDA 12 and four in CUDA 13, in C as in C++.
// flags: -lcuda
// with: c_contexts_part.c
// out: 0 0
#include <cuda.h>
#include <cstdio>
extern "C" int c_part(void);
int main()
{
    CUcontext three, four;
    CUdeviceptr d;
    int bad = cuInit(0) || cuCtxCreate(&three, 0, 0) || cuMemAlloc(&d, 4) || cuCtxDestroy(three) ||
              cuCtxCreate(&four, NULL, CU_CTX_SCHED_AUTO, 0) || cuMemAlloc(&d, 4) || cuCtxDestroy(four);
    printf("%d %d\n", bad, c_part());
    return 0;
}
