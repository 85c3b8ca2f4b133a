#include <cuda.h>

int c_part(void);
int c_part(void)
{
    CUcontext three, four;
    CUdeviceptr d;
    return cuCtxCreate(&three, 0, 0) || cuMemAlloc(&d, 4) || cuCtxDestroy(three) ||
           cuCtxCreate(&four, NULL, CU_CTX_SCHED_AUTO, 0) || cuMemAlloc(&d, 4) || cuCtxDestroy(four);
}
