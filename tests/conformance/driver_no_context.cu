// The driver API when no context is current: and the runtime makes one current.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_no_context
#include "driver.h"

static CUcontext ctx, got, other;

static void none()
{
    CUdeviceptr p = 0;
    CUstream s = 0;
    CUevent e = 0;
    size_t a, b;
    void *h = NULL;
    int v;
    char plain[64];
    CUmemoryPool pool;
    CUdevice d;
    unsigned u;
    int active;
    cuInit(0);
    GIVES(1, cuCtxGetCurrent(NULL));
    got = (CUcontext)1;
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == NULL);
    GIVES(201, cuCtxGetDevice(&d));
    GIVES(201, cuCtxGetFlags(&u));
    GIVES(201, cuCtxSynchronize());
    GIVES(0, cuCtxSetCurrent(NULL));
    GIVES(201, cuCtxPopCurrent(&got));
    GIVES(1, cuCtxPushCurrent(NULL));
    GIVES(201, cuCtxPopCurrent(&got));
    GIVES(1, cuCtxDestroy(NULL));
    GIVES(201, cuCtxGetStreamPriorityRange(&v, &v));
    GIVES(201, cuMemAlloc(&p, 16));
    GIVES(0, cuMemFree(0));
    GIVES(201, cuMemAllocHost(&h, 16));
    GIVES(201, cuMemHostAlloc(&h, 16, 0));
    GIVES(0, cuMemFreeHost(NULL));
    GIVES(201, cuMemHostRegister(plain, 64, 0));
    GIVES(201, cuMemGetInfo(&a, &b));
    GIVES(201, cuMemcpyHtoD(p, plain, 4));
    GIVES(201, cuMemcpy((CUdeviceptr)plain, (CUdeviceptr)plain + 8, 4));
    GIVES(201, cuMemsetD8(p, 0, 4));
    GIVES(201, cuStreamCreate(&s, 0));
    GIVES(201, cuStreamSynchronize(0));
    GIVES(201, cuStreamQuery(0));
    GIVES(400, cuStreamDestroy(0));
    GIVES(201, cuEventCreate(&e, 0));
    GIVES(201, cuEventRecord(0, 0));
    GIVES(201, cuLaunchHostFunc(
                   0, [](void *) {}, NULL));
    GIVES(1, cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)plain));
    GIVES(0, cuDeviceGetDefaultMemPool(&pool, 0));
    GIVES(201, cuMemAllocAsync(&p, 16, 0));
    GIVES(0, cuDevicePrimaryCtxGetState(0, &u, &active));
    CHECK(active == 0);
    // the runtime makes the primary context, and makes it current
    GIVES(0, cudaFree(0));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got != NULL);
    GIVES(0, cuDevicePrimaryCtxGetState(0, &u, &active));
    CHECK(active == 1);
    GIVES(0, cuDevicePrimaryCtxRetain(&ctx, 0));
    CHECK(ctx == got);
    GIVES(0, cuCtxPopCurrent(&other));
    CHECK(other == got);
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == NULL);
    GIVES(201, cuMemAlloc(&p, 16));
    GIVES(0, cudaMalloc(&h, 16));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == ctx);
}

int main()
{
    none();
    return finish("driver_no_context");
}
