/* api_driver.c - the driver API: its start, its errors, devices and contexts.
 *
 * A device has one context at a time: its primary one, which the runtime uses, or one that the
 * program has made. Nothing is kept in a context but who it is; streams, events and memory are the
 * device's. Each host thread has a stack of contexts, whose top is the current one (call.h). */
#include "sim/api/api_driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TELLS = CALL_NO_DEVICE | CALL_NO_CONTEXT | CALL_AFTER_FAULT, /* what does not change */
    ALWAYS = TELLS | CALL_UNINITIALISED | CALL_IN_HOST_FUNCTION,
    STACK = 64,
    API_VERSION = 3020 /* of every context, since CUDA 3.2 */
};

/* ---- errors, version ---- */

#define E(CODE)                          \
    {                                    \
        CUDA_##CODE, "CUDA_" #CODE, NULL \
    }
static const struct {
    int code;
    const char *name, *text; /* NULL: the runtime's */
} errors[] = {
    E(SUCCESS),
    E(ERROR_INVALID_VALUE),
    E(ERROR_OUT_OF_MEMORY),
    E(ERROR_NOT_INITIALIZED),
    E(ERROR_DEINITIALIZED),
    E(ERROR_PROFILER_DISABLED),
    E(ERROR_PROFILER_NOT_INITIALIZED),
    E(ERROR_PROFILER_ALREADY_STARTED),
    E(ERROR_PROFILER_ALREADY_STOPPED),
    E(ERROR_STUB_LIBRARY),
    E(ERROR_CALL_REQUIRES_NEWER_DRIVER),
    E(ERROR_DEVICE_UNAVAILABLE),
    E(ERROR_NO_DEVICE),
    E(ERROR_INVALID_DEVICE),
    E(ERROR_DEVICE_NOT_LICENSED),
    E(ERROR_INVALID_IMAGE),
    E(ERROR_INVALID_CONTEXT),
    {CUDA_ERROR_CONTEXT_ALREADY_CURRENT, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT",
     "context already current"},
    E(ERROR_MAP_FAILED),
    E(ERROR_UNMAP_FAILED),
    E(ERROR_ARRAY_IS_MAPPED),
    E(ERROR_ALREADY_MAPPED),
    E(ERROR_NO_BINARY_FOR_GPU),
    E(ERROR_ALREADY_ACQUIRED),
    E(ERROR_NOT_MAPPED),
    E(ERROR_NOT_MAPPED_AS_ARRAY),
    E(ERROR_NOT_MAPPED_AS_POINTER),
    E(ERROR_ECC_UNCORRECTABLE),
    E(ERROR_UNSUPPORTED_LIMIT),
    E(ERROR_CONTEXT_ALREADY_IN_USE),
    E(ERROR_PEER_ACCESS_UNSUPPORTED),
    E(ERROR_INVALID_PTX),
    E(ERROR_INVALID_GRAPHICS_CONTEXT),
    E(ERROR_NVLINK_UNCORRECTABLE),
    E(ERROR_JIT_COMPILER_NOT_FOUND),
    E(ERROR_UNSUPPORTED_PTX_VERSION),
    E(ERROR_JIT_COMPILATION_DISABLED),
    E(ERROR_UNSUPPORTED_EXEC_AFFINITY),
    E(ERROR_UNSUPPORTED_DEVSIDE_SYNC),
    E(ERROR_CONTAINED),
    E(ERROR_INVALID_SOURCE),
    E(ERROR_FILE_NOT_FOUND),
    E(ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND),
    E(ERROR_SHARED_OBJECT_INIT_FAILED),
    E(ERROR_OPERATING_SYSTEM),
    E(ERROR_INVALID_HANDLE),
    E(ERROR_ILLEGAL_STATE),
    E(ERROR_LOSSY_QUERY),
    E(ERROR_NOT_FOUND),
    E(ERROR_NOT_READY),
    E(ERROR_ILLEGAL_ADDRESS),
    E(ERROR_LAUNCH_OUT_OF_RESOURCES),
    E(ERROR_LAUNCH_TIMEOUT),
    E(ERROR_LAUNCH_INCOMPATIBLE_TEXTURING),
    E(ERROR_PEER_ACCESS_ALREADY_ENABLED),
    E(ERROR_PEER_ACCESS_NOT_ENABLED),
    E(ERROR_PRIMARY_CONTEXT_ACTIVE),
    E(ERROR_CONTEXT_IS_DESTROYED),
    E(ERROR_ASSERT),
    E(ERROR_TOO_MANY_PEERS),
    E(ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    E(ERROR_HOST_MEMORY_NOT_REGISTERED),
    E(ERROR_HARDWARE_STACK_ERROR),
    E(ERROR_ILLEGAL_INSTRUCTION),
    E(ERROR_MISALIGNED_ADDRESS),
    E(ERROR_INVALID_ADDRESS_SPACE),
    E(ERROR_INVALID_PC),
    E(ERROR_LAUNCH_FAILED),
    E(ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    E(ERROR_TENSOR_MEMORY_LEAK),
    E(ERROR_NOT_PERMITTED),
    E(ERROR_NOT_SUPPORTED),
    E(ERROR_SYSTEM_NOT_READY),
    E(ERROR_SYSTEM_DRIVER_MISMATCH),
    E(ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
    E(ERROR_MPS_CONNECTION_FAILED),
    E(ERROR_MPS_RPC_FAILURE),
    E(ERROR_MPS_SERVER_NOT_READY),
    E(ERROR_MPS_MAX_CLIENTS_REACHED),
    E(ERROR_MPS_MAX_CONNECTIONS_REACHED),
    E(ERROR_MPS_CLIENT_TERMINATED),
    E(ERROR_CDP_NOT_SUPPORTED),
    E(ERROR_CDP_VERSION_MISMATCH),
    E(ERROR_STREAM_CAPTURE_UNSUPPORTED),
    E(ERROR_STREAM_CAPTURE_INVALIDATED),
    E(ERROR_STREAM_CAPTURE_MERGE),
    E(ERROR_STREAM_CAPTURE_UNMATCHED),
    E(ERROR_STREAM_CAPTURE_UNJOINED),
    E(ERROR_STREAM_CAPTURE_ISOLATION),
    E(ERROR_STREAM_CAPTURE_IMPLICIT),
    E(ERROR_CAPTURED_EVENT),
    E(ERROR_STREAM_CAPTURE_WRONG_THREAD),
    E(ERROR_TIMEOUT),
    E(ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    E(ERROR_EXTERNAL_DEVICE),
    E(ERROR_INVALID_CLUSTER_SIZE),
    E(ERROR_FUNCTION_NOT_LOADED),
    E(ERROR_INVALID_RESOURCE_TYPE),
    E(ERROR_INVALID_RESOURCE_CONFIGURATION),
    {CUDA_ERROR_KEY_ROTATION, "CUDA_ERROR_KEY_ROTATION",
     "an error happened during the key rotation sequence"},
    E(ERROR_UNKNOWN),
};
#undef E

const char *driver_error_name(int code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) return errors[i].name;
    return NULL;
}

DRIVER(cuGetErrorName, ALWAYS, (CUresult error, const char **pStr), (error, pStr))
{
    if (!pStr) return cudaErrorInvalidValue;
    *pStr = driver_error_name((int)error);
    return *pStr ? cudaSuccess : cudaErrorInvalidValue;
}

DRIVER(cuGetErrorString, ALWAYS, (CUresult error, const char **pStr), (error, pStr))
{
    if (!pStr) return cudaErrorInvalidValue;
    *pStr = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == (int)error)
            *pStr = errors[i].text ? errors[i].text : cudaGetErrorString((cudaError_t)error);
    return *pStr ? cudaSuccess : cudaErrorInvalidValue;
}

DRIVER(cuInit, ALWAYS, (unsigned flags), (flags))
{
    if (flags) return cudaErrorInvalidValue;
    call_driver_ready();
    return cudaSuccess;
}

DRIVER(cuDriverGetVersion, ALWAYS, (int *driverVersion), (driverVersion))
{
    return do_cudaDriverGetVersion(call, driverVersion);
}

/* ---- devices ---- */

DRIVER(cuDeviceGetCount, TELLS, (int *count), (count))
{
    return do_cudaGetDeviceCount(call, count);
}

DRIVER(cuDeviceGet, TELLS, (CUdevice * device, int ordinal), (device, ordinal))
{
    if (!device) return cudaErrorInvalidValue;
    if (!device_exists(ordinal)) return cudaErrorInvalidDevice;
    *device = ordinal;
    return cudaSuccess;
}

DRIVER(cuDeviceGetName, TELLS, (char *name, int len, CUdevice device), (name, len, device))
{
    struct cudaDeviceProp properties;
    if (!name || len < 1) return cudaErrorInvalidValue;
    cudaError_t error = do_cudaGetDeviceProperties(call, &properties, device);
    if (!error) snprintf(name, (size_t)len, "%s", properties.name);
    return error;
}

DRIVER(cuDeviceGetUuid, TELLS, (CUuuid * uuid, CUdevice device), (uuid, device))
{
    struct cudaDeviceProp properties;
    if (!uuid) return cudaErrorInvalidValue;
    cudaError_t error = do_cudaGetDeviceProperties(call, &properties, device);
    if (!error) *uuid = properties.uuid;
    return error;
}

DRIVER(cuDeviceTotalMem, TELLS, (size_t * bytes, CUdevice device), (bytes, device))
{
    struct cudaDeviceProp properties;
    if (!bytes) return cudaErrorInvalidValue;
    cudaError_t error = do_cudaGetDeviceProperties(call, &properties, device);
    if (!error) *bytes = properties.totalGlobalMem;
    return error;
}

/* The attributes have the runtime's numbers. */
DRIVER(cuDeviceGetAttribute, TELLS, (int *value, CUdevice_attribute attribute, CUdevice device),
       (value, attribute, device))
{
    return do_cudaDeviceGetAttribute(call, value, (enum cudaDeviceAttr)attribute, device);
}

DRIVER(cuDeviceComputeCapability, TELLS, (int *major, int *minor, CUdevice device),
       (major, minor, device))
{
    if (!major || !minor) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    *major = device_model(device)->major;
    *minor = device_model(device)->minor;
    return cudaSuccess;
}

DRIVER(cuDeviceGetPCIBusId, TELLS, (char *id, int len, CUdevice device), (id, len, device))
{
    return do_cudaDeviceGetPCIBusId(call, id, len, device);
}

DRIVER(cuDeviceGetByPCIBusId, TELLS, (CUdevice * device, const char *id), (device, id))
{
    return do_cudaDeviceGetByPCIBusId(call, device, id);
}

DRIVER(cuDeviceCanAccessPeer, TELLS, (int *can, CUdevice device, CUdevice peer),
       (can, device, peer))
{
    return do_cudaDeviceCanAccessPeer(call, can, device, peer);
}

/* ---- contexts ---- */

typedef struct Context {
    uint32_t number;
    int device;
    bool primary;
    unsigned flags;
} Context;

static Context primary[DEVICES_MOST];
static _Thread_local uint32_t below[STACK]; /* the calling thread's contexts under the current one
                                             */
static _Thread_local unsigned n_below;

static CUcontext handle_of(uint32_t number) { return handle_make(HANDLE_CONTEXT, number); }

/* The primary context of a device, known by its handle from now on. */
static Context *primary_of(int device)
{
    Context *context = &primary[device];
    if (!context->number) {
        *context = (Context){.number = call_primary(device), .device = device, .primary = true};
        if (!handle_add(HANDLE_CONTEXT, context->number, context))
            host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for contexts");
    }
    return context;
}

/* What a handle stands for in this call; NULL for a NULL handle. */
static Context *context_of(const Call *call, CUcontext handle)
{
    if (!handle) return NULL;
    Context *context = handle_find(HANDLE_CONTEXT, handle);
    if (!context) handle_refuse(HANDLE_CONTEXT, handle, call->name, call->site);
    return context;
}

/* The current one; NULL: none. One that another thread has destroyed is refused. */
static Context *current(const Call *call)
{
    uint32_t number = call_context();
    if (!number) return NULL;
    if (number <= DEVICES_MOST) return primary_of((int)number - 1);
    return context_of(call, handle_of(number));
}

CUcontext driver_context(void)
{
    if (!call_context()) return NULL;
    if (call_context() <= DEVICES_MOST) primary_of((int)call_context() - 1);
    return handle_of(call_context());
}

static Context *own_of(int device)
{
    for (uint32_t i = DEVICES_MOST + 1; i < handle_end(HANDLE_CONTEXT); i++) {
        Context *context = handle_at(HANDLE_CONTEXT, i);
        if (context && context->device == device) return context;
    }
    return NULL;
}

CUcontext driver_context_of(int device)
{
    const Context *own = own_of(device);
    return handle_of((own ? own : primary_of(device))->number);
}

int driver_device_of(const Call *call, CUcontext handle)
{
    const Context *context = context_of(call, handle);
    return context ? context->device : -1;
}

static void make_current(Context *context) { call_set_context(context->number, context->device); }

static void push(const Call *call, Context *context)
{
    if (call_context()) {
        if (n_below == STACK)
            host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                       "%s: more than %d contexts on a thread's stack", call->name, STACK);
        below[n_below++] = call_context();
    }
    make_current(context);
}

static void pop(const Call *call)
{
    call_set_context(0, 0);
    if (!n_below) return;
    uint32_t number = below[--n_below];
    if (number <= DEVICES_MOST) make_current(primary_of((int)number - 1));
    else make_current(context_of(call, handle_of(number)));
}

/* Waits for all that a context has, and takes it away. */
static cudaError_t empty(Call *call, const Context *context)
{
    uint32_t before = call_context();
    int device = call_device();
    call_set_context(context->number, context->device);
    cudaError_t error = do_cudaDeviceReset(call);
    call_set_context(before ? before : context->number, device);
    if (!before) call_set_context(0, 0);
    return error;
}

static bool flags_are_known(unsigned flags)
{
    unsigned schedule = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && !(schedule & (schedule - 1));
}

DRIVER(cuDevicePrimaryCtxRetain, CALL_NO_CONTEXT, (CUcontext * to, CUdevice device), (to, device))
{
    if (!to) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (own_of(device))
        host_fatal(
            HOST_STATUS_UNSUPPORTED, call->site,
            "%s: device %d has a context of the program's own already, and two contexts of a "
            "device are not simulated",
            call->name, device);
    call_primary_retain(device);
    *to = handle_of(primary_of(device)->number);
    return cudaSuccess;
}

DRIVER(cuDevicePrimaryCtxRelease, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUdevice device), (device))
{
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    bool lived = call_primary_state(device)->alive;
    if (!call_primary_release(device)) return cudaErrorDeviceUninitialized;
    bool lives = call_primary_state(device)->alive;
    return lived && !lives ? empty(call, primary_of(device)) : cudaSuccess;
}

