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

/* ---- in three dimensions ---- */

typedef struct Box3D {
    cudaArray_t array;
    struct cudaPos at;
    struct cudaPitchedPtr memory;
} Box3D;

static char *begin_of(const Box3D *box)
{
    return (char *)box->memory.ptr +
           (box->at.z * box->memory.ysize + box->at.y) * box->memory.pitch + box->at.x;
}

/* The slices of both lie one behind the other, row by row, or there is only one. */
static bool is_flat(const Box3D *box, const struct cudaExtent *extent)
{
    return extent->depth <= 1 || box->memory.ysize == extent->height;
}

static cudaError_t copy_3d(Call *call, const Box3D *to, const Box3D *from,
                           const struct cudaExtent *extent, enum cudaMemcpyKind kind, bool async,
                           bool peer, const Stream *stream)
{
    if (to->array || from->array)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: arrays are not simulated by this virtual GPU; the program ends here",
                   call->name);
    if (!extent->width || !extent->height || !extent->depth) return cudaSuccess;
    if (!to->memory.ptr || !from->memory.ptr) return cudaErrorInvalidValue;
    if (extent->width > to->memory.pitch || extent->width > from->memory.pitch)
        return cudaErrorInvalidPitchValue;
    if (!is_flat(to, extent) || !is_flat(from, extent))
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: of a box only whole slices are copied by this virtual GPU (an extent as "
                   "high as the memory is, or one slice deep); the program ends here",
                   call->name);
    if (extent->depth > SIZE_MAX / extent->height) return cudaErrorInvalidValue;
    return copy_run(call, &(Copy){.to = begin_of(to),
                                  .from = begin_of(from),
                                  .to_pitch = to->memory.pitch,
                                  .from_pitch = from->memory.pitch,
                                  .width = extent->width,
                                  .height = extent->height * extent->depth,
                                  .kind = kind,
                                  .async = async,
                                  .pitched = true,
                                  .peer = peer,
                                  .stream = stream});
}

static cudaError_t copy_box(Call *call, const struct cudaMemcpy3DParms *p, bool async,
                            cudaStream_t stream)
{
    if (!p) return cudaErrorInvalidValue;
    return copy_3d(call, &(Box3D){p->dstArray, p->dstPos, p->dstPtr},
                   &(Box3D){p->srcArray, p->srcPos, p->srcPtr}, &p->extent, p->kind, async, false,
                   stream_of(call, stream));
}

API_STREAM(cudaMemcpy3D, 0, (const struct cudaMemcpy3DParms *p), (p))
{
    return copy_box(call, p, false, NULL);
}

API_STREAM(cudaMemcpy3DAsync, 0, (const struct cudaMemcpy3DParms *p, cudaStream_t stream),
           (p, stream))
{
    return copy_box(call, p, true, stream);
}

static cudaError_t copy_peer_box(Call *call, const struct cudaMemcpy3DPeerParms *p, bool async,
                                 cudaStream_t stream)
{
    if (!p) return cudaErrorInvalidValue;
    if (!device_exists(p->dstDevice) || !device_exists(p->srcDevice)) return cudaErrorInvalidDevice;
    const Stream *into = stream_of(call, stream);
    cudaError_t error = async ? CAPTURE_RULE(peer, call, into) : cudaSuccess;
    if (error) return error;
    return copy_3d(call, &(Box3D){p->dstArray, p->dstPos, p->dstPtr},
                   &(Box3D){p->srcArray, p->srcPos, p->srcPtr}, &p->extent,
                   cudaMemcpyDeviceToDevice, async, true, into);
}

API_STREAM(cudaMemcpy3DPeer, 0, (const struct cudaMemcpy3DPeerParms *p), (p))
{
    return copy_peer_box(call, p, false, NULL);
}

API_STREAM(cudaMemcpy3DPeerAsync, 0, (const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream),
           (p, stream))
{
    return copy_peer_box(call, p, true, stream);
}
