// The primary context: who holds it, the stack of a thread, what is left when nobody holds it.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_primary
#include "driver.h"

#include <pthread.h>
static CUdevice dev;
static CUcontext ctx, got, other;

static void *in_thread(void *)
{
    CUdeviceptr p;
    CUdevice d;
    CUcontext mine;
    mine = (CUcontext)1;
    GIVES(0, cuCtxGetCurrent(&mine));
    CHECK(mine == NULL);
    GIVES(201, cuMemAlloc(&p, 16));
    GIVES(0, cudaStreamSynchronize(0));
    GIVES(0, cuCtxGetCurrent(&mine));
    CHECK(mine == ctx);
    GIVES(0, cuCtxGetDevice(&d));
    CHECK(d == 0);
    GIVES(0, cuCtxSetCurrent(NULL));
    GIVES(0, cuCtxPushCurrent(ctx));
    GIVES(0, cuMemAlloc(&p, 16));
    GIVES(0, cuCtxPopCurrent(&mine));
    CHECK(mine == ctx);
    GIVES(201, cuCtxPopCurrent(&mine));
    return NULL;
}

static void primary_context()
{
    unsigned flags = 0;
    int active = 0;
    unsigned version = 0;
    unsigned long long id;
    CUdeviceptr p = 0;
    size_t value;
    pthread_t t;
    CUfunc_cache cache;
    int least, greatest;
    cudaStream_t rs;
    CUstream s;
    CUevent e;
    CUcontext a;
    cuInit(0);
    cuDeviceGet(&dev, 0);
    GIVES(201, cuDevicePrimaryCtxRelease(dev));
    GIVES(1, cuDevicePrimaryCtxRetain(NULL, dev));
    GIVES(101, cuDevicePrimaryCtxRetain(&ctx, 99));
    GIVES(0, cuDevicePrimaryCtxSetFlags(dev, CU_CTX_SCHED_BLOCKING_SYNC));
    GIVES(1, cuDevicePrimaryCtxSetFlags(dev, 0x4000));
    GIVES(101, cuDevicePrimaryCtxSetFlags(99, 0));
    GIVES(0, cuDevicePrimaryCtxRetain(&ctx, dev));
    GIVES(0, cuDevicePrimaryCtxRetain(&other, dev));
    CHECK(ctx == other);
    GIVES(0, cuDevicePrimaryCtxGetState(dev, &flags, &active));
    CHECK(flags == 4);
    CHECK(active == 1);
    GIVES(0, cuDevicePrimaryCtxSetFlags(dev, CU_CTX_SCHED_AUTO));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == NULL);
    GIVES(201, cuMemAlloc(&p, 16));
    GIVES(0, cuCtxSetCurrent(ctx));
    GIVES(0, cuMemAlloc(&p, 16));
    GIVES(0, cuCtxGetFlags(&flags));
    GIVES(1, cuCtxGetFlags(NULL));
    GIVES(0, cuCtxGetApiVersion(ctx, &version));
    CHECK(version == 3020);
    GIVES(0, cuCtxGetId(ctx, &id));
    GIVES(1, cuCtxGetDevice(NULL));
    GIVES(0, cuCtxGetDevice(&dev));
    CHECK(dev == 0);
    GIVES(0, cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
    CHECK(value == 1024);
    GIVES(1, cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE));
    GIVES(1, cuCtxGetLimit(&value, (CUlimit)99));
    GIVES(1, cuCtxSetLimit((CUlimit)99, 1));
    GIVES(0, cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20));
    GIVES(0, cuCtxGetCacheConfig(&cache));
    CHECK(cache == 0);
    GIVES(0, cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    GIVES(1, cuCtxSetCacheConfig((CUfunc_cache)9));
    GIVES(0, cuCtxGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0);
    CHECK(greatest == -5);
    GIVES(0, cuCtxGetStreamPriorityRange(NULL, NULL));
    GIVES(201, cuCtxDestroy(ctx));
    // mixed with the runtime
    GIVES(0, cudaStreamCreate(&rs));
    GIVES(0, cuStreamGetCtx(rs, &got));
    CHECK(got == ctx);
    GIVES(0, cuStreamGetCtx(0, &got));
    CHECK(got == ctx);
    GIVES(1, cuStreamGetCtx(rs, NULL));
    GIVES(0, cuStreamCreate(&s, 0));
    GIVES(0, cudaStreamSynchronize(s));
    GIVES(0, cudaStreamDestroy(s));
    GIVES(0, cuStreamDestroy(rs));
    // the stack
    GIVES(0, cuCtxPushCurrent(ctx));
    GIVES(0, cuCtxPopCurrent(&got));
    CHECK(got == ctx);
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == ctx);
    GIVES(0, cuCtxPopCurrent(NULL));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == NULL);
    GIVES(201, cuCtxPopCurrent(&got));
    GIVES(0, cuCtxSetCurrent(ctx));
    GIVES(0, cuCtxSetCurrent(NULL));
    GIVES(201, cuCtxPopCurrent(&got));
    GIVES(0, cuCtxSetCurrent(ctx));
    pthread_create(&t, NULL, in_thread, NULL);
    pthread_join(t, NULL);
    // releasing
    GIVES(0, cuEventCreate(&e, 0));
    GIVES(0, cuMemAlloc(&p, 1 << 20));
    GIVES(101, cuDevicePrimaryCtxRelease(99));
    GIVES(0, cuDevicePrimaryCtxRelease(dev));
    GIVES(0, cuDevicePrimaryCtxGetState(dev, &flags, &active));
    CHECK(active == 1);
    GIVES(0, cuDevicePrimaryCtxRelease(dev));
    GIVES(0, cuDevicePrimaryCtxGetState(dev, &flags, &active));
    CHECK(active == 1);
    GIVES(0, cuDevicePrimaryCtxRelease(dev));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == ctx);
    CHECK(got != NULL);
    GIVES(709, cuMemAlloc(&p, 16));
    GIVES(709, cuCtxSynchronize());
    GIVES(0, cuDevicePrimaryCtxRetain(&a, dev));
    CHECK(a == ctx);
    GIVES(0, cuCtxSetCurrent(a));
    GIVES(0, cuMemAlloc(&p, 16));
    GIVES(101, cuDevicePrimaryCtxReset(99));
    GIVES(0, cuDevicePrimaryCtxReset(dev));
    GIVES(0, cuDevicePrimaryCtxGetState(dev, &flags, &active));
    CHECK(active == 0);
    GIVES(709, cuMemAlloc(&p, 16));
    GIVES(0, cuCtxGetCurrent(&got));
    CHECK(got == a);
    GIVES(0, cudaMalloc((void **)&p, 16));
    GIVES(0, cuDevicePrimaryCtxGetState(dev, &flags, &active));
    CHECK(active == 1);
}

int main()
{
    primary_context();
    return finish("driver_primary");
}