DRIVER(cuDevicePrimaryCtxReset, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUdevice device), (device))
{
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    cudaError_t error = empty(call, primary_of(device));
    call_primary_reset(device);
    return error;
}

DRIVER(cuDevicePrimaryCtxSetFlags, CALL_NO_CONTEXT, (CUdevice device, unsigned flags),
       (device, flags))
{
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (!flags_are_known(flags)) return cudaErrorInvalidValue;
    primary_of(device)->flags = flags;
    return cudaSuccess;
}

DRIVER(cuDevicePrimaryCtxGetState, TELLS, (CUdevice device, unsigned *flags, int *active),
       (device, flags, active))
{
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (!flags || !active) return cudaErrorInvalidValue;
    *flags = primary_of(device)->flags;
    *active = call_primary_state(device)->alive;
    return cudaSuccess;
}

static cudaError_t create(Call *call, CUcontext *to, unsigned flags, CUdevice device)
{
    if (!to) return cudaErrorInvalidValue;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (!flags_are_known(flags)) return cudaErrorInvalidValue;
    if (own_of(device) || call_primary_state(device)->alive)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: device %d has a context already (%s), and two contexts of a device are not "
                   "simulated",
                   call->name, device,
                   own_of(device) ? "of the program's own"
                                  : "the primary one, which the runtime uses too");
    uint32_t number = handle_end(HANDLE_CONTEXT);
    if (number <= DEVICES_MOST) number = DEVICES_MOST + 1;
    Context *context = malloc(sizeof *context);
    if (!context || !handle_add(HANDLE_CONTEXT, number, context)) {
        free(context);
        return cudaErrorMemoryAllocation;
    }
    *context = (Context){.number = number, .device = device, .flags = flags};
    call_own_context(device, true, call->site);
    push(call, context);
    *to = handle_of(number);
    return cudaSuccess;
}

