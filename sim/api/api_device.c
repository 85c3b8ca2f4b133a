/* api_device.c - devices: how many, which one is current, what it is like, waiting for it,
 * resetting it. */
#include "sim/api/api.h"
#include "sim/library/device_heap.h"
#include "sim/memory/peers.h"
#include <stdio.h>
#include <string.h>

enum { RUNTIME_VERSION = CUDART_VERSION, KNOWN_FLAGS = cudaDeviceMask };
static unsigned device_flags;
static size_t limits[cudaLimitPersistingL2CacheSize + 1] =
    {[cudaLimitStackSize] = 1024,
     [cudaLimitPrintfFifoSize] = 8650752,
     [cudaLimitMallocHeapSize] = 8388608,
     [cudaLimitDevRuntimePendingLaunchCount] = 2048,
     [cudaLimitMaxL2FetchGranularity] = 64};
static enum cudaFuncCache cache_config;

API(cudaGetDeviceCount, CALL_NO_DEVICE | CALL_IN_KERNEL | CALL_AFTER_FAULT, (int *count), (count))
{
    if (!count) return cudaErrorInvalidValue;
    if (!runtime.devices) return runtime.why_none;
    *count = runtime.devices;
    return cudaSuccess;
}

API(cudaSetDevice, CALL_NO_DEVICE | CALL_AFTER_FAULT, (int device), (device))
{
    if (!runtime.devices) return runtime.why_none;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    call_spend(call->costs->set_device ? call->costs->set_device : call->costs->other);
    call_set_device(call, device);
    return call_device_is_gone() ? cudaErrorDevicesUnavailable : cudaSuccess;
}

API(cudaInitDevice, 0, (int device, unsigned deviceFlags, unsigned flags),
    (device, deviceFlags, flags))
{
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (flags > cudaInitDeviceFlagsAreValid || deviceFlags & ~(unsigned)KNOWN_FLAGS)
        return cudaErrorInvalidValue;
    if (flags) device_flags = deviceFlags;
    return cudaSuccess;
}

API(cudaGetDevice, CALL_NO_DEVICE | CALL_IN_KERNEL | CALL_AFTER_FAULT, (int *device), (device))
{
    if (!device) return cudaErrorInvalidValue;
    if (!runtime.devices) return runtime.why_none;
    *device = call_device();
    return cudaSuccess;
}

/* Textures are not simulated: their limits stay 0. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void describe(struct cudaDeviceProp *prop, int device)
{
    const Model *model = device_model(device);
    memset(prop, 0, sizeof *prop);
    snprintf(prop->name, sizeof prop->name, "%s", model->card);
    memcpy(prop->uuid.bytes, "threelane-gpu-00", sizeof prop->uuid.bytes);
    prop->uuid.bytes[15] = (char)('0' + runtime.numbers[device]);
    prop->totalGlobalMem = model->memory_bytes;
    prop->sharedMemPerBlock = model->shared_per_block;
    prop->regsPerBlock = prop->regsPerMultiprocessor = model->registers_per_sm;
    prop->warpSize = model->warp_size;
    prop->memPitch = 2147483647;
    prop->maxThreadsPerBlock = model->max_threads_per_block;
    prop->maxThreadsDim[0] = prop->maxThreadsDim[1] = model->max_threads_per_block;
    prop->maxThreadsDim[2] = 64;
    prop->maxGridSize[0] = 2147483647;
    prop->maxGridSize[1] = prop->maxGridSize[2] = 65535;
    prop->totalConstMem = model->constant_bytes;
    prop->major = model->major;
    prop->minor = model->minor;
    prop->textureAlignment = 512;
    prop->texturePitchAlignment = 32;
    prop->surfaceAlignment = 512;
    prop->multiProcessorCount = model->sm_count;
    prop->canMapHostMemory = prop->concurrentKernels = prop->unifiedAddressing = 1;
    prop->pciBusID = model->pci_bus + runtime.numbers[device];
    prop->asyncEngineCount = model->async_engine_count;
    prop->memoryBusWidth = model->memory_bus_bits;
    prop->l2CacheSize = model->l2_bytes;
    prop->maxThreadsPerMultiProcessor = model->max_threads_per_sm;
    prop->maxBlocksPerMultiProcessor = model->max_blocks_per_sm;
    prop->streamPrioritiesSupported = model->priority_low != model->priority_high;
    prop->globalL1CacheSupported = prop->localL1CacheSupported = 1;
    prop->sharedMemPerMultiprocessor = model->shared_per_sm;
    prop->sharedMemPerBlockOptin = model->shared_per_block_optin;
    prop->reservedSharedMemPerBlock = 1024;
    prop->managedMemory = prop->concurrentManagedAccess = prop->computePreemptionSupported = 1;
    prop->canUseHostPointerForRegisteredMem = prop->hostRegisterSupported =
        prop->memoryPoolsSupported = 1;
    prop->hostRegisterReadOnlySupported = 1;
    prop->cooperativeLaunch = model->major >= 6;
    prop->clusterLaunch = model->major >= 9;
    prop->clockRate = (int)(model->sm_clock_ghz * 1e6);
    prop->memoryClockRate = model->memory_clock_khz;
    prop->deviceOverlap = model->async_engine_count > 0;
    prop->singleToDoublePrecisionPerfRatio = 2;
}
#pragma GCC diagnostic pop

API(cudaGetDeviceProperties, CALL_ALWAYS, (struct cudaDeviceProp * prop, int device),
    (prop, device))
{
    if (!prop) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    describe(prop, device);
    return cudaSuccess;
}
/* The name that CUDA 12 gave the same call. */
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device);
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
    return (cudaGetDeviceProperties)(prop, device);
}

