/* cuda_runtime_api.h - the CUDA runtime API, for C and C++. See threelane/api.h for how the declarations work. */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#include <stddef.h>
#include "driver_types.h"
#include "threelane/api.h"

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION

/* ---- errors ---- */
THREELANE_CALL0(cudaError_t, cudaGetLastError)
THREELANE_CALL0(cudaError_t, cudaPeekAtLastError)
#ifdef __cplusplus
extern "C" {
#endif
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
#ifdef __cplusplus
}
#endif

/* ---- devices ---- */
THREELANE_CALL(cudaError_t, cudaGetDeviceCount, int *count)
THREELANE_CALL(cudaError_t, cudaSetDevice, int device)
THREELANE_CALL(cudaError_t, cudaInitDevice, int device, unsigned int deviceFlags, unsigned int flags)
THREELANE_CALL(cudaError_t, cudaGetDevice, int *device)
THREELANE_CALL(cudaError_t, cudaGetDeviceProperties, struct cudaDeviceProp *prop, int device)
THREELANE_CALL(cudaError_t, cudaDeviceGetAttribute, int *value, enum cudaDeviceAttr attr, int device)
THREELANE_CALL(cudaError_t, cudaChooseDevice, int *device, const struct cudaDeviceProp *prop)
THREELANE_CALL(cudaError_t, cudaDeviceGetPCIBusId, char *pciBusId, int len, int device)
THREELANE_CALL(cudaError_t, cudaDeviceGetByPCIBusId, int *device, const char *pciBusId)
THREELANE_CALL(cudaError_t, cudaSetDeviceFlags, unsigned int flags)
THREELANE_CALL(cudaError_t, cudaGetDeviceFlags, unsigned int *flags)
THREELANE_CALL0(cudaError_t, cudaDeviceSynchronize)
THREELANE_CALL0(cudaError_t, cudaDeviceReset)
THREELANE_CALL(cudaError_t, cudaDeviceGetStreamPriorityRange, int *leastPriority, int *greatestPriority)
THREELANE_CALL(cudaError_t, cudaDeviceGetLimit, size_t *value, enum cudaLimit limit)
THREELANE_CALL(cudaError_t, cudaDeviceSetLimit, enum cudaLimit limit, size_t value)
THREELANE_CALL(cudaError_t, cudaDeviceGetCacheConfig, enum cudaFuncCache *config)
THREELANE_CALL(cudaError_t, cudaDeviceSetCacheConfig, enum cudaFuncCache config)
THREELANE_CALL(cudaError_t, cudaDeviceGetSharedMemConfig, enum cudaSharedMemConfig *config)
THREELANE_CALL(cudaError_t, cudaDeviceSetSharedMemConfig, enum cudaSharedMemConfig config)
THREELANE_CALL(cudaError_t, cudaDeviceCanAccessPeer, int *canAccessPeer, int device, int peerDevice)
THREELANE_CALL(cudaError_t, cudaDriverGetVersion, int *version)
THREELANE_CALL(cudaError_t, cudaRuntimeGetVersion, int *version)

