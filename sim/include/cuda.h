/* cuda.h - the CUDA driver API, for C and C++. The calls are the rows of threelane/driver.def; threelane/api.h says how
 * their declarations work. Handles are the runtime's: a CUstream is a cudaStream_t, and goes into calls of either API. */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__
#include <stdint.h>
#include "cuda_runtime_api.h"
#include "threelane/driver_numbers.h"

#define CUDA_VERSION 13000
#define CUDAAPI
#define CUDA_CB

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUdevice;
typedef int CUdevice_v1;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUdeviceptr_v2;
typedef unsigned long long CUtexObject, CUsurfObject;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef cudaFunction_t CUfunction;
typedef cudaKernel_t CUkernel;
typedef struct CUlib_st *CUlibrary;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaGraph_t CUgraph;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaGraphNode_t CUgraphNode;
typedef enum cudaGraphNodeType CUgraphNodeType;
typedef cudaGraphEdgeData CUgraphEdgeData;
typedef cudaGraphExecUpdateResultInfo CUgraphExecUpdateResultInfo;
typedef cudaMemPool_t CUmemoryPool;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUctxCreateParams_st CUctxCreateParams;
typedef cudaGraphDeviceNode_t CUgraphDeviceNode;
typedef void(CUDA_CB *CUhostFn)(void *userData);
typedef void(CUDA_CB *CUstreamCallback)(CUstream hStream, CUresult status, void *userData);
typedef size_t(CUDA_CB *CUoccupancyB2DSize)(int blockSize);

/* Who may reach a pool: laid out as the runtime's. */
typedef struct CUmemLocation_st {
    CUmemLocationType type;
    int id;
} CUmemLocation;
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;

