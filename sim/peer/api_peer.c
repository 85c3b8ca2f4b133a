/* api_peer.c - several devices: who may reach whose memory, and copies from one to another.
 *
 * All devices here can reach each other. Access is one way, from the device that is current when it
 * is asked for; a copy between devices needs none (without, it goes through the host). The numbers
 * of devices that a copy is given have to be those of devices; what is copied from where to where
 * the pointers say, and nobody compares (measured on two H200s). */
#include "sim/api/api_copy.h"
#include "sim/memory/peers.h"

API(cudaDeviceCanAccessPeer, 0, (int *canAccessPeer, int device, int peerDevice),
    (canAccessPeer, device, peerDevice))
{
    if (!canAccessPeer) return cudaErrorInvalidValue;
    if (!device_exists(device) || !device_exists(peerDevice)) return cudaErrorInvalidDevice;
    *canAccessPeer = device != peerDevice;
    return cudaSuccess;
}

API(cudaDeviceGetP2PAttribute, 0,
    (int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice),
    (value, attr, srcDevice, dstDevice))
{
    if (!value || attr < cudaDevP2PAttrPerformanceRank ||
        attr > cudaDevP2PAttrCudaArrayAccessSupported)
        return cudaErrorInvalidValue;
    if (!device_exists(srcDevice) || !device_exists(dstDevice) || srcDevice == dstDevice)
        return cudaErrorInvalidDevice;
    *value = attr != cudaDevP2PAttrPerformanceRank; /* all links are alike */
    return cudaSuccess;
}

API(cudaDeviceEnablePeerAccess, 0, (int peerDevice, unsigned flags), (peerDevice, flags))
{
    int device = call_device();
    if (!device_exists(peerDevice)) return cudaErrorInvalidDevice;
    if (peerDevice == device) return cudaErrorPeerAccessUnsupported;
    if (flags) return cudaErrorInvalidValue;
    if (peers_allowed(device, peerDevice)) return cudaErrorPeerAccessAlreadyEnabled;
    call_spend(call->costs->other);
    peers_allow(device, peerDevice, true);
    return cudaSuccess;
}

API(cudaDeviceDisablePeerAccess, 0, (int peerDevice), (peerDevice))
{
    int device = call_device();
    if (!device_exists(peerDevice)) return cudaErrorInvalidDevice;
    if (!peers_allowed(device, peerDevice)) return cudaErrorPeerAccessNotEnabled;
    call_spend(call->costs->other);
    peers_allow(device, peerDevice, false);
    return cudaSuccess;
}

/* ---- copies ---- */

static cudaError_t copy(Call *call, void *to, const void *from, size_t bytes, const Stream *stream)
{
    return copy_run(call, &(Copy){.to = to,
                                  .from = from,
                                  .width = bytes,
                                  .height = 1,
                                  .kind = cudaMemcpyDeviceToDevice,
                                  .async = true,
                                  .peer = true,
                                  .stream = stream});
}

/* What is in the first stream now comes before what is put into the second from now on. */
static cudaError_t order(Call *call, const Stream *first, const Stream *second)
{
    Event *event = event_new(call, cudaEventDisableTiming);
    Operation record = {.kind = TRACE_RECORD, .event = event->id, .site = call->site};
    Operation wait = {.kind = TRACE_WAIT, .event = event->id, .site = call->site};
    cudaError_t error = operation_submit(call, first, &record, NULL, 0);
    EngineOp recorded = call->op;
    if (!error) error = operation_submit(call, second, &wait, &recorded, 1);
    event_destroy(call, event);
    return error;
}

/* It comes after all that is pending on the current device and the two others, and before what
 * they are given later; the host does not wait. */
API(cudaMemcpyPeer, 0, (void *dst, int dstDevice, const void *src, int srcDevice, size_t count),
    (dst, dstDevice, src, srcDevice, count))
{
    if (!device_exists(dstDevice) || !device_exists(srcDevice)) return cudaErrorInvalidDevice;
    const Stream *own = stream_legacy(call_device());
    const Stream *of[] = {stream_legacy(srcDevice), stream_legacy(dstDevice)};
    int n = of[0] == of[1] ? 1 : 2;
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < n && count && !error; i++)
        if (of[i] != own) error = order(call, of[i], own);
    if (!error) error = copy(call, dst, src, count, own);
    EngineOp copied = call->op;
    for (int i = 0; i < n && count && !error; i++)
        if (of[i] != own) error = order(call, own, of[i]);
    if (!error) call->op = copied;
    return error;
}

API(cudaMemcpyPeerAsync, 0,
    (void *dst, int dstDevice, const void *src, int srcDevice, size_t count, cudaStream_t stream),
    (dst, dstDevice, src, srcDevice, count, stream))
{
    if (!device_exists(dstDevice) || !device_exists(srcDevice)) return cudaErrorInvalidDevice;
    const Stream *into = stream_of(call, stream);
    cudaError_t error = count ? CAPTURE_RULE(peer, call, into) : cudaSuccess;
    return error ? error : copy(call, dst, src, count, into);
}