/* ---- memory ---- */
THREELANE_CALL(cudaError_t, cudaMalloc, void **devPtr, size_t size)
THREELANE_CALL(cudaError_t, cudaMallocPitch, void **devPtr, size_t *pitch, size_t width, size_t height)
THREELANE_CALL(cudaError_t, cudaMallocManaged, void **devPtr, size_t size, unsigned int flags THREELANE_OR(0x01))
THREELANE_VALUE_CALL(cudaError_t, cudaFree, void *devPtr)
THREELANE_CALL(cudaError_t, cudaMallocHost, void **ptr, size_t size)
THREELANE_CALL(cudaError_t, cudaHostAlloc, void **pHost, size_t size, unsigned int flags)
THREELANE_VALUE_CALL(cudaError_t, cudaFreeHost, void *ptr)
THREELANE_CALL(cudaError_t, cudaHostRegister, void *ptr, size_t size, unsigned int flags)
THREELANE_CALL(cudaError_t, cudaHostUnregister, void *ptr)
THREELANE_CALL(cudaError_t, cudaHostGetDevicePointer, void **pDevice, void *pHost, unsigned int flags)
THREELANE_CALL(cudaError_t, cudaHostGetFlags, unsigned int *pFlags, void *pHost)
THREELANE_CALL(cudaError_t, cudaMemGetInfo, size_t *free, size_t *total)
THREELANE_CALL(cudaError_t, cudaPointerGetAttributes, struct cudaPointerAttributes *attributes, const void *ptr)
THREELANE_STREAM_CALL(cudaError_t, cudaMallocAsync, void **devPtr, size_t size, cudaStream_t stream)
THREELANE_STREAM_CALL(cudaError_t, cudaFreeAsync, void *devPtr, cudaStream_t stream)
THREELANE_CALL(cudaError_t, cudaDeviceGetDefaultMemPool, cudaMemPool_t *memPool, int device)
THREELANE_CALL(cudaError_t, cudaDeviceGetMemPool, cudaMemPool_t *memPool, int device)
THREELANE_CALL(cudaError_t, cudaDeviceSetMemPool, int device, cudaMemPool_t memPool)
THREELANE_CALL(cudaError_t, cudaMemPoolGetAttribute, cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
THREELANE_CALL(cudaError_t, cudaMemPoolSetAttribute, cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
THREELANE_CALL(cudaError_t, cudaMemPoolTrimTo, cudaMemPool_t memPool, size_t minBytesToKeep)

/* ---- copies and sets ---- */
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpy, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpyAsync, void *dst, const void *src, size_t count,
                      enum cudaMemcpyKind kind, cudaStream_t stream THREELANE_OR(0))
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpy2D, void *dst, size_t dpitch, const void *src, size_t spitch,
                      size_t width, size_t height, enum cudaMemcpyKind kind)
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpy2DAsync, void *dst, size_t dpitch, const void *src, size_t spitch,
                      size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream THREELANE_OR(0))
THREELANE_STREAM_CALL(cudaError_t, cudaMemset, void *devPtr, int value, size_t count)
THREELANE_STREAM_CALL(cudaError_t, cudaMemsetAsync, void *devPtr, int value, size_t count,
                      cudaStream_t stream THREELANE_OR(0))
THREELANE_STREAM_CALL(cudaError_t, cudaMemset2D, void *devPtr, size_t pitch, int value, size_t width, size_t height)
THREELANE_STREAM_CALL(cudaError_t, cudaMemset2DAsync, void *devPtr, size_t pitch, int value, size_t width,
                      size_t height, cudaStream_t stream THREELANE_OR(0))
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpyToSymbol, const void *symbol, const void *src, size_t count,
                      size_t offset THREELANE_OR(0), enum cudaMemcpyKind kind THREELANE_OR(cudaMemcpyHostToDevice))
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpyFromSymbol, void *dst, const void *symbol, size_t count,
                      size_t offset THREELANE_OR(0), enum cudaMemcpyKind kind THREELANE_OR(cudaMemcpyDeviceToHost))
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpyToSymbolAsync, const void *symbol, const void *src, size_t count,
                      size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream THREELANE_OR(0))
THREELANE_STREAM_CALL(cudaError_t, cudaMemcpyFromSymbolAsync, void *dst, const void *symbol, size_t count,
                      size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream THREELANE_OR(0))
THREELANE_CALL(cudaError_t, cudaGetSymbolAddress, void **devPtr, const void *symbol)
THREELANE_CALL(cudaError_t, cudaGetSymbolSize, size_t *size, const void *symbol)
/* CUDA 13's forms, and (under names of their own) CUDA 12's with a device number: cuda_runtime.h (C++) and c_sites.h
 * (C) choose by the arguments. */
THREELANE_STREAM_CALL(cudaError_t, cudaMemPrefetchAsync, const void *devPtr, size_t count,
                      struct cudaMemLocation location, unsigned int flags, cudaStream_t stream THREELANE_OR(0))
THREELANE_CALL(cudaError_t, cudaMemAdvise, const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
               struct cudaMemLocation location)
THREELANE_STREAM_CALL(cudaError_t, cudaMemPrefetchAsync_v12, const void *devPtr, size_t count, int dstDevice,
                      cudaStream_t stream)
THREELANE_CALL(cudaError_t, cudaMemAdvise_v12, const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
               int device)