/* A box in memory, in that of another context perhaps. */
typedef struct CUDA_MEMCPY3D_PEER_st {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    CUcontext srcContext;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    CUcontext dstContext;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D_PEER;

/* The same, of one context, and flat. */
typedef struct CUDA_MEMCPY3D_st {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *reserved1;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch, dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch, WidthInBytes, Height;
} CUDA_MEMCPY2D;

/* Arrays, textures, surfaces. */
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
    size_t Width, Height;
    CUarray_format Format;
    unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
    size_t Width, Height, Depth;
    CUarray_format Format;
    unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct CUDA_RESOURCE_DESC_st {
    CUresourcetype resType;
    union {
        struct { CUarray hArray; } array;
        struct { CUmipmappedArray hMipmappedArray; } mipmap;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            CUdeviceptr devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct { int reserved[32]; } reserved;
    } res;
    unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned int flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct cudaResourceViewDesc CUDA_RESOURCE_VIEW_DESC;

/* Pools: laid out as the runtime's. */
typedef struct CUmemPoolProps_st {
    CUmemAllocationType allocType;
    CUmemAllocationHandleType handleTypes;
    CUmemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;

/* Attributes of launches: laid out as the runtime's. */
typedef struct CUaccessPolicyWindow_st {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    CUaccessProperty hitProp, missProp;
} CUaccessPolicyWindow;
typedef struct CUlaunchMemSyncDomainMap_st {
    unsigned char default_, remote;
} CUlaunchMemSyncDomainMap;
typedef union CUlaunchAttributeValue_union {
    char pad[64];
    CUaccessPolicyWindow accessPolicyWindow;
    int cooperative;
    CUsynchronizationPolicy syncPolicy;
    struct { unsigned int x, y, z; } clusterDim;
    CUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    struct {
        CUevent event;
        int flags;
        int triggerAtBlockStart;
    } programmaticEvent;
    struct {
        CUevent event;
        int flags;
    } launchCompletionEvent;
    int priority;
    CUlaunchMemSyncDomainMap memSyncDomainMap;
    CUlaunchMemSyncDomain memSyncDomain;
    struct { unsigned int x, y, z; } preferredClusterDim;
    struct {
        int deviceUpdatable;
        CUgraphDeviceNode devNode;
    } deviceUpdatableKernelNode;
    unsigned int sharedMemCarveout;
    unsigned int nvlinkUtilCentricScheduling;
} CUlaunchAttributeValue;
typedef CUlaunchAttributeValue CUstreamAttrValue;
typedef CUlaunchAttributeValue CUkernelNodeAttrValue;
typedef struct CUlaunchAttribute_st {
    CUlaunchAttributeID id;
    char pad[8 - sizeof(CUlaunchAttributeID)];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig_st {
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define CU_MEMHOSTREGISTER_IOMEMORY 0x04
#define CU_MEMHOSTREGISTER_READ_ONLY 0x08
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

#ifdef __cplusplus
extern "C" {
#define THREELANE_CTX_CREATE(...) threelane_cuCtxCreate(__VA_ARGS__)
#else
/* CUDA 13 has four arguments, CUDA 12 three: they are counted. */
#define THREELANE_CTX_CREATE(...) THREELANE_CTX_CREATE_(__VA_ARGS__, cuCtxCreate, cuCtxCreate_v2, 0, 0)(__VA_ARGS__, THREELANE_HERE)
#define THREELANE_CTX_CREATE_(A, B, C, D, NAME, ...) threelane_##NAME
#endif
#define THREELANE_NO_DRIVER(NAME) ((CUresult)THREELANE_NO(NAME))

#ifdef __cplusplus
#define THREELANE_DRIVER_FORMS(NAME, PARAMETERS)
#else
#define THREELANE_DRIVER_FORMS(NAME, PARAMETERS)                                                   \
    CUresult NAME##_ptsz(THREELANE_OPEN PARAMETERS);                                               \
    CUresult threelane_##NAME##_ptsz(THREELANE_OPEN PARAMETERS, THREELANE_SITE);
#endif
#define TL_REFUSED(NAME, TRACER)
#define TL_CALL0(NAME, REPLAY, TRACER)                                                             \
    CUresult (NAME)(void);                                                                         \
    CUresult threelane_##NAME(THREELANE_SITE);
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER)                                                  \
    CUresult (NAME)(THREELANE_OPEN PARAMETERS);                                                    \
    CUresult threelane_##NAME(THREELANE_OPEN PARAMETERS, THREELANE_SITE);
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER)                                                \
    CUresult (NAME)(THREELANE_OPEN PARAMETERS) __asm__(#NAME THREELANE_SUFFIX);                    \
    CUresult threelane_##NAME(THREELANE_OPEN PARAMETERS, THREELANE_SITE)                           \
        __asm__("threelane_" #NAME THREELANE_SUFFIX);                                              \
    THREELANE_DRIVER_FORMS(NAME, PARAMETERS)
#include "threelane/driver.def"
#undef TL_REFUSED
#undef TL_CALL0
#undef TL_CALL
#undef TL_STREAM
#ifdef __cplusplus
}

inline CUresult threelane_cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device,
                                      ThreelaneSite site THREELANE_HERE)
{
    return threelane_cuCtxCreate_v2(context, flags, device, site);
}
#endif

/* The names under which the driver has them. */
#define cuDeviceTotalMem_v2 cuDeviceTotalMem
#define cuCtxCreate_v4 cuCtxCreate
#define cuModuleGetGlobal_v2 cuModuleGetGlobal
#define cuMemGetInfo_v2 cuMemGetInfo
#define cuMemAlloc_v2 cuMemAlloc
#define cuMemAllocPitch_v2 cuMemAllocPitch
#define cuMemFree_v2 cuMemFree
#define cuMemGetAddressRange_v2 cuMemGetAddressRange
#define cuMemAllocHost_v2 cuMemAllocHost
#define cuMemHostGetDevicePointer_v2 cuMemHostGetDevicePointer
#define cuMemAdvise_v2 cuMemAdvise
#define cuMemPrefetchAsync_v2 cuMemPrefetchAsync
#define cuMemcpyHtoD_v2 cuMemcpyHtoD
#define cuMemcpyDtoH_v2 cuMemcpyDtoH
#define cuMemcpyDtoD_v2 cuMemcpyDtoD
#define cuMemcpyDtoA_v2 cuMemcpyDtoA
#define cuMemcpyAtoD_v2 cuMemcpyAtoD
#define cuMemcpyHtoA_v2 cuMemcpyHtoA
#define cuMemcpyAtoH_v2 cuMemcpyAtoH
#define cuMemcpyAtoA_v2 cuMemcpyAtoA
#define cuMemcpyHtoAAsync_v2 cuMemcpyHtoAAsync
#define cuMemcpyAtoHAsync_v2 cuMemcpyAtoHAsync
#define cuMemcpy2D_v2 cuMemcpy2D
#define cuMemcpy2DUnaligned_v2 cuMemcpy2DUnaligned
#define cuMemcpy3D_v2 cuMemcpy3D
#define cuMemcpyHtoDAsync_v2 cuMemcpyHtoDAsync
#define cuMemcpyDtoHAsync_v2 cuMemcpyDtoHAsync
#define cuMemcpyDtoDAsync_v2 cuMemcpyDtoDAsync
#define cuMemcpy2DAsync_v2 cuMemcpy2DAsync
#define cuMemcpy3DAsync_v2 cuMemcpy3DAsync
#define cuMemcpyBatchAsync_v2 cuMemcpyBatchAsync
#define cuMemcpy3DBatchAsync_v2 cuMemcpy3DBatchAsync
#define cuMemsetD8_v2 cuMemsetD8
#define cuMemsetD16_v2 cuMemsetD16
#define cuMemsetD32_v2 cuMemsetD32
#define cuMemsetD2D8_v2 cuMemsetD2D8
#define cuMemsetD2D16_v2 cuMemsetD2D16
#define cuMemsetD2D32_v2 cuMemsetD2D32
#define cuArrayCreate_v2 cuArrayCreate
#define cuArrayGetDescriptor_v2 cuArrayGetDescriptor
#define cuArray3DCreate_v2 cuArray3DCreate
#define cuArray3DGetDescriptor_v2 cuArray3DGetDescriptor
#define cuTexRefSetAddress_v2 cuTexRefSetAddress
#define cuTexRefGetAddress_v2 cuTexRefGetAddress
#define cuGraphicsResourceGetMappedPointer_v2 cuGraphicsResourceGetMappedPointer
#define cuCtxDestroy_v2 cuCtxDestroy
#define cuCtxPopCurrent_v2 cuCtxPopCurrent
#define cuCtxPushCurrent_v2 cuCtxPushCurrent
#define cuStreamDestroy_v2 cuStreamDestroy
#define cuEventDestroy_v2 cuEventDestroy
#define cuTexRefSetAddress2D_v3 cuTexRefSetAddress2D
#define cuLinkCreate_v2 cuLinkCreate
#define cuLinkAddData_v2 cuLinkAddData
#define cuLinkAddFile_v2 cuLinkAddFile
#define cuMemHostRegister_v2 cuMemHostRegister
#define cuGraphicsResourceSetMapFlags_v2 cuGraphicsResourceSetMapFlags
#define cuStreamBeginCapture_v2 cuStreamBeginCapture
#define cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease
#define cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxReset
#define cuDevicePrimaryCtxSetFlags_v2 cuDevicePrimaryCtxSetFlags
#define cuDeviceGetUuid_v2 cuDeviceGetUuid
#define cuIpcOpenMemHandle_v2 cuIpcOpenMemHandle
#define cuGraphExecUpdate_v2 cuGraphExecUpdate
#define cuGetProcAddress_v2 cuGetProcAddress
#define cuGraphAddKernelNode_v2 cuGraphAddKernelNode
#define cuGraphKernelNodeGetParams_v2 cuGraphKernelNodeGetParams
#define cuGraphKernelNodeSetParams_v2 cuGraphKernelNodeSetParams
#define cuGraphExecKernelNodeSetParams_v2 cuGraphExecKernelNodeSetParams
#define cuGraphGetEdges_v2 cuGraphGetEdges
#define cuGraphNodeGetDependencies_v2 cuGraphNodeGetDependencies
#define cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetDependentNodes
#define cuGraphAddDependencies_v2 cuGraphAddDependencies
#define cuGraphRemoveDependencies_v2 cuGraphRemoveDependencies
#define cuGraphAddNode_v2 cuGraphAddNode
#define cuEventElapsedTime_v2 cuEventElapsedTime
#define cuStreamWriteValue32_v2 cuStreamWriteValue32
#define cuStreamWaitValue32_v2 cuStreamWaitValue32
#define cuStreamWriteValue64_v2 cuStreamWriteValue64
#define cuStreamWaitValue64_v2 cuStreamWaitValue64
#define cuStreamBatchMemOp_v2 cuStreamBatchMemOp
#define cuStreamGetCaptureInfo_v3 cuStreamGetCaptureInfo
#define cuStreamUpdateCaptureDependencies_v2 cuStreamUpdateCaptureDependencies
#endif
