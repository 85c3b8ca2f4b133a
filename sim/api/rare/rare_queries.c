/* rare_queries.c - logs and notes of the driver, lists of devices, settings that change nothing
 * here. */
#include "sim/api/api_launch.h"
#include "sim/launch/launch_function.h"
#include <stdio.h>

/* ---- the driver's log: nothing is ever written to it ---- */

API(cudaLogsCurrent, 0, (cudaLogIterator * to, unsigned flags), (to, flags))
{
    if (!to || flags) return cudaErrorInvalidValue;
    *to = 0;
    return cudaSuccess;
}

API(cudaLogsDumpToMemory, 0, (cudaLogIterator * from, char *buffer, size_t *size, unsigned flags),
    (from, buffer, size, flags))
{
    (void)from;
    if (!buffer || !size || !*size || flags) return cudaErrorInvalidValue;
    buffer[0] = 0;
    *size = 0;
    return cudaSuccess;
}

API(cudaLogsDumpToFile, 0, (cudaLogIterator * from, const char *path, unsigned flags),
    (from, path, flags))
{
    (void)from;
    FILE *file = path && !flags ? fopen(path, "w") : NULL;
    return file && fclose(file) == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

/* Who would be told, by number: nobody ever is. */
enum { MOST = 64 };
typedef struct Registry {
    bool there[MOST];
} Registry;

static void *enter(Registry *registry)
{
    for (int i = 0; i < MOST; i++) {
        if (registry->there[i]) continue;
        registry->there[i] = true;
        return &registry->there[i];
    }
    return NULL;
}

static cudaError_t leave(Registry *registry, const void *handle)
{
    for (int i = 0; i < MOST; i++) {
        if (handle != &registry->there[i] || !registry->there[i]) continue;
        registry->there[i] = false;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

static Registry of_logs, of_notes;

API(cudaLogsRegisterCallback, 0,
    (cudaLogsCallback_t callback, void *data, cudaLogsCallbackHandle *to), (callback, data, to))
{
    (void)data;
    if (!callback) return cudaErrorInvalidValue;
    void *handle = enter(&of_logs);
    if (to) *to = handle;
    return handle ? cudaSuccess : cudaErrorInvalidValue;
}

API(cudaLogsUnregisterCallback, 0, (cudaLogsCallbackHandle handle), (handle))
{
    return leave(&of_logs, handle);
}

/* A process here has no budget of device memory that it could exceed. */
API(cudaDeviceRegisterAsyncNotification, 0,
    (int device, cudaAsyncCallback callback, void *data, cudaAsyncCallbackHandle_t *to),
    (device, callback, data, to))
{
    (void)data;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (!callback || !to) return cudaErrorInvalidValue;
    *to = enter(&of_notes);
    return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}

API(cudaDeviceUnregisterAsyncNotification, 0, (int device, cudaAsyncCallbackHandle_t handle),
    (device, handle))
{
    return device_exists(device) ? leave(&of_notes, handle) : cudaErrorInvalidDevice;
}

/* ---- devices and kernels ---- */

/* The first of the list is the one that is used. */
API(cudaSetValidDevices, 0, (int *devices, int n), (devices, n))
{
    if (n < 0 || n > runtime.devices || (n && !devices)) return cudaErrorInvalidValue;
    for (int i = 0; i < n; i++)
        if (!device_exists(devices[i])) return cudaErrorInvalidDevice;
    if (n) call_set_device(call, devices[0]);
    return cudaSuccess;
}

API(cudaFuncSetSharedMemConfig, 0, (const void *func, enum cudaSharedMemConfig config),
    (func, config))
{
    if (!launch_probe(func).kernel) return cudaErrorInvalidDeviceFunction;
    return (unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
}

API(cudaKernelSetAttributeForDevice, 0,
    (cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device),
    (kernel, attribute, value, device))
{
    LaunchProbe found = launch_probe((const void *)kernel);
    if (!found.kernel) return cudaErrorInvalidDeviceFunction;
    if (!device_exists(device)) return cudaErrorInvalidValue;
    return launch_function_set(launch_function(found.kernel, device), device_model(device),
                               attribute, value);
}
