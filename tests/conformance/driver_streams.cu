// Streams and events of the driver API.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_streams
#include "driver.h"


static void CUDA_CB callback(CUstream, CUresult, void *) {}
static void CUDA_CB hostfn(void *) {}

static void streams()
{
    CUstream s = 0, n = 0, hi = 0;
    unsigned flags;
    int v;
    CUevent e;
    unsigned long long id;
    CUdevice d;
    CUstreamCaptureStatus st;
    primary();
    GIVES(1, cuStreamCreate(NULL, 0));
    GIVES(1, cuStreamCreate(&s, 99));
    GIVES(1, cuStreamCreate(&s, 2));
    GIVES(0, cuStreamCreate(&s, CU_STREAM_DEFAULT));
    GIVES(0, cuStreamCreate(&n, CU_STREAM_NON_BLOCKING));
    GIVES(1, cuStreamCreateWithPriority(NULL, 0, 0));
    GIVES(1, cuStreamCreateWithPriority(&hi, 7, 0));
    GIVES(0, cuStreamCreateWithPriority(&hi, CU_STREAM_NON_BLOCKING, -100));
    GIVES(0, cuStreamGetPriority(hi, &v));
    CHECK(v == -5);
    GIVES(1, cuStreamGetPriority(hi, NULL));
    GIVES(0, cuStreamGetPriority(0, &v));
    CHECK(v == 0);
    GIVES(0, cuStreamGetFlags(hi, &flags));
    CHECK(flags == 1);
    GIVES(0, cuStreamGetFlags(s, &flags));
    CHECK(flags == 0);
    GIVES(0, cuStreamGetFlags(0, &flags));
    CHECK(flags == 0);
    GIVES(0, cuStreamGetFlags(CU_STREAM_LEGACY, &flags));
    CHECK(flags == 0);
    GIVES(0, cuStreamGetFlags(CU_STREAM_PER_THREAD, &flags));
    CHECK(flags == 0);
    GIVES(1, cuStreamGetFlags(s, NULL));
    GIVES(0, cuStreamGetId(s, &id));
    GIVES(1, cuStreamGetId(s, NULL));
    GIVES(0, cuStreamGetDevice(s, &d));
    CHECK(d == 0);
    GIVES(1, cuStreamGetDevice(s, NULL));
    GIVES(0, cuStreamIsCapturing(s, &st));
    CHECK(st == 0);
    GIVES(1, cuStreamIsCapturing(s, NULL));
    GIVES(0, cuStreamSynchronize(s));
    GIVES(0, cuStreamSynchronize(CU_STREAM_LEGACY));
    GIVES(0, cuStreamSynchronize(CU_STREAM_PER_THREAD));
    GIVES(0, cuStreamQuery(s));
    busy(s);
    GIVES(600, cuStreamQuery(s));
    GIVES(600, cuStreamQuery(0));
    GIVES(0, cuStreamQuery(n));
    GIVES(0, cudaGetLastError());
    GIVES(0, cuStreamSynchronize(s));
    GIVES(400, cuStreamWaitEvent(s, NULL, 0));
    GIVES(0, cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    GIVES(0, cuStreamWaitEvent(s, e, 0));
    GIVES(1, cuStreamWaitEvent(s, e, 9));
    GIVES(401, cuStreamWaitEvent(s, e, CU_EVENT_WAIT_EXTERNAL));
    GIVES(1, cuStreamAddCallback(s, callback, NULL, 1));
    GIVES(1, cuStreamAddCallback(s, NULL, NULL, 0));
    GIVES(0, cuStreamAddCallback(s, callback, NULL, 0));
    GIVES(1, cuLaunchHostFunc(s, NULL, NULL));
    GIVES(0, cuLaunchHostFunc(s, hostfn, NULL));
    GIVES(400, cuStreamDestroy(0));
    GIVES(400, cuStreamDestroy(CU_STREAM_LEGACY));
    GIVES(400, cuStreamDestroy(CU_STREAM_PER_THREAD));
    busy(s, 50);
    GIVES(0, cuStreamDestroy(s));
    GIVES(0, cuCtxSynchronize());
    GIVES(0, cuStreamDestroy(n));
}

static void events()
{
    CUevent a, b, c, x;
    CUstream s;
    float ms = -1;
    primary();
    cuStreamCreate(&s, 0);
    GIVES(1, cuEventCreate(NULL, 0));
    GIVES(1, cuEventCreate(&a, 99));
    GIVES(1, cuEventCreate(&a, CU_EVENT_INTERPROCESS));
    GIVES(0, cuEventCreate(&x, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    GIVES(0, cuEventCreate(&a, CU_EVENT_DEFAULT));
    GIVES(0, cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC));
    GIVES(0, cuEventCreate(&c, CU_EVENT_DISABLE_TIMING));
    GIVES(0, cuEventQuery(a));
    GIVES(0, cuEventSynchronize(a));
    GIVES(400, cuEventElapsedTime(&ms, a, b));
    GIVES(0, cuEventRecord(a, s));
    GIVES(400, cuEventElapsedTime(&ms, a, b));
    busy(s);
    GIVES(0, cuEventRecord(b, s));
    GIVES(0, cuEventRecord(c, s));
    GIVES(600, cuEventQuery(b));
    GIVES(600, cuEventElapsedTime(&ms, a, b));
    GIVES(0, cuEventSynchronize(b));
    GIVES(0, cuEventQuery(b));
    GIVES(0, cuEventElapsedTime(&ms, a, b));
    GIVES(400, cuEventElapsedTime(NULL, a, b));
    GIVES(400, cuEventElapsedTime(&ms, a, c));
    GIVES(400, cuEventElapsedTime(&ms, NULL, b));
    GIVES(400, cuEventRecord(NULL, s));
    GIVES(1, cuEventRecordWithFlags(a, s, 9));
    GIVES(401, cuEventRecordWithFlags(a, s, CU_EVENT_RECORD_EXTERNAL));
    GIVES(0, cuEventRecordWithFlags(a, s, 0));
    GIVES(0, cuEventRecord(a, 0));
    GIVES(400, cuEventQuery(NULL));
    GIVES(400, cuEventSynchronize(NULL));
    GIVES(400, cuEventDestroy(NULL));
    GIVES(0, cudaEventRecord(a, s));
    GIVES(0, cudaEventSynchronize(a));
    busy(s, 50);
    GIVES(0, cuEventRecord(b, s));
    GIVES(0, cuEventDestroy(b));
    GIVES(0, cuEventDestroy(a));
    GIVES(0, cuCtxSynchronize());
}

int main()
{
    streams();
    events();
    return finish("driver_streams");
}
