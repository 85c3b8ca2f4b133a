// What was compiled with NVIDIA's header asks for the names of the driver's library, and goes together with the rest.
// flags: -lcuda
// with: other_compiler_part.c
// out: 7 7
#include <cuda.h>
#include <cstdio>
extern "C" int c_part(void);
int main()
{
    CUcontext context;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    CUdeviceptr d;
    unsigned h;
    if (cuMemAlloc(&d, 4) || cuMemsetD32(d, 7, 1) || cuMemcpyDtoH(&h, d, 4) || cuMemFree(d)) return 2;
    printf("%u %d\n", h, c_part());
    return 0;
}