DRIVER(cuCtxCreate, CALL_NO_CONTEXT,
       (CUcontext * to, CUctxCreateParams *parameters, unsigned flags, CUdevice device),
       (to, parameters, flags, device))
{
    if (parameters)
        host_fatal(
            HOST_STATUS_UNSUPPORTED, call->site,
            "cuCtxCreate with parameters of the context is not simulated by this virtual GPU; "
            "the program ends here");
    return create(call, to, flags, device);
}

DRIVER(cuCtxCreate_v2, CALL_NO_CONTEXT, (CUcontext * to, unsigned flags, CUdevice device),
       (to, flags, device))
{
    call->name = "cuCtxCreate"; /* as it was written, with the arguments of CUDA 12 */
    return create(call, to, flags, device);
}

DRIVER(cuCtxDestroy, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUcontext handle), (handle))
{
    Context *context = context_of(call, handle);
    if (!context) return cudaErrorInvalidValue;
    if (context->primary) return cudaErrorDeviceUninitialized;
    cudaError_t error = empty(call, context);
    if (call_context() == context->number) pop(call);
    call_own_context(context->device, false, (TraceSite){NULL, 0});
    handle_close(HANDLE_CONTEXT, context->number, call->site);
    free(context);
    return error;
}

DRIVER(cuCtxPushCurrent, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUcontext handle), (handle))
{
    Context *context = context_of(call, handle);
    if (!context) return cudaErrorInvalidValue;
    push(call, context);
    return cudaSuccess;
}

