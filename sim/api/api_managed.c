/* api_managed.c - managed memory: prefetch, advice, attachment. Both sides see the same bytes, so
 * nothing moves; a prefetch takes the time and the engine that the transfer would. */
#include "sim/api/api.h"
#include "sim/memory/advice.h"
#include "sim/graph/capture.h"

static void go_there(Advice *advice, const void *device)
{
    advice->prefetched = *(const int *)device;
}

static cudaError_t prefetch(Call *call, const void *address, size_t bytes, bool to_host, int device,
                            cudaStream_t handle)
{
    const Stream *stream = stream_of(call, handle);
    Place place = place_of(address);
    if (place.kind != TRACE_MEM_MANAGED || place.dead || !bytes || bytes > place.room)
        return cudaErrorInvalidValue;
    if (!to_host && !device_exists(device)) return cudaErrorInvalidDevice;
    TraceOpKind kind = to_host ? TRACE_D2H : TRACE_H2D;
    Operation operation = {.kind = kind,
                           .bytes = bytes,
                           .from = TRACE_MEM_MANAGED,
                           .to = TRACE_MEM_MANAGED,
                           .work_ns =
                               model_copy_ns(device_model(stream->device), kind, false, bytes),
                           .site = call->site};
    operation_uses(&operation, false, &place, bytes);
    int there = to_host ? ADVICE_HOST : device;
    if (!advice_change(place.alloc, (uintptr_t)address, bytes, go_there, &there))
        return cudaErrorMemoryAllocation;
    call_spend(call->costs->memcpy_async);
    return operation_submit(call, stream, &operation, NULL, 0);
}

API_STREAM(cudaMemPrefetchAsync, 0,
           (const void *devPtr, size_t count, struct cudaMemLocation location, unsigned flags,
            cudaStream_t stream),
           (devPtr, count, location, flags, stream))
{
    if (flags) return cudaErrorInvalidValue;
    bool host = location.type == cudaMemLocationTypeHost ||
                location.type == cudaMemLocationTypeHostNuma ||
                location.type == cudaMemLocationTypeHostNumaCurrent;
    if (!host && location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    return prefetch(call, devPtr, count, host, location.id, stream);
}

API_STREAM(cudaMemPrefetchAsync_v12, 0,
           (const void *devPtr, size_t count, int dstDevice, cudaStream_t stream),
           (devPtr, count, dstDevice, stream))
{
    return prefetch(call, devPtr, count, dstDevice == cudaCpuDeviceId, dstDevice, stream);
}

typedef struct Said {
    enum cudaMemoryAdvise what;
    int device; /* ADVICE_HOST: the host */
} Said;

static void take_advice(Advice *advice, const void *arg)
{
    const Said *said = arg;
    uint64_t device = said->device >= 0 && said->device < 64 ? (uint64_t)1 << said->device : 0;
    switch (said->what) {
    case cudaMemAdviseSetReadMostly: advice->read_mostly = true; break;
    case cudaMemAdviseUnsetReadMostly: advice->read_mostly = false; break;
    case cudaMemAdviseSetPreferredLocation: advice->preferred = said->device; break;
    case cudaMemAdviseUnsetPreferredLocation: advice->preferred = ADVICE_NOWHERE; break;
    case cudaMemAdviseSetAccessedBy:
        advice->used_by |= device;
        if (!device) advice->used_by_host = true;
        break;
    case cudaMemAdviseUnsetAccessedBy:
        advice->used_by &= ~device;
        if (!device) advice->used_by_host = false;
        break;
    }
}

static cudaError_t advise(const void *address, size_t bytes, enum cudaMemoryAdvise advice,
                          bool host, int device)
{
    Place place = place_of(address);
    if (place.kind != TRACE_MEM_MANAGED || place.dead || !bytes || bytes > place.room)
        return cudaErrorInvalidValue;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return cudaErrorInvalidValue;
    bool located = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
                   advice != cudaMemAdviseUnsetPreferredLocation;
    if (located && !host && !device_exists(device)) return cudaErrorInvalidDevice;
    Said said = {advice, host ? ADVICE_HOST : device};
    return advice_change(place.alloc, (uintptr_t)address, bytes, take_advice, &said)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

API(cudaMemAdvise, 0,
    (const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
     struct cudaMemLocation location),
    (devPtr, count, advice, location))
{
    return advise(devPtr, count, advice, location.type >= cudaMemLocationTypeHost, location.id);
}

API(cudaMemAdvise_v12, 0,
    (const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device),
    (devPtr, count, advice, device))
{
    return advise(devPtr, count, advice, device == cudaCpuDeviceId, device);
}

API_STREAM(cudaStreamAttachMemAsync, 0,
           (cudaStream_t stream, void *devPtr, size_t length, unsigned flags),
           (stream, devPtr, length, flags))
{
    const Stream *captured = stream_of(call, stream);
    if (capture_has(captured))
        return capture_refuse(call, captured,
                              "whose memory it is cannot be changed by a graph: attach it before "
                              "the capture begins");
    Place place = place_of(devPtr);
    if (place.kind != TRACE_MEM_MANAGED || place.dead) return cudaErrorInvalidValue;
    if (length && (place.offset || length != place.room))
        return cudaErrorInvalidValue; /* all of it, or 0 */
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
        return cudaErrorInvalidValue;
    /* the default stream is all streams: nothing can be its alone. By its handle, cudaStreamLegacy,
     * an H200 takes it */
    if (flags == cudaMemAttachSingle && !stream) return cudaErrorInvalidValue;
    return cudaSuccess;
}
