/* api_driver_peer.c - the driver API's words for several devices: contexts in place of numbers. */
#include "sim/api/api_driver.h"
#include "sim/api/api_copy.h"

/* The current context reaches the memory of another one's device. */
DRIVER(cuCtxEnablePeerAccess, 0, (CUcontext peer, unsigned flags), (peer, flags))
{
    int device = driver_device_of(call, peer);
    if (device < 0) return (cudaError_t)CUDA_ERROR_INVALID_CONTEXT;
    return do_cudaDeviceEnablePeerAccess(call, device, flags);
}

DRIVER(cuCtxDisablePeerAccess, 0, (CUcontext peer), (peer))
{
    int device = driver_device_of(call, peer);
    if (device < 0) return (cudaError_t)CUDA_ERROR_INVALID_CONTEXT;
    return do_cudaDeviceDisablePeerAccess(call, device);
}

/* The attributes have the runtime's numbers. */
DRIVER(cuDeviceGetP2PAttribute, CALL_NO_CONTEXT,
       (int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to),
       (value, attribute, from, to))
{
    return do_cudaDeviceGetP2PAttribute(call, value, (enum cudaDeviceP2PAttr)attribute, from, to);
}

/* The pointers say where memory is, and no context at all is as good as one (measured on two
 * H200s). */
static int device_by(const Call *call, CUcontext context)
{
    int device = driver_device_of(call, context);
    return device < 0 ? call_device() : device;
}

DRIVER_STREAM(cuMemcpyPeer, 0,
              (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
               size_t bytes),
              (to, to_context, from, from_context, bytes))
{
    return do_cudaMemcpyPeer(call, driver_pointer(to), device_by(call, to_context),
                             driver_pointer(from), device_by(call, from_context), bytes);
}

DRIVER_STREAM(cuMemcpyPeerAsync, 0,
              (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
               size_t bytes, CUstream stream),
              (to, to_context, from, from_context, bytes, stream))
{
    return do_cudaMemcpyPeerAsync(call, driver_pointer(to), device_by(call, to_context),
                                  driver_pointer(from), device_by(call, from_context), bytes,
                                  stream);
}

/* ---- in three dimensions ---- */

/* One end of the copy: where it begins, and how its rows and slices follow each other. */
typedef struct Side {
    char *at;
    size_t pitch, height;
} Side;

/* The end as it is described; false: wrong. Which context it is in does not matter, nor does its
 * level of detail: those are of arrays. */
static bool side_of(const Call *call, Side *side, CUmemorytype kind, const void *host,
                    CUdeviceptr device, size_t x, size_t y, size_t z, size_t pitch, size_t height,
                    const CUDA_MEMCPY3D_PEER *p)
{
    if (kind == CU_MEMORYTYPE_ARRAY)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: arrays are not simulated by this virtual GPU; the program ends here",
                   call->name);
    if (kind != CU_MEMORYTYPE_HOST && kind != CU_MEMORYTYPE_DEVICE && kind != CU_MEMORYTYPE_UNIFIED)
        return false;
    if (!height) height = y + p->Height; /* may be left out of a single slice */
    if (!pitch) pitch = x + p->WidthInBytes;
    if (x > pitch || p->WidthInBytes > pitch - x || y > height || p->Height > height - y)
        return false;
    const char *base = kind == CU_MEMORYTYPE_HOST ? host : driver_pointer(device);
    if (!base) return false;
    /* a copy of one row has nothing that could be too large to be multiplied */
    if (pitch > SIZE_MAX / height || z > SIZE_MAX / (pitch * height)) return false;
    *side = (Side){(char *)(uintptr_t)base + (z * height + y) * pitch + x, pitch, height};

    return true;
}

static cudaError_t copy_box(Call *call, const CUDA_MEMCPY3D_PEER *p, bool async, CUstream handle)
{
    Side to, from;
    if (!p) return cudaErrorInvalidValue;
    if (!p->WidthInBytes || !p->Height || !p->Depth) return cudaSuccess;
    if (!side_of(call, &to, p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes, p->dstY,
                 p->dstZ, p->dstPitch, p->dstHeight, p) ||
        !side_of(call, &from, p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes, p->srcY,
                 p->srcZ, p->srcPitch, p->srcHeight, p))
        return cudaErrorInvalidValue;
    if (p->Depth > 1 && (to.height != p->Height || from.height != p->Height))
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: of a box only whole slices are copied by this virtual GPU (a height as "
                   "large as the memory's, or one slice deep); the program ends here",
                   call->name);
    if (p->Depth > SIZE_MAX / p->Height) return cudaErrorInvalidValue;
    const Stream *stream = stream_of(call, handle);
    cudaError_t error = async ? CAPTURE_RULE(peer, call, stream) : cudaSuccess;
    if (error) return error;

    return copy_run(call, &(Copy){.to = to.at,
                                  .from = from.at,
                                  .to_pitch = to.pitch,
                                  .from_pitch = from.pitch,
                                  .width = p->WidthInBytes,
                                  .height = p->Height * p->Depth,
                                  .kind = cudaMemcpyDefault,
                                  .async = async,
                                  .pitched = true,
                                  .peer = true,
                                  .stream = stream});
}

DRIVER_STREAM(cuMemcpy3DPeer, 0, (const CUDA_MEMCPY3D_PEER *copy), (copy))
{
    return copy_box(call, copy, false, NULL);
}

DRIVER_STREAM(cuMemcpy3DPeerAsync, 0, (const CUDA_MEMCPY3D_PEER *copy, CUstream stream),
              (copy, stream))
{
    return copy_box(call, copy, true, stream);
}

/* ---- pools ---- */

_Static_assert(sizeof(CUmemAccessDesc) == sizeof(struct cudaMemAccessDesc) &&
                   sizeof(CUmemLocation) == sizeof(struct cudaMemLocation),
               "who may reach a pool");

/* No list is wrong here, and nothing at all to the runtime. */
DRIVER(cuMemPoolSetAccess, CALL_NO_CONTEXT,
       (CUmemoryPool pool, const CUmemAccessDesc *list, size_t count), (pool, list, count))
{
    if (!list) return cudaErrorInvalidValue;
    return do_cudaMemPoolSetAccess(call, pool, (const struct cudaMemAccessDesc *)(const void *)list,
                                   count);
}

DRIVER(cuMemPoolGetAccess, CALL_NO_CONTEXT,
       (CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation *location),
       (flags, pool, location))
{
    return do_cudaMemPoolGetAccess(call, (enum cudaMemAccessFlags *)(void *)flags, pool,
                                   (struct cudaMemLocation *)(void *)location);
}

/* clang-format off */
ALSO_CALLED(cuMemcpy3DPeer_ptsz, cuMemcpy3DPeer_ptds)
/* clang-format on */