DRIVER(cuCtxPopCurrent, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUcontext * to), (to))
{
    if (!call_context()) return cudaErrorDeviceUninitialized;
    if (to) *to = driver_context();
    pop(call);
    return cudaSuccess;
}

DRIVER(cuCtxSetCurrent, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUcontext handle), (handle))
{
    Context *context = context_of(call, handle);
    if (context) make_current(context);
    else if (call_context()) pop(call);
    return cudaSuccess;
}

DRIVER(cuCtxGetCurrent, TELLS, (CUcontext * to), (to))
{
    if (!to) return cudaErrorInvalidValue;
    *to = driver_context();
    return cudaSuccess;
}

DRIVER(cuCtxGetDevice, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUdevice * device), (device))
{
    if (!call_context()) return cudaErrorDeviceUninitialized; /* one that is dead says where */
    if (!device) return cudaErrorInvalidValue;
    *device = call_device();
    return cudaSuccess;
}

DRIVER(cuCtxGetFlags, CALL_AFTER_FAULT, (unsigned *flags), (flags))
{
    if (!flags) return cudaErrorInvalidValue;
    const Context *context = current(call); /* the primary one maps host memory, whatever was asked
                                             */
    *flags = context->flags | (context->primary ? CU_CTX_MAP_HOST : 0);
    return cudaSuccess;
}

