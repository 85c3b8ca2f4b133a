// A call of the driver that failed, and whose code nobody looks at; the runtime's last error is none of it.
// flags: -lcuda
// check: memory
// out: 0
// err: cuMemAlloc failed with CUDA_ERROR_INVALID_VALUE (invalid argument), and nothing looks at its result
// hazard: failed-call A
#include <cuda.h>
#include <cstdio>
int main()
{
    CUcontext context;
    CUdeviceptr d;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    cuMemAlloc(&d, 0); // A
    printf("%d\n", cudaPeekAtLastError());
    return 0;
}
