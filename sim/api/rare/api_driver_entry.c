/* api_driver_entry.c - functions of the driver API by their names. */
#include "sim/api/api_driver.h"
#include <string.h>

typedef void (*Function)(void);
typedef struct Entry {
    const char *name;
    Function legacy, per_thread; /* what stream 0 is; per_thread NULL: it does not matter */
} Entry;

static const Entry entries[] = {
#define TL_CALL0(NAME, REPLAY, TRACER) {#NAME, (Function)(NAME), NULL},
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) {#NAME, (Function)(NAME), NULL},
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) \
    {#NAME, (Function)(NAME), (Function)NAME##_ptsz},
#define TL_REFUSED(NAME, TRACER)
#include "sim/include/threelane/driver.def"
};

static const Entry *entry_of(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (!strcmp(entries[i].name, name)) return &entries[i];
    return NULL;
}

static cudaError_t find(const Call *call, const char *name, void **to, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *status)
{
    if (!name || !to || flags > cudaEnablePerThreadDefaultStream) return cudaErrorInvalidValue;
    const Entry *entry = entry_of(name);
    bool per_thread = flags == cudaEnablePerThreadDefaultStream ||
                      (flags == cudaEnableDefault && call->flags & CALL_PER_THREAD);
    Function function = !entry                            ? NULL
                        : per_thread && entry->per_thread ? entry->per_thread
                                                          : entry->legacy;
    memcpy(to, &function, sizeof function);
    if (status) *status = entry ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}

API_STREAM(cudaGetDriverEntryPoint, CALL_NO_DEVICE,
           (const char *symbol, void **to, unsigned long long flags,
            enum cudaDriverEntryPointQueryResult *status),
           (symbol, to, flags, status))
{
    return find(call, symbol, to, flags, status);
}

API_STREAM(cudaGetDriverEntryPointByVersion, CALL_NO_DEVICE,
           (const char *symbol, void **to, unsigned version, unsigned long long flags,
            enum cudaDriverEntryPointQueryResult *status),
           (symbol, to, version, flags, status))
{
    return version ? find(call, symbol, to, flags, status) : cudaErrorInvalidValue;
}

DRIVER(cuGetProcAddress, CALL_NO_CONTEXT | CALL_UNINITIALISED,
       (const char *symbol, void **to, int version, cuuint64_t flags,
        CUdriverProcAddressQueryResult *status),
       (symbol, to, version, flags, status))
{
    enum cudaDriverEntryPointQueryResult found;
    if (version <= 0) return cudaErrorInvalidValue;
    cudaError_t error = find(call, symbol, to, flags, &found);
    if (error) return error;
    if (status) *status = (CUdriverProcAddressQueryResult)found;
    return *to || status ? cudaSuccess : (cudaError_t)CUDA_ERROR_NOT_FOUND;
}
