/* api_driver_work.c - the driver API: streams, events, host functions, kernels and the program's
 * variables. */
#include "sim/api/api_driver.h"
#include "sim/api/api_launch.h"

/* ---- streams ---- */

DRIVER(cuStreamCreate, 0, (CUstream * to, unsigned flags), (to, flags))
{
    return do_cudaStreamCreateWithFlags(call, to, flags);
}

DRIVER(cuStreamCreateWithPriority, 0, (CUstream * to, unsigned flags, int priority),
       (to, flags, priority))
{
    return do_cudaStreamCreateWithPriority(call, to, flags, priority);
}

DRIVER(cuStreamDestroy, CALL_NO_CONTEXT, (CUstream stream), (stream))
{
    return do_cudaStreamDestroy(call, stream);
}

DRIVER_STREAM(cuStreamSynchronize, 0, (CUstream stream), (stream))
{
    return do_cudaStreamSynchronize(call, stream);
}

DRIVER_STREAM(cuStreamQuery, 0, (CUstream stream), (stream))
{
    return do_cudaStreamQuery(call, stream);
}

DRIVER_STREAM(cuStreamWaitEvent, 0, (CUstream stream, CUevent event, unsigned flags),
              (stream, event, flags))
{
    return do_cudaStreamWaitEvent(call, stream, event, flags);
}

DRIVER_STREAM(cuStreamGetFlags, 0, (CUstream stream, unsigned *flags), (stream, flags))
{
    return do_cudaStreamGetFlags(call, stream, flags);
}

DRIVER_STREAM(cuStreamGetPriority, 0, (CUstream stream, int *priority), (stream, priority))
{
    return do_cudaStreamGetPriority(call, stream, priority);
}

DRIVER_STREAM(cuStreamGetDevice, 0, (CUstream stream, CUdevice *device), (stream, device))
{
    return do_cudaStreamGetDevice(call, stream, device);
}

DRIVER_STREAM(cuStreamGetId, 0, (CUstream stream, unsigned long long *id), (stream, id))
{
    return do_cudaStreamGetId(call, stream, id);
}

DRIVER_STREAM(cuStreamGetCtx, 0, (CUstream stream, CUcontext *to), (stream, to))
{
    if (!to) return cudaErrorInvalidValue;
    *to = driver_context_of(stream_of(call, stream)->device);
    return cudaSuccess;
}

DRIVER_STREAM(cuStreamIsCapturing, 0, (CUstream stream, CUstreamCaptureStatus *status),
              (stream, status))
{
    return do_cudaStreamIsCapturing(call, stream, (enum cudaStreamCaptureStatus *)status);
}

DRIVER_STREAM(cuStreamAttachMemAsync, 0,
              (CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags),
              (stream, address, bytes, flags))
{
    return do_cudaStreamAttachMemAsync(call, stream, driver_pointer(address), bytes, flags);
}

/* ---- events ---- */

DRIVER(cuEventCreate, 0, (CUevent * to, unsigned flags), (to, flags))
{
    return do_cudaEventCreateWithFlags(call, to, flags);
}

DRIVER(cuEventDestroy, 0, (CUevent event), (event)) { return do_cudaEventDestroy(call, event); }

DRIVER_STREAM(cuEventRecord, 0, (CUevent event, CUstream stream), (event, stream))
{
    return do_cudaEventRecord(call, event, stream);
}

DRIVER_STREAM(cuEventRecordWithFlags, 0, (CUevent event, CUstream stream, unsigned flags),
              (event, stream, flags))
{
    return do_cudaEventRecordWithFlags(call, event, stream, flags);
}

DRIVER(cuEventQuery, 0, (CUevent event), (event)) { return do_cudaEventQuery(call, event); }

DRIVER(cuEventSynchronize, 0, (CUevent event), (event))
{
    return do_cudaEventSynchronize(call, event);
}

DRIVER(cuEventElapsedTime, 0, (float *ms, CUevent start, CUevent end), (ms, start, end))
{
    return ms ? do_cudaEventElapsedTime(call, ms, start, end) : cudaErrorInvalidResourceHandle;
}

