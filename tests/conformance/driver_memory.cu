// Memory, copies and sets of the driver API.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200
// out: ok driver_memory
#include "driver.h"


static void memory()
{
    static char plain[8192], plain2[8192];
    CUdeviceptr p = 0, q = 0, m = 0, base;
    void *h = NULL, *h2 = NULL;
    size_t total, free_bytes, size, pitch;
    unsigned flags;
    primary();
    cuMemGetInfo(&free_bytes, &total);
    GIVES(0, cuMemGetInfo(NULL, &total));
    GIVES(0, cuMemGetInfo(&total, NULL));
    GIVES(0, cuMemGetInfo(NULL, NULL));
    GIVES(0, cuMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes <= total);
    GIVES(1, cuMemAlloc(NULL, 16));
    p = 77;
    GIVES(1, cuMemAlloc(&p, 0));
    CHECK(p == 0);
    GIVES(2, cuMemAlloc(&p, 2 * total));
    GIVES(0, cuMemAlloc(&p, 4096));
    CHECK(p % 512 == 0);
    GIVES(0, cuMemAlloc(&q, 4096));
    GIVES(0, cuMemFree(0));
    GIVES(1, cuMemFree(p + 4));
    GIVES(1, cuMemFree((CUdeviceptr)plain));
    GIVES(1, cuMemAllocHost(NULL, 16));
    GIVES(0, cuMemAllocHost(&h, 0));
    CHECK(h == NULL);
    GIVES(0, cuMemAllocHost(&h, 4096));
    GIVES(0, cuMemHostAlloc(&h2, 0, 0));
    GIVES(1, cuMemHostAlloc(NULL, 16, 0));
    GIVES(1, cuMemHostAlloc(&h2, 4096, 99));
    GIVES(0, cuMemHostAlloc(&h2, 4096,
                            CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP |
                                CU_MEMHOSTALLOC_WRITECOMBINED));
    GIVES(0, cuMemHostGetFlags(&flags, h2));
    CHECK(flags == 7);
    GIVES(0, cuMemHostGetFlags(&flags, h));
    CHECK(flags == 2);
    GIVES(1, cuMemHostGetFlags(&flags, plain));
    GIVES(1, cuMemHostGetFlags(NULL, h));
    GIVES(0, cuMemHostGetDevicePointer(&base, h, 0));
    CHECK(base == (CUdeviceptr)h);
    GIVES(0, cuMemHostGetDevicePointer(&base, (char *)h + 8, 0));
    CHECK(base == (CUdeviceptr)h + 8);
    GIVES(1, cuMemHostGetDevicePointer(&base, h, 1));
    GIVES(1, cuMemHostGetDevicePointer(&base, plain, 0));
    GIVES(1, cuMemHostGetDevicePointer(NULL, h, 0));
    GIVES(1, cuMemFree((CUdeviceptr)h));
    GIVES(0, cuMemFreeHost(NULL));
    GIVES(1, cuMemFreeHost(plain));
    GIVES(1, cuMemFreeHost((void *)p));
    GIVES(1, cuMemFreeHost((char *)h + 8));
    GIVES(1, cuMemHostRegister(NULL, 4096, 0));
    GIVES(1, cuMemHostRegister(plain, 0, 0));
    GIVES(1, cuMemHostRegister(plain, 8192, 0x80));
    GIVES(1, cuMemHostRegister(h, 4096, 0));
    GIVES(1, cuMemHostRegister((void *)p, 4096, 0));
    GIVES(0, cuMemHostRegister(plain, 8192, CU_MEMHOSTREGISTER_PORTABLE));
    GIVES(712, cuMemHostRegister(plain, 8192, 0));
    GIVES(0, cuMemHostGetDevicePointer(&base, plain, 0));
    CHECK(base == (CUdeviceptr)plain);
    GIVES(0, cuMemHostUnregister(plain));
    GIVES(713, cuMemHostUnregister(plain));
    GIVES(1, cuMemHostUnregister(NULL));
    GIVES(1, cuMemHostUnregister(h));
    GIVES(1, cuMemAllocManaged(NULL, 16, CU_MEM_ATTACH_GLOBAL));
    GIVES(1, cuMemAllocManaged(&m, 0, CU_MEM_ATTACH_GLOBAL));
    GIVES(1, cuMemAllocManaged(&m, 4096, 0));
    GIVES(1, cuMemAllocManaged(&m, 4096, 99));
    GIVES(0, cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL));
    GIVES(0, cuMemAllocPitch(&base, &pitch, 100, 4, 4));
    CHECK(pitch == 512);
    GIVES(1, cuMemAllocPitch(&base, &pitch, 100, 4, 3));
    GIVES(1, cuMemAllocPitch(&base, &pitch, 0, 4, 4));
    // copies
    GIVES(0, cuMemcpyHtoD(p, plain, 4096));
    GIVES(1, cuMemcpyHtoD(p, plain, 4097));
    GIVES(1, cuMemcpyHtoD(p, NULL, 4));
    GIVES(1, cuMemcpyHtoD(0, plain, 4));
    GIVES(0, cuMemcpyHtoD(0, NULL, 0));
    GIVES(0, cuMemcpyHtoD(p, h, 4096));
    GIVES(1, cuMemcpyHtoD((CUdeviceptr)plain, plain2, 4));
    GIVES(0, cuMemcpyHtoD((CUdeviceptr)h, plain2, 4));
    GIVES(0, cuMemcpyHtoD(p, (void *)q, 4));
    GIVES(0, cuMemcpyHtoD(m, plain, 4));
    GIVES(0, cuMemcpyDtoH(plain, p, 4096));
    GIVES(1, cuMemcpyDtoH(plain, p + 4, 4096));
    GIVES(1, cuMemcpyDtoH(NULL, p, 4));
    GIVES(1, cuMemcpyDtoH(plain, (CUdeviceptr)plain2, 4));
    GIVES(0, cuMemcpyDtoH(plain, (CUdeviceptr)h, 4));
    GIVES(0, cuMemcpyDtoH((void *)q, p, 4));
    GIVES(0, cuMemcpyDtoH(plain, m, 4));
    GIVES(0, cuMemcpyDtoD(p, q, 4096));
    GIVES(1, cuMemcpyDtoD(p, q + 1, 4096));
    GIVES(1, cuMemcpyDtoD(p, (CUdeviceptr)plain, 4));
    GIVES(1, cuMemcpyDtoD((CUdeviceptr)plain, p, 4));
    GIVES(0, cuMemcpyDtoD(p, (CUdeviceptr)h, 4));
    GIVES(0, cuMemcpy(p, (CUdeviceptr)plain, 4));
    GIVES(0, cuMemcpy((CUdeviceptr)plain, p, 4));
    GIVES(0, cuMemcpy(p, q, 4));
    GIVES(0, cuMemcpy((CUdeviceptr)plain, (CUdeviceptr)plain2, 4));
    GIVES(0, cuMemcpy((CUdeviceptr)h, (CUdeviceptr)h2, 4));
    GIVES(1, cuMemcpy(p, q, 4097));
    GIVES(0, cuMemcpy(0, 0, 0));
    GIVES(0, cuMemcpyHtoDAsync(p, h, 4096, 0));
    GIVES(1, cuMemcpyHtoDAsync(p, h, 4097, 0));
    GIVES(0, cuMemcpyHtoDAsync(p, plain, 4096, 0));
    GIVES(0, cuMemcpyDtoHAsync(h, p, 4096, 0));
    GIVES(0, cuMemcpyDtoHAsync(plain, p, 4096, 0));
    GIVES(1, cuMemcpyDtoHAsync(h, (CUdeviceptr)plain, 16, 0));
    GIVES(0, cuMemcpyDtoDAsync(p, q, 4096, 0));
    GIVES(0, cuMemcpyAsync(p, (CUdeviceptr)h, 4096, 0));
    GIVES(0, cuMemcpyAsync((CUdeviceptr)plain, (CUdeviceptr)plain2, 16, 0));
    // sets
    GIVES(0, cuMemsetD8(p, 1, 4096));
    GIVES(1, cuMemsetD8(p, 1, 4097));
    GIVES(0, cuMemsetD8(p + 1, 1, 1));
    GIVES(0, cuMemsetD8(0, 1, 0));
    GIVES(1, cuMemsetD8(0, 1, 4));
    GIVES(1, cuMemsetD8((CUdeviceptr)plain, 1, 4));
    GIVES(0, cuMemsetD8((CUdeviceptr)h, 1, 4));
    GIVES(0, cuMemsetD8(m, 1, 4));
    GIVES(0, cuMemsetD16(p, 0x1234, 2048));
    GIVES(1, cuMemsetD16(p, 0x1234, 2049));
    GIVES(1, cuMemsetD16(p + 1, 0x1234, 1));
    GIVES(0, cuMemsetD16(p + 2, 0x1234, 1));
    GIVES(0, cuMemsetD32(p, 0x12345678, 1024));
    GIVES(1, cuMemsetD32(p, 0x12345678, 1025));
    GIVES(1, cuMemsetD32(p + 2, 0x12345678, 1));
    GIVES(0, cuMemsetD32(p + 2, 0x12345678, 0));
    GIVES(0, cuMemsetD32(p + 4, 0x12345678, 1));
    GIVES(0, cuMemsetD8Async(p, 1, 4096, 0));
    GIVES(1, cuMemsetD16Async(p + 1, 1, 1, 0));
    GIVES(1, cuMemsetD32Async(p + 1, 1, 1, 0));
    GIVES(0, cuMemsetD32Async(p, 1, 1ull << 62, 0));
    GIVES(0, cuMemsetD2D8(p, 64, 1, 16, 4));
    GIVES(1, cuMemsetD2D8(p, 8, 1, 16, 4));
    GIVES(0, cuMemsetD2D32(p, 64, 1, 16, 4));
    // what a pointer is
    GIVES(0, cuMemGetAddressRange(&base, &size, p + 100));
    CHECK(base == p);
    CHECK(size == 4096);
    GIVES(0, cuMemGetAddressRange(&base, &size, (CUdeviceptr)h + 8));
    CHECK(base == (CUdeviceptr)h);
    CHECK(size == 4096);
    GIVES(0, cuMemGetAddressRange(&base, &size, m + 8));
    CHECK(base == m);
    CHECK(size == 4096);
    GIVES(0, cuMemGetAddressRange(NULL, &size, p));
    CHECK(size == 4096);
    GIVES(0, cuMemGetAddressRange(&base, NULL, p));
    GIVES(0, cuMemGetAddressRange(NULL, NULL, p));
    GIVES(500, cuMemGetAddressRange(&base, &size, (CUdeviceptr)plain));
    GIVES(500, cuMemGetAddressRange(&base, &size, 0));
    GIVES(500, cuMemGetAddressRange(&base, &size, p + 4096 + (1ull << 30)));
    // freeing
    GIVES(0, cuMemFree(q));
    GIVES(1, cuMemFree(q));
    GIVES(1, cuMemcpyHtoD(q, plain, 4));
    GIVES(0, cuMemFree(m));
    GIVES(0, cudaFree((void *)p));
    GIVES(1, cuMemFree(p));
    GIVES(0, cudaFreeHost(h));
    GIVES(1, cuMemFreeHost(h));
    GIVES(0, cuMemFreeHost(h2));
    // none of it was an error of the runtime
    GIVES(0, cudaGetLastError());
}

int main()
{
    memory();
    return finish("driver_memory");
}
// hazard: wrong-memory 32
// hazard: wrong-memory 33
// hazard: wrong-memory 57
// hazard: wrong-memory 59
// hazard: wrong-memory 60
// hazard: wrong-memory 61
// hazard: use-after-free 71 72
// hazard: wrong-memory 74
// hazard: out-of-bounds 86
// hazard: wrong-memory 91
// hazard: wrong-memory 93
// hazard: out-of-bounds 96
// hazard: wrong-memory 98
// hazard: wrong-memory 100
// hazard: out-of-bounds 103
// hazard: wrong-memory 104
// hazard: wrong-memory 105
// hazard: out-of-bounds 112
// hazard: out-of-bounds 115
// hazard: wrong-memory 119
// hazard: out-of-bounds 125
// hazard: wrong-memory 129
// hazard: out-of-bounds 133
// hazard: out-of-bounds 137
// hazard: use-after-free 166 167
// hazard: use-after-free 166 168
// hazard: use-after-free 170 171
// hazard: use-after-free 172 173
