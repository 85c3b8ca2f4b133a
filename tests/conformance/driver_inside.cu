// Calls of the driver API inside a host function.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_inside
#include "driver.h"


static void CUDA_CB inside(void *)
{
    CUdeviceptr p;
    int n;
    CUstream s;
    size_t a, b;
    const char *text;
    CUcontext c;
    CUdevice d;
    GIVES(0, cuInit(0));
    GIVES(0, cuDriverGetVersion(&n));
    GIVES(800, cuDeviceGetCount(&n));
    GIVES(800, cuDeviceGet(&d, 0));
    GIVES(0, cuGetErrorName(CUDA_SUCCESS, &text));
    GIVES(800, cuCtxGetCurrent(&c));
    GIVES(800, cuMemGetInfo(&a, &b));
    GIVES(800, cuMemAlloc(&p, 16));
    GIVES(800, cuStreamCreate(&s, 0));
    GIVES(800, cuStreamQuery(0));
    GIVES(800, cuCtxSynchronize());
    GIVES(800, cuCtxGetDevice(&d));
    GIVES(800, cuMemFree(0));
    GIVES(800, cudaGetDeviceCount(&n));
    GIVES(800, cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    GIVES(800, cuCtxSetCurrent(NULL));
}

static void hostfn()
{
    CUstream s;
    primary();
    cuStreamCreate(&s, 0);
    GIVES(0, cuLaunchHostFunc(s, inside, NULL));
    GIVES(0, cuStreamSynchronize(s));
}

int main()
{
    hostfn();
    return finish("driver_inside");
}