/* The context that is meant: the current one for NULL. */
static const Context *meant(const Call *call, CUcontext handle)
{
    return handle ? context_of(call, handle) : current(call);
}

DRIVER(cuCtxGetId, CALL_NO_CONTEXT | CALL_AFTER_FAULT, (CUcontext handle, unsigned long long *id),
       (handle, id))
{
    if (!id) return cudaErrorInvalidValue;
    const Context *context = meant(call, handle);
    if (!context) return cudaErrorDeviceUninitialized;
    *id = context->number;
    return cudaSuccess;
}

DRIVER(cuCtxGetApiVersion, CALL_NO_CONTEXT | CALL_AFTER_FAULT,
       (CUcontext handle, unsigned *version), (handle, version))
{
    if (!version) return cudaErrorInvalidValue;
    if (!meant(call, handle)) return cudaErrorDeviceUninitialized;
    *version = API_VERSION;
    return cudaSuccess;
}

DRIVER0(cuCtxSynchronize, 0) { return do_cudaDeviceSynchronize(call); }

DRIVER(cuCtxGetLimit, 0, (size_t * value, CUlimit limit), (value, limit))
{
    return do_cudaDeviceGetLimit(call, value, (enum cudaLimit)limit);
}

DRIVER(cuCtxSetLimit, 0, (CUlimit limit, size_t value), (limit, value))
{
    return do_cudaDeviceSetLimit(call, (enum cudaLimit)limit, value);
}

DRIVER(cuCtxGetCacheConfig, 0, (CUfunc_cache * config), (config))
{
    return do_cudaDeviceGetCacheConfig(call, (enum cudaFuncCache *)config);
}

DRIVER(cuCtxSetCacheConfig, 0, (CUfunc_cache config), (config))
{
    return do_cudaDeviceSetCacheConfig(call, (enum cudaFuncCache)config);
}

DRIVER(cuCtxGetStreamPriorityRange, 0, (int *least, int *greatest), (least, greatest))
{
    return do_cudaDeviceGetStreamPriorityRange(call, least, greatest);
}

DRIVER0(cuCtxResetPersistingL2Cache, 0) { return do_cudaCtxResetPersistingL2Cache(call); }

/* ---- names in the driver's library ---- */

/* clang-format off */
ALSO_CALLED(cuDeviceGetUuid, cuDeviceGetUuid_v2)
ALSO_CALLED(cuDeviceTotalMem, cuDeviceTotalMem_v2)
ALSO_CALLED(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2)
ALSO_CALLED(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2)
ALSO_CALLED(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2)
ALSO_CALLED(cuCtxCreate, cuCtxCreate_v4)
ALSO_CALLED(cuCtxDestroy, cuCtxDestroy_v2)
ALSO_CALLED(cuCtxPushCurrent, cuCtxPushCurrent_v2)
ALSO_CALLED(cuCtxPopCurrent, cuCtxPopCurrent_v2)
/* clang-format on */
