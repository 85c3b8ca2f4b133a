// The driver API after a kernel has failed.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_fault
#include "driver.h"

__global__ void touch(int *p) { *p = 1; }

static CUdevice dev;
static CUcontext ctx;


static void CUDA_CB told(CUstream, CUresult code, void *) { (void)code; }
static void CUDA_CB told_nothing(void *) {}

static void fault()
{
    CUdeviceptr p, m;
    CUstream s, s2;
    CUevent e, e2;
    int n;
    CUcontext c;
    size_t a, b;
    const char *text;
    unsigned u;
    void *h;
    int *plain = (int *)calloc(1, sizeof *plain);
    CUdevice d;
    cudaStream_t rs;
    ctx = primary();
    cuStreamCreate(&s, 0);
    cuEventCreate(&e, 0);
    cuMemAlloc(&m, 16);
    cuMemAllocHost(&h, 16);
    touch<<<1, 1, 0, s>>>(plain);
    cuStreamAddCallback(s, told, NULL, 0);
    GIVES(700, cuStreamSynchronize(s));
    GIVES(700, cuStreamSynchronize(s));
    GIVES(700, cuStreamQuery(s));
    GIVES(700, cuCtxSynchronize());
    GIVES(700, cuMemAlloc(&p, 16));
    GIVES(700, cuMemFree(m));
    GIVES(700, cuMemFreeHost(h));
    GIVES(700, cuMemAllocHost(&h, 16));
    GIVES(700, cuEventRecord(e, s));
    GIVES(700, cuEventQuery(e));
    GIVES(700, cuEventCreate(&e2, 0));
    GIVES(700, cuEventDestroy(e));
    GIVES(700, cuStreamCreate(&s2, 0));
    GIVES(700, cuMemGetInfo(&a, &b));
    GIVES(700, cuMemcpyDtoH(&n, m, 4));
    GIVES(700, cuMemsetD8(m, 0, 4));
    GIVES(700, cuLaunchHostFunc(s, told_nothing, NULL));
    GIVES(700, cuStreamDestroy(s));
    GIVES(0, cuInit(0));
    GIVES(0, cuDeviceGetCount(&n));
    GIVES(0, cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    GIVES(0, cuDriverGetVersion(&n));
    GIVES(0, cuGetErrorName(CUDA_SUCCESS, &text));
    GIVES(0, cuCtxGetCurrent(&c));
    CHECK(c == ctx);
    GIVES(0, cuCtxGetDevice(&d));
    GIVES(0, cuCtxSetCurrent(c));
    GIVES(0, cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, m));
    GIVES(700, cuCtxGetStreamPriorityRange(&n, &n));
    GIVES(0, cudaGetLastError());
    GIVES(700, cudaStreamCreate(&rs));
    GIVES(700, cudaGetLastError());
    GIVES(0, cudaGetLastError());
    GIVES(0, cuCtxPopCurrent(&c));
    GIVES(0, cuCtxPushCurrent(ctx));
    GIVES(0, cuDevicePrimaryCtxReset(dev));
    GIVES(709, cuMemAlloc(&p, 16));
    GIVES(46, cudaMalloc(&h, 16));
    GIVES(709, cuMemAlloc(&p, 16));
    GIVES(0, cuDevicePrimaryCtxRelease(dev));
    GIVES(0, cuCtxSetCurrent(c));
    GIVES(709, cuMemAlloc(&p, 16));
}

int main()
{
    fault();
    return finish("driver_fault");
}
// hazard: wrong-memory 8
