// The driver API with -DCUDA_API_PER_THREAD_DEFAULT_STREAM: its calls without a stream take the thread's own, too.
// run: THREELANE_MODEL=h200
// flags: -DCUDA_API_PER_THREAD_DEFAULT_STREAM -lcuda
// nvcc: -DCUDA_API_PER_THREAD_DEFAULT_STREAM -lcuda
// out: ok driver_per_thread
#include "driver.h"

int main()
{
    CUdeviceptr d;
    void *h;
    CUstream s;
    CUevent e;
    primary();
    warm_up();
    GIVES(0, cuMemAlloc(&d, 4096));
    GIVES(0, cuMemAllocHost(&h, 4096));
    GIVES(0, cuStreamCreate(&s, CU_STREAM_DEFAULT));
    GIVES(0, cuEventCreate(&e, CU_EVENT_DEFAULT));
    GIVES(0, cuMemsetD8(d, 0, 4096));
    GIVES(0, cuMemsetD32Async(d, 0, 1024, 0));
    GIVES(0, cuCtxSynchronize());

    // a blocking stream holds up the legacy stream, and not the thread's own
    busy(s);
    double begin = now_ms();
    GIVES(0, cuMemcpyDtoH(h, d, 4096));
    GIVES(0, cuMemcpyHtoD(d, h, 4096));
    GIVES(0, cuMemsetD32Async(d, 1, 1024, 0));
    GIVES(0, cuEventRecord(e, 0));
    GIVES(0, cuEventSynchronize(e));
    GIVES(0, cuStreamSynchronize(0));
    GIVES(0, cuStreamQuery(0));
    GIVES(600, cuStreamQuery(s));
    GIVES(600, cuStreamQuery(CU_STREAM_LEGACY));
    CHECK(now_ms() - begin < AT_ONCE);
    GIVES(0, cuCtxSynchronize());
    GIVES(0, cuMemcpyDtoH(h, d, 4));
    CHECK(*(int *)h == 1);
    return finish("driver_per_thread");
}
