// Which calls of the driver API make their caller wait: as the runtime's of the same purpose.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_waits
#include "driver.h"

static const size_t N = 1 << 20;
static char plain[1 << 20];
static CUdeviceptr d, d2, managed;
static void *h, *h2;
static CUstream s, other;

/* The call, made while a kernel of BUSY ms runs in that stream, takes less than AT_ONCE, or most of BUSY. */
#define BESIDE(STREAM, LEAST, MOST, CALL)                                                          \
    do {                                                                                           \
        busy(STREAM);                                                                              \
        double beside_begin = now_ms();                                                            \
        GIVES(0, CALL);                                                                            \
        took_at(now_ms() - beside_begin, LEAST, MOST, __LINE__, #CALL);                            \
        GIVES(0, cuCtxSynchronize());                                                              \
    } while (0)
#define GOES_ON(STREAM, CALL) BESIDE(STREAM, 0, AT_ONCE, CALL)
#define IS_HELD(STREAM, CALL) BESIDE(STREAM, WAITED, 2 * BUSY, CALL)

static void run()
{
    // a blocking stream
    IS_HELD(s, cuMemcpyHtoD(d, h, N));
    IS_HELD(s, cuMemcpyHtoD(d, plain, N));
    IS_HELD(s, cuMemcpyDtoH(h, d, N));
    IS_HELD(s, cuMemcpyDtoH(plain, d, N));
    IS_HELD(s, cuMemcpy(d, (CUdeviceptr)h, N));
    IS_HELD(s, cuMemcpy((CUdeviceptr)h, (CUdeviceptr)h2, N));
    IS_HELD(s, cuMemcpy((CUdeviceptr)plain, (CUdeviceptr)h2, N));
    GOES_ON(s, cuMemcpyDtoD(d, d2, N));
    GOES_ON(s, cuMemcpy(d, d2, N));
    GOES_ON(s, cuMemsetD8(d, 0, N));
    GOES_ON(s, cuMemsetD32(d, 0, N / 4));
    IS_HELD(s, cuMemsetD8((CUdeviceptr)h, 0, N));
    IS_HELD(s, cuMemsetD8(managed, 0, N));
    GOES_ON(s, cuMemcpyHtoDAsync(d, h, N, 0));
    GOES_ON(s, cuMemcpyDtoHAsync(h, d, N, 0));
    GOES_ON(s, cuMemsetD8Async((CUdeviceptr)h, 0, N, 0));
    IS_HELD(s, cuStreamSynchronize(0));
    GOES_ON(s, cuStreamSynchronize(other));

    // in the stream itself, pageable
    IS_HELD(s, cuMemcpyDtoHAsync(plain, d, 4096, s));
    IS_HELD(s, cuMemcpyAsync((CUdeviceptr)plain, (CUdeviceptr)h, 4096, s));

    // a stream that does not block
    GOES_ON(other, cuMemcpyHtoD(d, h, N));
    GOES_ON(other, cuMemcpyDtoH(h, d, N));
    GOES_ON(other, cuMemcpyDtoD(d, d2, N));
    GOES_ON(other, cuMemsetD8((CUdeviceptr)h, 0, N));
    IS_HELD(other, cuCtxSynchronize());

    // memory that goes, while the device works
    CUdeviceptr gone;
    void *host_gone;
    GOES_ON(other, cuMemAlloc(&gone, N));
    IS_HELD(other, cuMemFree(gone));
    GIVES(0, cuMemAllocHost(&host_gone, N));
    IS_HELD(other, cuMemFreeHost(host_gone));
    GIVES(0, cuMemHostRegister(plain, N, 0));
    IS_HELD(other, cuMemHostUnregister(plain));
    GIVES(0, cuMemAllocAsync(&gone, N, s));
    GIVES(0, cuStreamSynchronize(s));
    GOES_ON(other, cuMemFreeAsync(gone, s));
}

int main()
{
    primary();
    warm_up();
    GIVES(0, cuStreamCreate(&s, CU_STREAM_DEFAULT));
    GIVES(0, cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    GIVES(0, cuMemAlloc(&d, N));
    GIVES(0, cuMemAlloc(&d2, N));
    GIVES(0, cuMemAllocManaged(&managed, N, CU_MEM_ATTACH_GLOBAL));
    GIVES(0, cuMemAllocHost(&h, N));
    GIVES(0, cuMemAllocHost(&h2, N));
    GIVES(0, cuMemsetD8(d, 0, N));
    GIVES(0, cuMemsetD32(d2, 0, N / 4));
    GIVES(0, cuMemcpyDtoD(d, d2, N));
    GIVES(0, cuCtxSynchronize());
    run();
    return finish("driver_waits");
}
