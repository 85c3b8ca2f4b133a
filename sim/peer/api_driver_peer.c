/* api_driver_peer.c - the driver API's words for several devices: contexts in place of numbers. */
#include "sim/api/api_driver.h"

/* The current context reaches the memory of another one's device. */
DRIVER(cuCtxEnablePeerAccess, 0, (CUcontext peer, unsigned flags), (peer, flags))
{
    int device = driver_device_of(call, peer);
    if (device < 0 || device == call_device()) return (cudaError_t)CUDA_ERROR_INVALID_CONTEXT;
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

DRIVER_STREAM(cuMemcpyPeer, 0,
              (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
               size_t bytes),
              (to, to_context, from, from_context, bytes))
{
    int to_device = driver_device_of(call, to_context),
        from_device = driver_device_of(call, from_context);
    if (to_device < 0 || from_device < 0) return (cudaError_t)CUDA_ERROR_INVALID_CONTEXT;
    return do_cudaMemcpyPeer(call, driver_pointer(to), to_device, driver_pointer(from), from_device,
                             bytes);
}

DRIVER_STREAM(cuMemcpyPeerAsync, 0,
              (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
               size_t bytes, CUstream stream),
              (to, to_context, from, from_context, bytes, stream))
{
    int to_device = driver_device_of(call, to_context),
        from_device = driver_device_of(call, from_context);
    if (to_device < 0 || from_device < 0) return (cudaError_t)CUDA_ERROR_INVALID_CONTEXT;
    return do_cudaMemcpyPeerAsync(call, driver_pointer(to), to_device, driver_pointer(from),
                                  from_device, bytes, stream);
}
