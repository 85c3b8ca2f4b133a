// The device: how many, which, what it is like.
// run: THREELANE_MODEL=h200
// out: ok device
#include "conformance.h"
#include <cuda_profiler_api.h>

int main()
{
    int count = 0, device = -1, value = 0, runtime = 0, driver = 0;
    unsigned flags = 0;
    cudaDeviceProp prop;
    OK(cudaGetDeviceCount(&count));
    CHECK(count >= 1);
    OK(cudaGetDevice(&device));
    CHECK(device == 0);
    OK(cudaSetDevice(0));
    OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    OK(cudaGetDeviceFlags(&flags));
    CHECK((flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
    IS(cudaErrorInvalidValue, cudaSetDeviceFlags(0x10000));
    OK(cudaRuntimeGetVersion(&runtime));
    CHECK(runtime == CUDART_VERSION && runtime / 1000 == 13);
    OK(cudaDriverGetVersion(&driver));
    CHECK(driver >= runtime);

    OK(cudaGetDeviceProperties(&prop, 0));
    CHECK(strstr(prop.name, "H200") != NULL);
    CHECK(prop.major == 9 && prop.minor == 0 && prop.multiProcessorCount == 132 && prop.warpSize == 32);
    CHECK(prop.maxThreadsPerBlock == 1024 && prop.maxThreadsDim[2] == 64 && prop.maxGridSize[1] == 65535);
    CHECK(prop.sharedMemPerBlock == 48 << 10 && prop.sharedMemPerBlockOptin == 227 << 10);
    CHECK(prop.sharedMemPerMultiprocessor == 228 << 10 && prop.maxThreadsPerMultiProcessor == 2048);
    CHECK(prop.unifiedAddressing && prop.canMapHostMemory && prop.concurrentKernels && prop.managedMemory);
    CHECK(prop.streamPrioritiesSupported && prop.totalGlobalMem > 130ull << 30);
    CHECK(prop.totalGlobalMem == 150109880320ull && prop.memoryBusWidth == 6016 && prop.l2CacheSize == 60 << 20);
    CHECK(prop.regsPerBlock == 65536 && prop.regsPerMultiprocessor == 65536 && prop.totalConstMem == 65536);
    CHECK(prop.maxBlocksPerMultiProcessor == 32 && prop.reservedSharedMemPerBlock == 1024);
    CHECK(prop.memPitch == 2147483647 && prop.textureAlignment == 512 && prop.hostRegisterReadOnlySupported);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == prop.multiProcessorCount);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
    CHECK(value == 9);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
    CHECK(value == 1980000);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, 0));
    CHECK(value == 3201000);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrSingleToDoublePrecisionPerfRatio, 0));
    CHECK(value == 2);
    IS(cudaErrorInvalidValue, cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    IS(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));

    OK(cudaProfilerStart());
    OK(cudaProfilerStop());

    size_t limit;
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    CHECK(limit == 1024);
    IS(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));

    // A reset makes everything go away, and the next call starts anew.
    void *d;
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaDeviceReset());
    IS(cudaErrorInvalidValue, cudaFree(d));
    cudaGetLastError();
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaFree(d));
    return finish("device");
}
// hazard: use-after-free 62 63