/* ---- host functions ---- */

DRIVER_STREAM(cuLaunchHostFunc, 0, (CUstream stream, CUhostFn function, void *data),
              (stream, function, data))
{
    return do_cudaLaunchHostFunc(call, stream, function, data);
}

/* A code is the same number in both types. */
DRIVER_STREAM(cuStreamAddCallback, 0,
              (CUstream stream, CUstreamCallback callback, void *data, unsigned flags),
              (stream, callback, data, flags))
{
    return do_cudaStreamAddCallback(call, stream, (cudaStreamCallback_t)(void (*)(void))callback,
                                    data, flags);
}

/* ---- kernels ---- */

/* A handle of a kernel as a function, as an address that the runtime's calls take; NULL for NULL,
 * and for a CUkernel where that is not the same. */
static const void *function_of(const Call *call, const void *handle)
{
    if (handle_find(HANDLE_KERNEL, handle)) return NULL;
    if (handle && !handle_find(HANDLE_FUNCTION, handle))
        handle_refuse(HANDLE_FUNCTION, handle, call->name, call->site);
    return handle;
}

static const void *kernel_of(const Call *call, const void *handle)
{
    if (handle && !handle_find(HANDLE_KERNEL, handle))
        handle_refuse(HANDLE_KERNEL, handle, call->name, call->site);
    return handle;
}

/* A launch of the driver's: extra is another way to pass the arguments. */
static CUresult launch(LaunchAsk ask, CUfunction function, void **parameters, void **extra)
{
    Call call = {.name = ask.name, .site = {ask.at.file, (uint32_t)ask.at.line}};
    if (!handle_find(HANDLE_KERNEL, function)) function_of(&call, function);
    if (extra && extra[0] == CU_LAUNCH_PARAM_END) extra = NULL; /* nothing is in it */
    if (extra && !parameters)
        host_fatal(HOST_STATUS_UNSUPPORTED, call.site,
                   "%s with its arguments packed in `extra` is not simulated: give it "
                   "kernelParams, an array of pointers to them",
                   ask.name);
    if (extra) {
        if (call_enter(&call, ask.name, ask.at, ask.flags)) call.result = cudaErrorInvalidValue;
        return (CUresult)call_leave(&call);
    }
    return (CUresult)launch_by_address(&ask, function, parameters);
}

/* LAUNCHES(name, (parameters), (arguments), how): as in api_launch.c, of the driver's. */
#define LAUNCHES_ENTRY(NAME, SUFFIX, FLAGS, PARAMETERS, ARGUMENTS, HOW)                  \
    CUresult threelane_##NAME##SUFFIX(OPEN PARAMETERS, ThreelaneSite at)                 \
    {                                                                                    \
        return HOW((LaunchAsk){.name = #NAME, .at = at, .flags = (FLAGS) | CALL_DRIVER}, \
                   OPEN ARGUMENTS);                                                      \
    }                                                                                    \
    CUresult(NAME##SUFFIX)(OPEN PARAMETERS)                                              \
    {                                                                                    \
        return threelane_##NAME##SUFFIX(OPEN ARGUMENTS, (ThreelaneSite){NULL, 0});       \
    }
#define LAUNCHES(NAME, PARAMETERS, ARGUMENTS, HOW)        \
    LAUNCHES_ENTRY(NAME, , 0, PARAMETERS, ARGUMENTS, HOW) \
    LAUNCHES_ENTRY(NAME, _ptsz, CALL_PER_THREAD, PARAMETERS, ARGUMENTS, HOW)

static CUresult launch_plain(LaunchAsk ask, CUfunction function, unsigned gx, unsigned gy,
                             unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                             CUstream stream, void **parameters, void **extra)
{
    ask.grid = (TraceDim){gx, gy, gz};
    ask.block = (TraceDim){bx, by, bz};
    ask.shared = shared;
    ask.stream = stream;
    return launch(ask, function, parameters, extra);
}

LAUNCHES(cuLaunchKernel,
         (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
          unsigned bz, unsigned shared, CUstream stream, void **parameters, void **extra),
         (function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra), launch_plain)

static CUresult launch_cooperative(LaunchAsk ask, CUfunction function, unsigned gx, unsigned gy,
                                   unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                   unsigned shared, CUstream stream, void **parameters)
{
    const cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative,
                                             .val.cooperative = 1};
    ask.attributes = &cooperative;
    ask.n_attributes = 1;
    return launch_plain(ask, function, gx, gy, gz, bx, by, bz, shared, stream, parameters, NULL);
}

LAUNCHES(cuLaunchCooperativeKernel,
         (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
          unsigned bz, unsigned shared, CUstream stream, void **parameters),
         (function, gx, gy, gz, bx, by, bz, shared, stream, parameters), launch_cooperative)

/* An attribute is laid out as the runtime's, and has its number. */
_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute) &&
                   offsetof(CUlaunchAttribute, value) == offsetof(cudaLaunchAttribute, val),
               "attributes of launches");

