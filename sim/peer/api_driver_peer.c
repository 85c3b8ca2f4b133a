/* api_driver_peer.c - the driver API's words for several devices: contexts in place of numbers. */
#include "sim/api/api_driver.h"

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