API0(cudaCtxResetPersistingL2Cache, 0)
{
    return cudaSuccess; /* how long an access takes does not depend on a cache here */
}

static bool attribute(enum cudaDeviceAttr attr, int device, int *value)
{
    const Model *model = device_model(device);
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: *value = model->max_threads_per_block; break;
    case cudaDevAttrMaxBlockDimZ: *value = 64; break;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxPitch: *value = 2147483647; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = 65535; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)model->shared_per_block; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)model->shared_per_block_optin;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = (int)model->shared_per_sm; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = 1024; break;
    case cudaDevAttrTotalConstantMemory: *value = (int)model->constant_bytes; break;
    case cudaDevAttrWarpSize: *value = model->warp_size; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = model->registers_per_sm; break;
    case cudaDevAttrClockRate: *value = (int)(model->sm_clock_ghz * 1e6); break;
    case cudaDevAttrMemoryClockRate: *value = model->memory_clock_khz; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = model->memory_bus_bits; break;
    case cudaDevAttrL2CacheSize: *value = model->l2_bytes; break;
    case cudaDevAttrMultiProcessorCount: *value = model->sm_count; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = model->max_threads_per_sm; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = model->max_blocks_per_sm; break;
    case cudaDevAttrAsyncEngineCount: *value = model->async_engine_count; break;
    case cudaDevAttrGpuOverlap: *value = model->async_engine_count > 0; break;
    case cudaDevAttrComputeCapabilityMajor: *value = model->major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = model->minor; break;
    case cudaDevAttrStreamPrioritiesSupported:
        *value = model->priority_low != model->priority_high;
        break;
    case cudaDevAttrCooperativeLaunch: *value = model->major >= 6; break;
    case cudaDevAttrClusterLaunch: *value = model->major >= 9; break;
    case cudaDevAttrPciBusId: *value = model->pci_bus + runtime.numbers[device]; break;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment: *value = 512; break;
    case cudaDevAttrTexturePitchAlignment: *value = 32; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = 2; break;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrHostRegisterReadOnlySupported: *value = 1; break;
    default: /* what the virtual GPU has not; and attributes that do not exist */
        *value = 0;
        return attr >= cudaDevAttrMaxThreadsPerBlock && attr < cudaDevAttrMax;
    }
    return true;
}

API(cudaDeviceGetAttribute, CALL_NO_DEVICE | CALL_IN_KERNEL | CALL_AFTER_FAULT,
    (int *value, enum cudaDeviceAttr attr, int device), (value, attr, device))
{
    if (!value) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    int found;
    if (!attribute(attr, device, &found)) return cudaErrorInvalidValue;
    *value = found;
    return cudaSuccess;
}

API(cudaChooseDevice, CALL_NO_DEVICE, (int *device, const struct cudaDeviceProp *prop),
    (device, prop))
{
    if (!device || !prop) return cudaErrorInvalidValue;
    *device = 0; /* they are all alike */
    return cudaSuccess;
}

API(cudaDeviceGetPCIBusId, CALL_NO_DEVICE, (char *pciBusId, int len, int device),
    (pciBusId, len, device))
{
    if (!pciBusId || len < 13) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    snprintf(pciBusId, (size_t)len, "0000:%02x:00.0",
             device_model(device)->pci_bus + runtime.numbers[device]);
    return cudaSuccess;
}

