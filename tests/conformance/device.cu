// The device: how many, which, what it is like.
// run: THREELANE_MODEL=h200
// out: ok device
#include "conformance.h"
#include <cuda_profiler_api.h>

static void says(enum cudaDeviceAttr attribute, int expected)
{
    int value = -1;
    OK(cudaDeviceGetAttribute(&value, attribute, 0));
    CHECK(value == expected);
}

// What an H200 says of itself, and so the virtual GPU with the model h200.
static void an_h200(const cudaDeviceProp *prop)
{
    CHECK(prop->major == 9 && prop->minor == 0 && prop->multiProcessorCount == 132);
    CHECK(prop->sharedMemPerBlockOptin == 227 << 10 && prop->sharedMemPerMultiprocessor == 228 << 10);
    CHECK(prop->maxThreadsPerMultiProcessor == 2048 && prop->maxBlocksPerMultiProcessor == 32);
    CHECK(prop->totalGlobalMem == 150109880320ull && prop->memoryBusWidth == 6016 && prop->l2CacheSize == 60 << 20);
    CHECK(prop->regsPerBlock == 65536 && prop->regsPerMultiprocessor == 65536 && prop->reservedSharedMemPerBlock == 1024);
    CHECK(prop->hostRegisterReadOnlySupported);
    says(cudaDevAttrClockRate, 1980000);
    says(cudaDevAttrMemoryClockRate, 3201000);
    says(cudaDevAttrSingleToDoublePrecisionPerfRatio, 2);
}

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
    CHECK(prop.name[0] && prop.warpSize == 32);
    CHECK(prop.maxThreadsPerBlock == 1024 && prop.maxThreadsDim[2] == 64 && prop.maxGridSize[1] == 65535);
    CHECK(prop.sharedMemPerBlock == 48 << 10 && prop.totalConstMem == 65536 && prop.memPitch == 2147483647);
    CHECK(prop.unifiedAddressing && prop.canMapHostMemory && prop.concurrentKernels && prop.managedMemory);
    CHECK(prop.textureAlignment == 512 && prop.streamPrioritiesSupported);
    // what a card says of itself in two ways is the same
    says(cudaDevAttrMultiProcessorCount, prop.multiProcessorCount);
    says(cudaDevAttrComputeCapabilityMajor, prop.major);
    says(cudaDevAttrComputeCapabilityMinor, prop.minor);
    says(cudaDevAttrGlobalMemoryBusWidth, prop.memoryBusWidth);
    says(cudaDevAttrL2CacheSize, prop.l2CacheSize);
    says(cudaDevAttrMaxRegistersPerBlock, prop.regsPerBlock);
    says(cudaDevAttrMaxRegistersPerMultiprocessor, prop.regsPerMultiprocessor);
    says(cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)prop.sharedMemPerMultiprocessor);
    says(cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)prop.sharedMemPerBlockOptin);
    says(cudaDevAttrMaxThreadsPerMultiProcessor, prop.maxThreadsPerMultiProcessor);
    says(cudaDevAttrMaxBlocksPerMultiprocessor, prop.maxBlocksPerMultiProcessor);
    says(cudaDevAttrReservedSharedMemoryPerBlock, (int)prop.reservedSharedMemPerBlock);
    says(cudaDevAttrAsyncEngineCount, prop.asyncEngineCount);
    size_t room, all;
    OK(cudaMemGetInfo(&room, &all));
    CHECK(room <= all && all == prop.totalGlobalMem);
    if (strstr(prop.name, "H200")) an_h200(&prop);
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
// hazard: use-after-free 85 86
