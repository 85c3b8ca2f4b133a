/* cuda.h - the driver API's types and version, for the many programs that include it beside the runtime's. Its calls
 * are not simulated: a program that makes one ends there, with a message that names it. */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__
#include "cuda_runtime_api.h"

#define CUDA_VERSION 13000
#define CUDAAPI
#define CUDA_CB

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef void (*CUhostFn)(void *userData);
typedef int CUdevice_attribute;

/* The values of the runtime's errors of the same name. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

#define THREELANE_NO_DRIVER(NAME) ((CUresult)THREELANE_NO(NAME))
#define cuInit(...) THREELANE_NO_DRIVER("cuInit")
#define cuDriverGetVersion(...) THREELANE_NO_DRIVER("cuDriverGetVersion")
#define cuGetErrorName(...) THREELANE_NO_DRIVER("cuGetErrorName")
#define cuGetErrorString(...) THREELANE_NO_DRIVER("cuGetErrorString")
#define cuDeviceGet(...) THREELANE_NO_DRIVER("cuDeviceGet")
#define cuDeviceGetCount(...) THREELANE_NO_DRIVER("cuDeviceGetCount")
#define cuDeviceGetName(...) THREELANE_NO_DRIVER("cuDeviceGetName")
#define cuDeviceGetAttribute(...) THREELANE_NO_DRIVER("cuDeviceGetAttribute")
#define cuDeviceTotalMem(...) THREELANE_NO_DRIVER("cuDeviceTotalMem")
#define cuDevicePrimaryCtxRetain(...) THREELANE_NO_DRIVER("cuDevicePrimaryCtxRetain")
#define cuDevicePrimaryCtxRelease(...) THREELANE_NO_DRIVER("cuDevicePrimaryCtxRelease")
#define cuCtxCreate(...) THREELANE_NO_DRIVER("cuCtxCreate")
#define cuCtxDestroy(...) THREELANE_NO_DRIVER("cuCtxDestroy")
#define cuCtxGetCurrent(...) THREELANE_NO_DRIVER("cuCtxGetCurrent")
#define cuCtxSetCurrent(...) THREELANE_NO_DRIVER("cuCtxSetCurrent")
#define cuCtxSynchronize(...) THREELANE_NO_DRIVER("cuCtxSynchronize")
#define cuModuleLoad(...) THREELANE_NO_DRIVER("cuModuleLoad")
#define cuModuleLoadData(...) THREELANE_NO_DRIVER("cuModuleLoadData")
#define cuModuleUnload(...) THREELANE_NO_DRIVER("cuModuleUnload")
#define cuModuleGetFunction(...) THREELANE_NO_DRIVER("cuModuleGetFunction")
#define cuModuleGetGlobal(...) THREELANE_NO_DRIVER("cuModuleGetGlobal")
#define cuLaunchKernel(...) THREELANE_NO_DRIVER("cuLaunchKernel")
#define cuLaunchHostFunc(...) THREELANE_NO_DRIVER("cuLaunchHostFunc")
#define cuMemAlloc(...) THREELANE_NO_DRIVER("cuMemAlloc")
#define cuMemAllocHost(...) THREELANE_NO_DRIVER("cuMemAllocHost")
#define cuMemAllocManaged(...) THREELANE_NO_DRIVER("cuMemAllocManaged")
#define cuMemHostAlloc(...) THREELANE_NO_DRIVER("cuMemHostAlloc")
#define cuMemHostRegister(...) THREELANE_NO_DRIVER("cuMemHostRegister")
#define cuMemFree(...) THREELANE_NO_DRIVER("cuMemFree")
#define cuMemFreeHost(...) THREELANE_NO_DRIVER("cuMemFreeHost")
#define cuMemGetInfo(...) THREELANE_NO_DRIVER("cuMemGetInfo")
#define cuMemcpyHtoD(...) THREELANE_NO_DRIVER("cuMemcpyHtoD")
#define cuMemcpyDtoH(...) THREELANE_NO_DRIVER("cuMemcpyDtoH")
#define cuMemcpyDtoD(...) THREELANE_NO_DRIVER("cuMemcpyDtoD")
#define cuMemcpyHtoDAsync(...) THREELANE_NO_DRIVER("cuMemcpyHtoDAsync")
#define cuMemcpyDtoHAsync(...) THREELANE_NO_DRIVER("cuMemcpyDtoHAsync")
#define cuMemcpyDtoDAsync(...) THREELANE_NO_DRIVER("cuMemcpyDtoDAsync")
#define cuMemsetD8(...) THREELANE_NO_DRIVER("cuMemsetD8")
#define cuMemsetD32(...) THREELANE_NO_DRIVER("cuMemsetD32")
#define cuMemsetD8Async(...) THREELANE_NO_DRIVER("cuMemsetD8Async")
#define cuMemsetD32Async(...) THREELANE_NO_DRIVER("cuMemsetD32Async")
#define cuStreamCreate(...) THREELANE_NO_DRIVER("cuStreamCreate")
#define cuStreamCreateWithPriority(...) THREELANE_NO_DRIVER("cuStreamCreateWithPriority")
#define cuStreamDestroy(...) THREELANE_NO_DRIVER("cuStreamDestroy")
#define cuStreamSynchronize(...) THREELANE_NO_DRIVER("cuStreamSynchronize")
#define cuStreamQuery(...) THREELANE_NO_DRIVER("cuStreamQuery")
#define cuStreamWaitEvent(...) THREELANE_NO_DRIVER("cuStreamWaitEvent")
#define cuStreamWaitValue32(...) THREELANE_NO_DRIVER("cuStreamWaitValue32")
#define cuStreamWriteValue32(...) THREELANE_NO_DRIVER("cuStreamWriteValue32")
#define cuEventCreate(...) THREELANE_NO_DRIVER("cuEventCreate")
#define cuEventRecord(...) THREELANE_NO_DRIVER("cuEventRecord")
#define cuEventQuery(...) THREELANE_NO_DRIVER("cuEventQuery")
#define cuEventSynchronize(...) THREELANE_NO_DRIVER("cuEventSynchronize")
#define cuEventElapsedTime(...) THREELANE_NO_DRIVER("cuEventElapsedTime")
#define cuEventDestroy(...) THREELANE_NO_DRIVER("cuEventDestroy")
#endif