static CUresult launch_configured(LaunchAsk ask, const CUlaunchConfig *config, CUfunction function,
                                  void **parameters, void **extra)
{
    if (!config) {
        Call call;
        if (call_enter(&call, ask.name, ask.at, ask.flags)) call.result = cudaErrorInvalidValue;
        return (CUresult)call_leave(&call);
    }
    ask.attributes = (const cudaLaunchAttribute *)(const void *)config->attrs;
    ask.n_attributes = config->numAttrs;
    return launch_plain(ask, function, config->gridDimX, config->gridDimY, config->gridDimZ,
                        config->blockDimX, config->blockDimY, config->blockDimZ,
                        config->sharedMemBytes, config->hStream, parameters, extra);
}

LAUNCHES(cuLaunchKernelEx,
         (const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra),
         (config, function, parameters, extra), launch_configured)

/* A configuration as the runtime's calls take it. */
static const cudaLaunchConfig_t *configuration_of(const CUlaunchConfig *from,
                                                  cudaLaunchConfig_t *to)
{
    if (!from) return NULL;
    *to = (cudaLaunchConfig_t){.gridDim = {from->gridDimX, from->gridDimY, from->gridDimZ},
                               .blockDim = {from->blockDimX, from->blockDimY, from->blockDimZ},
                               .dynamicSmemBytes = from->sharedMemBytes,
                               .stream = from->hStream,
                               .attrs = (cudaLaunchAttribute *)(void *)from->attrs,
                               .numAttrs = from->numAttrs};
    return to;
}

DRIVER(cuOccupancyMaxPotentialClusterSize, 0,
       (int *size, CUfunction function, const CUlaunchConfig *config), (size, function, config))
{
    cudaLaunchConfig_t with;
    return do_cudaOccupancyMaxPotentialClusterSize(call, size, function_of(call, function),
                                                   configuration_of(config, &with));
}

DRIVER(cuOccupancyMaxActiveClusters, 0,
       (int *clusters, CUfunction function, const CUlaunchConfig *config),
       (clusters, function, config))
{
    cudaLaunchConfig_t with;
    return do_cudaOccupancyMaxActiveClusters(call, clusters, function_of(call, function),
                                             configuration_of(config, &with));
}

/* ---- attributes of streams ---- */

DRIVER_STREAM(cuStreamGetAttribute, 0,
              (CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue *value),
              (stream, attribute, value))
{
    return do_cudaStreamGetAttribute(call, stream, (cudaStreamAttrID)attribute,
                                     (cudaStreamAttrValue *)(void *)value);
}

DRIVER_STREAM(cuStreamSetAttribute, 0,
              (CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue *value),
              (stream, attribute, value))
{
    return do_cudaStreamSetAttribute(call, stream, (cudaStreamAttrID)attribute,
                                     (const cudaStreamAttrValue *)(const void *)value);
}

DRIVER_STREAM(cuStreamCopyAttributes, 0, (CUstream to, CUstream from), (to, from))
{
    return do_cudaStreamCopyAttributes(call, to, from);
}