/* ---- streams ---- */
THREELANE_CALL(cudaError_t, cudaStreamCreate, cudaStream_t *pStream)
THREELANE_CALL(cudaError_t, cudaStreamCreateWithFlags, cudaStream_t *pStream, unsigned int flags)
THREELANE_CALL(cudaError_t, cudaStreamCreateWithPriority, cudaStream_t *pStream, unsigned int flags, int priority)
THREELANE_VALUE_CALL(cudaError_t, cudaStreamDestroy, cudaStream_t stream)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamSynchronize, cudaStream_t stream)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamQuery, cudaStream_t stream)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamWaitEvent, cudaStream_t stream, cudaEvent_t event,
                      unsigned int flags THREELANE_OR(0))
THREELANE_STREAM_CALL(cudaError_t, cudaStreamGetFlags, cudaStream_t stream, unsigned int *flags)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamGetPriority, cudaStream_t stream, int *priority)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamGetDevice, cudaStream_t stream, int *device)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamGetId, cudaStream_t stream, unsigned long long *streamId)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamAddCallback, cudaStream_t stream, cudaStreamCallback_t callback,
                      void *userData, unsigned int flags)
THREELANE_STREAM_CALL(cudaError_t, cudaStreamAttachMemAsync, cudaStream_t stream, void *devPtr,
                      size_t length THREELANE_OR(0), unsigned int flags THREELANE_OR(cudaMemAttachSingle))
THREELANE_STREAM_CALL(cudaError_t, cudaStreamIsCapturing, cudaStream_t stream,
                      enum cudaStreamCaptureStatus *pCaptureStatus)

/* ---- events ---- */
THREELANE_CALL(cudaError_t, cudaEventCreate, cudaEvent_t *event)
THREELANE_CALL(cudaError_t, cudaEventCreateWithFlags, cudaEvent_t *event, unsigned int flags)
THREELANE_VALUE_CALL(cudaError_t, cudaEventDestroy, cudaEvent_t event)
THREELANE_STREAM_CALL(cudaError_t, cudaEventRecord, cudaEvent_t event, cudaStream_t stream THREELANE_OR(0))
THREELANE_STREAM_CALL(cudaError_t, cudaEventRecordWithFlags, cudaEvent_t event, cudaStream_t stream THREELANE_OR(0),
                      unsigned int flags THREELANE_OR(0))
THREELANE_CALL(cudaError_t, cudaEventSynchronize, cudaEvent_t event)
THREELANE_CALL(cudaError_t, cudaEventQuery, cudaEvent_t event)
THREELANE_CALL(cudaError_t, cudaEventElapsedTime, float *ms, cudaEvent_t start, cudaEvent_t end)

/* ---- launches, host functions ---- */
THREELANE_STREAM_CALL(cudaError_t, cudaLaunchHostFunc, cudaStream_t stream, cudaHostFn_t fn, void *userData)
THREELANE_STREAM_CALL(cudaError_t, cudaLaunchKernel, const void *func, struct dim3 gridDim, struct dim3 blockDim,
                      void **args, size_t sharedMem THREELANE_OR(0), cudaStream_t stream THREELANE_OR(0))
THREELANE_CALL(cudaError_t, cudaFuncGetAttributes, struct cudaFuncAttributes *attr, const void *func)
THREELANE_CALL(cudaError_t, cudaFuncSetAttribute, const void *func, enum cudaFuncAttribute attr, int value)
THREELANE_CALL(cudaError_t, cudaFuncSetCacheConfig, const void *func, enum cudaFuncCache cacheConfig)
THREELANE_CALL(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *numBlocks, const void *func,
               int blockSize, size_t dynamicSMemSize)
THREELANE_CALL(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *numBlocks, const void *func,
               int blockSize, size_t dynamicSMemSize, unsigned int flags)
THREELANE_CALL(cudaError_t, cudaOccupancyAvailableDynamicSMemPerBlock, size_t *dynamicSmemSize, const void *func,
               int numBlocks, int blockSize)

/* ---- profiler ---- */
THREELANE_CALL0(cudaError_t, cudaProfilerStart)
THREELANE_CALL0(cudaError_t, cudaProfilerStop)

#include "threelane/unsupported.h"
#ifndef __cplusplus
#include "threelane/c_sites.h"
#else
#define cudaFree(...) threelane_cudaFree(__VA_ARGS__)
#define cudaFreeHost(...) threelane_cudaFreeHost(__VA_ARGS__)
#define cudaStreamDestroy(...) threelane_cudaStreamDestroy(__VA_ARGS__)
#define cudaEventDestroy(...) threelane_cudaEventDestroy(__VA_ARGS__)
#endif

#endif