API(cudaDeviceGetByPCIBusId, CALL_NO_DEVICE, (int *device, const char *pciBusId),
    (device, pciBusId))
{
    unsigned domain = 0, bus, slot, function = 0;
    if (!device || !pciBusId) return cudaErrorInvalidValue;
    if (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
        domain = function = 0;
        if (sscanf(pciBusId, "%x:%x.%x", &bus, &slot, &function) < 2) return cudaErrorInvalidValue;
    }
    for (int i = 0; i < runtime.devices && !domain && !slot && !function; i++)
        if (bus == (unsigned)(device_model(i)->pci_bus + runtime.numbers[i])) {
            *device = i;
            return cudaSuccess;
        }
    return cudaErrorInvalidDevice;
}

API(cudaSetDeviceFlags, CALL_NO_DEVICE, (unsigned flags), (flags))
{
    unsigned schedule = flags & cudaDeviceScheduleMask;
    if (flags & ~(unsigned)KNOWN_FLAGS || (schedule & (schedule - 1))) return cudaErrorInvalidValue;
    device_flags = flags;
    return cudaSuccess;
}

API(cudaGetDeviceFlags, CALL_NO_DEVICE, (unsigned *flags), (flags))
{
    if (!flags) return cudaErrorInvalidValue;
    *flags = device_flags | cudaDeviceMapHost;
    return cudaSuccess;
}

API0(cudaDeviceSynchronize, 0)
{
    cudaError_t error = CAPTURE_RULE(ask_all, call);
    if (error) return error;
    call_spend(call->costs->device_sync);
    return call_synchronize(call, call_device());
}

API0(cudaDeviceReset, CALL_AFTER_FAULT)
{
    if (runtime.fault) { /* measured on an H200: the reset succeeds, and the device is gone */
        runtime.gone |= 1u << call_device();
        return cudaSuccess;
    }
    cudaError_t error = call_wait_device(call, call_device(), CALL_PROMISED);
    streams_reset(call_device(), call->site);
    events_reset(call_device(), call->site);
    places_reset(call, call_device());
    peers_reset(call_device());
    return error;
}

API(cudaDeviceGetStreamPriorityRange, 0, (int *leastPriority, int *greatestPriority),
    (leastPriority, greatestPriority))
{
    if (leastPriority) *leastPriority = device_model(call_device())->priority_low;
    if (greatestPriority) *greatestPriority = device_model(call_device())->priority_high;
    return cudaSuccess;
}

API(cudaDeviceGetLimit, 0, (size_t * value, enum cudaLimit limit), (value, limit))
{
    if (!value) return cudaErrorInvalidValue;
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize) return cudaErrorInvalidValue;
    if (limit == cudaLimitDevRuntimeSyncDepth)
        return cudaErrorUnsupportedLimit; /* launches in kernels: none */
    *value = limits[limit];
    return cudaSuccess;
}

API(cudaDeviceSetLimit, CALL_UNSAFE, (enum cudaLimit limit, size_t value), (limit, value))
{
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize) return cudaErrorInvalidValue;
    if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitMallocHeapSize) {
        if (device_heap_used()) return cudaErrorInvalidValue;
        device_heap_bytes = value;
    }
    limits[limit] = value;
    return cudaSuccess;
}

API(cudaDeviceGetCacheConfig, 0, (enum cudaFuncCache * config), (config))
{
    if (!config) return cudaErrorInvalidValue;
    *config = cache_config;
    return cudaSuccess;
}

API(cudaDeviceSetCacheConfig, CALL_UNSAFE, (enum cudaFuncCache config), (config))
{
    if ((unsigned)config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    cache_config = config;
    return cudaSuccess;
}

API(cudaDriverGetVersion, CALL_ALWAYS, (int *version), (version))
{
    if (!version) return cudaErrorInvalidValue;
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

API(cudaRuntimeGetVersion, CALL_ALWAYS, (int *version), (version))
{
    if (!version) return cudaErrorInvalidValue;
    *version = RUNTIME_VERSION;
    return cudaSuccess;
}

API0(cudaProfilerStart, 0) { return cudaSuccess; }
API0(cudaProfilerStop, 0) { return cudaSuccess; }

/* Every device since compute capability 5 has banks of four bytes: setting another width is
 * accepted and changes nothing. */
API(cudaDeviceGetSharedMemConfig, 0, (enum cudaSharedMemConfig * config), (config))
{
    if (!config) return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

API(cudaDeviceSetSharedMemConfig, 0, (enum cudaSharedMemConfig config), (config))
{
    return (unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
}
