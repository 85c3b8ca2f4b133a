// A context of the program's own, which the runtime uses as well, and what goes with it.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_own
#include "driver.h"

static CUdevice dev;
static CUcontext got;

static void own()
{
    unsigned flags = 0, version;
    int active = 0, current;
    CUdeviceptr p = 0;
    CUstream s;
    cudaStream_t rs;
    CUcontext a;
    void *h;
    cuInit(0);
    cuDeviceGet(&dev, 0);
    GIVES(1, cuCtxCreate(NULL, NULL, 0, dev));
    GIVES(101, cuCtxCreate(&a, NULL, 0, 99));
    GIVES(1, cuCtxCreate(&a, NULL, 0x8000, dev));
    GIVES(1, cuCtxCreate(&a, NULL, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, dev));
    GIVES(0, cuCtxCreate(&a, NULL, CU_CTX_SCHED_BLOCKING_SYNC, dev));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == a);
    GIVES(0, cuDevicePrimaryCtxGetState(dev, &flags, &active));
    CHECK(active == 0);
    GIVES(0, cuCtxGetFlags(&flags));
    CHECK(flags == 4);
    GIVES(0, cuCtxGetApiVersion(a, &version));
    CHECK(version == 3020);
    GIVES(0, cuCtxGetDevice(&dev));
    CHECK(dev == 0);
    GIVES(0, cuMemAlloc(&p, 1 << 20));
    GIVES(0, cuStreamCreate(&s, 0));
    GIVES(0, cuStreamGetCtx(s, &got));
    CHECK(got == a);
    // the runtime uses the context that is current
    GIVES(0, cudaGetDevice(&current));
    CHECK(current == 0);
    GIVES(0, cudaMalloc(&h, 1 << 20));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == a);
    GIVES(0, cudaMemset((void *)p, 0, 1 << 20));
    GIVES(0, cudaStreamCreate(&rs));
    GIVES(0, cuStreamGetCtx(rs, &got));
    CHECK(got == a);
    GIVES(0, cuDevicePrimaryCtxGetState(dev, &flags, &active));
    CHECK(active == 0);
    busy(rs, 1);
    GIVES(0, cudaGetLastError());
    GIVES(0, cuCtxSynchronize());
    GIVES(0, cuCtxDestroy(a));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == NULL);
    GIVES(201, cuMemAlloc(&p, 16));
}

static void gone()
{
    CUcontext a;
    CUstream s;
    CUdeviceptr p;
    void *h;
    CUevent e;
    cuInit(0);
    cuDeviceGet(&dev, 0);
    GIVES(0, cuCtxCreate(&a, NULL, 0, dev));
    GIVES(0, cuStreamCreate(&s, 0));
    GIVES(0, cuEventCreate(&e, 0));
    GIVES(0, cuMemAlloc(&p, 1 << 20));
    GIVES(0, cuMemAllocHost(&h, 1 << 20));
    busy(s, 0.1);
    GIVES(0, cuCtxSynchronize());
    busy(s, 50);
    GIVES(0, cuCtxDestroy(a));
    GIVES(1, cuMemFree(p));
    GIVES(201, cuCtxSynchronize());
    GIVES(0, cuCtxCreate(&a, NULL, 0, dev));
    GIVES(1, cuMemFree(p));
    GIVES(1, cuMemFreeHost(h));
    GIVES(0, cuCtxPopCurrent(&got));
    CHECK(got == a);
    GIVES(0, cuCtxDestroy(a)); // not current: current nowhere
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == NULL);
}

int main()
{
    own();
    gone();
    return finish("driver_own");
}
// hazard: use-after-free 79 80
// hazard: use-after-free 79 83
// hazard: use-after-free 79 84