DRIVER(cuFuncGetAttribute, 0, (int *value, CUfunction_attribute attribute, CUfunction function),
       (value, attribute, function))
{
    struct cudaFuncAttributes about;
    if (!value) return cudaErrorInvalidValue;
    cudaError_t error = do_cudaFuncGetAttributes(call, &about, function_of(call, function));
    if (error) return error;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = about.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)about.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)about.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)about.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = about.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = about.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = about.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = about.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = about.maxDynamicSharedSizeBytes;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = about.preferredShmemCarveout;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: *value = about.clusterDimMustBeSet; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: *value = about.requiredClusterWidth; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: *value = about.requiredClusterHeight; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: *value = about.requiredClusterDepth; break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = about.nonPortableClusterSizeAllowed;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = about.clusterSchedulingPolicyPreference;
        break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* The attributes that can be set have the runtime's numbers. */
DRIVER(cuFuncSetAttribute, 0, (CUfunction function, CUfunction_attribute attribute, int value),
       (function, attribute, value))
{
    return do_cudaFuncSetAttribute(call, function_of(call, function),
                                   (enum cudaFuncAttribute)attribute, value);
}

DRIVER(cuFuncSetCacheConfig, 0, (CUfunction function, CUfunc_cache config), (function, config))
{
    return do_cudaFuncSetCacheConfig(call, function_of(call, function), (enum cudaFuncCache)config);
}

DRIVER(cuFuncGetName, 0, (const char **name, CUfunction function), (name, function))
{
    return do_cudaFuncGetName(call, name, function_of(call, function));
}

DRIVER(cuKernelGetName, 0, (const char **name, CUkernel kernel), (name, kernel))
{
    return do_cudaFuncGetName(call, name, kernel_of(call, kernel));
}

DRIVER(cuKernelGetFunction, 0, (CUfunction * to, CUkernel kernel), (to, kernel))
{
    return do_cudaGetFuncBySymbol(call, to, kernel_of(call, kernel));
}

/* All is loaded when the program begins. */
DRIVER(cuFuncIsLoaded, 0, (CUfunctionLoadingState * state, CUfunction function), (state, function))
{
    if (!state) return cudaErrorInvalidValue;
    if (!function_of(call, function)) return cudaErrorInvalidResourceHandle;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return cudaSuccess;
}

DRIVER(cuFuncLoad, 0, (CUfunction function), (function))
{
    return function_of(call, function) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* ---- the program as a module, and as a library: it is one ---- */

enum { PROGRAM = 1 };

static cudaError_t give_program(void **to, HandleKind kind)
{
    static char program;
    if (!handle_at(kind, PROGRAM) && !handle_add(kind, PROGRAM, &program))
        return cudaErrorMemoryAllocation;
    *to = handle_make(kind, PROGRAM);
    return cudaSuccess;
}

static cudaError_t give_variable(const Call *call, CUdeviceptr *to, size_t *bytes, HandleKind kind,
                                 const void *handle, const char *name)
{
    Place place;
    if (!name || (!to && !bytes)) return cudaErrorInvalidValue;
    if (!handle) return cudaErrorInvalidResourceHandle;
    if (!handle_find(kind, handle)) handle_refuse(kind, handle, call->name, call->site);
    const void *address = symbol_named(name);
    void *own = NULL;
    if (!address || !symbol_find(address, &place)) return cudaErrorSymbolNotFound;
    if (to && !symbol_address(address, call_device(), &own)) return cudaErrorMemoryAllocation;
    if (to) *to = (CUdeviceptr)(uintptr_t)own;
    if (bytes) *bytes = place.room;
    return cudaSuccess;
}

DRIVER(cuFuncGetModule, 0, (CUmodule * to, CUfunction function), (to, function))
{
    if (!to || !function_of(call, function)) return cudaErrorInvalidValue;
    return give_program((void **)to, HANDLE_MODULE);
}

DRIVER(cuModuleGetGlobal, 0, (CUdeviceptr * to, size_t *bytes, CUmodule module, const char *name),
       (to, bytes, module, name))
{
    return give_variable(call, to, bytes, HANDLE_MODULE, module, name);
}

DRIVER(cuKernelGetLibrary, 0, (CUlibrary * to, CUkernel kernel), (to, kernel))
{
    if (!to || !kernel_of(call, kernel)) return cudaErrorInvalidValue;
    return give_program((void **)to, HANDLE_LIBRARY);
}

DRIVER(cuLibraryGetModule, 0, (CUmodule * to, CUlibrary library), (to, library))
{
    if (!to || !library) return cudaErrorInvalidValue;
    if (!handle_find(HANDLE_LIBRARY, library))
        handle_refuse(HANDLE_LIBRARY, library, call->name, call->site);
    return give_program((void **)to, HANDLE_MODULE);
}

DRIVER(cuLibraryGetGlobal, 0,
       (CUdeviceptr * to, size_t *bytes, CUlibrary library, const char *name),
       (to, bytes, library, name))
{
    return give_variable(call, to, bytes, HANDLE_LIBRARY, library, name);
}

/* ---- occupancy ---- */

DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor, 0,
       (int *blocks, CUfunction function, int threads, size_t shared),
       (blocks, function, threads, shared))
{
    return do_cudaOccupancyMaxActiveBlocksPerMultiprocessor(call, blocks,
                                                            function_of(call, function), threads,
                                                            shared);
}

DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 0,
       (int *blocks, CUfunction function, int threads, size_t shared, unsigned flags),
       (blocks, function, threads, shared, flags))
{
    return do_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(call, blocks,
                                                                     function_of(call, function),
                                                                     threads, shared, flags);
}

DRIVER(cuOccupancyAvailableDynamicSMemPerBlock, 0,
       (size_t * bytes, CUfunction function, int blocks, int threads),
       (bytes, function, blocks, threads))
{
    return do_cudaOccupancyAvailableDynamicSMemPerBlock(call, bytes, function_of(call, function),
                                                        blocks, threads);
}

/* The block size, a multiple of the warp size, that keeps most threads of a multiprocessor busy. */
static cudaError_t best_size(Call *call, int *grid, int *size, const void *function,
                             CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
    const Model *model = device_model(call_device());
    int most = model->max_threads_per_block, warp = model->warp_size, best = 0;
    if (!grid || !size) return cudaErrorInvalidValue;
    if (limit > 0 && limit < most) most = limit;
    for (int threads = (most + warp - 1) / warp * warp; threads > 0; threads -= warp) {
        int tried = threads < most ? threads : most, blocks = 0;
        cudaError_t error =
            do_cudaOccupancyMaxActiveBlocksPerMultiprocessor(call, &blocks, function, tried,
                                                             shared_of ? shared_of(tried) : shared);
        if (error) return error;
        if (blocks * tried <= best) continue;
        best = blocks * tried;
        *size = tried;
        *grid = blocks * model->sm_count;
    }
    return cudaSuccess;
}

DRIVER(cuOccupancyMaxPotentialBlockSize, 0,
       (int *grid, int *size, CUfunction function, CUoccupancyB2DSize shared_of, size_t shared,
        int limit),
       (grid, size, function, shared_of, shared, limit))
{
    return best_size(call, grid, size, function_of(call, function), shared_of, shared, limit);
}

DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags, 0,
       (int *grid, int *size, CUfunction function, CUoccupancyB2DSize shared_of, size_t shared,
        int limit, unsigned flags),
       (grid, size, function, shared_of, shared, limit, flags))
{
    if (flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return cudaErrorInvalidValue;
    return best_size(call, grid, size, function_of(call, function), shared_of, shared, limit);
}

/* ---- names in the driver's library ---- */

/* clang-format off */
ALSO_CALLED(cuStreamDestroy, cuStreamDestroy_v2)
ALSO_CALLED(cuEventDestroy, cuEventDestroy_v2)
ALSO_CALLED(cuEventElapsedTime, cuEventElapsedTime_v2)
ALSO_CALLED(cuModuleGetGlobal, cuModuleGetGlobal_v2)
/* clang-format on */
