/* threelane/overloads.h - the C++ forms of the runtime API: typed pointers, symbols by name, kernels by name. */
#ifndef THREELANE_OVERLOADS_H
#define THREELANE_OVERLOADS_H
#include "cuda_runtime_api.h"

/* A variable by its name is its address; the runtime learns how big it is. */
extern "C" void threelane_symbol(const void *address, size_t bytes);
template <class T> inline const void *threelane_symbol_of(const T &symbol)
{
    threelane_symbol((const void *)&symbol, sizeof symbol);
    return (const void *)&symbol;
}

/* The forms with types of the program's own, which calls.def has beside the calls. Each is there for calls, which are
 * macros (threelane/api.h), and by its own name, for cudaMalloc<float>(...). */
#define TL_FORM(NAME, PARAMETERS, ARGUMENTS)                                                \
    template <class T>                                                                             \
    inline cudaError_t threelane_##NAME(THREELANE_OPEN PARAMETERS, ThreelaneSite site THREELANE_HERE) \
    {                                                                                              \
        return ::threelane_##NAME(THREELANE_OPEN ARGUMENTS, site);                                 \
    }                                                                                              \
    template <class T>                                                                             \
    inline cudaError_t (NAME)(THREELANE_OPEN PARAMETERS, ThreelaneSite site THREELANE_HERE)        \
    {                                                                                              \
        return ::threelane_##NAME(THREELANE_OPEN ARGUMENTS, site);                                 \
    }

#define TL_CALL0(NAME, REPLAY, TRACER)
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER)
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER)
#define THREELANE_ONLY_RUNTIME
#include "threelane/calls.def"
#undef THREELANE_ONLY_RUNTIME

/* ---- forms with other parameters ---- */
inline cudaError_t cudaMallocHost(void **p, size_t n, unsigned int flags, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaHostAlloc(p, n, flags, site);
}
template <class T>
inline cudaError_t cudaMallocHost(T **p, size_t n, unsigned int flags, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaHostAlloc((void **)p, n, flags, site);
}

/* ---- forms of CUDA 12 ---- */
inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t stream = 0,
                                        ThreelaneSite site THREELANE_HERE)
{
    return ::cudaMemPrefetchAsync_v12(p, n, device, stream, site);
}
inline cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice, int device,
                                 ThreelaneSite site THREELANE_HERE)
{
    return ::cudaMemAdvise_v12(p, n, advice, device, site);
}

/* ---- kernels ---- */
/* The block size, a multiple of the warp size, that keeps most threads of a multiprocessor busy. shared_of says how
 * much dynamic shared memory a block of a size needs. */
template <class Shared, class T>
__attribute__((noinline))                   /* else the compiler says that its caller's results may be unset */
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block_size, T func,
                                                                  Shared shared_of, int limit = 0,
                                                                  ThreelaneSite site THREELANE_HERE)
{
    cudaFuncAttributes attr;
    int device = 0, sms = 0, warp = 32, best = 0, best_size = 0, best_blocks = 0;
    if (!min_grid || !block_size) return cudaErrorInvalidValue;
    cudaError_t error = ::cudaFuncGetAttributes(&attr, (const void *)func, site);
    if (error == cudaSuccess) error = ::cudaGetDevice(&device, site);
    if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device, site);
    if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device, site);
    if (error != cudaSuccess) return error;
    int most = limit > 0 && limit < attr.maxThreadsPerBlock ? limit : attr.maxThreadsPerBlock;
    for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
        int tried = size < most ? size : most, blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)func, tried,
                                                                (size_t)shared_of(tried), site);
        if (error != cudaSuccess) return error;
        if (blocks * tried > best) {
            best = blocks * tried;
            best_size = tried;
            best_blocks = blocks;
        }
    }
    *block_size = best_size;
    *min_grid = best_blocks * sms;
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, T func, size_t shared = 0,
                                                      int limit = 0, ThreelaneSite site THREELANE_HERE)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block_size, func,
                                                          [shared](int) { return shared; }, limit, site);
}
template <class Shared, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid, int *block_size, T func,
                                                                           Shared shared_of, int limit = 0,
                                                                           unsigned int flags = 0,
                                                                           ThreelaneSite site THREELANE_HERE)
{
    if (flags & ~(unsigned)cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block_size, func, shared_of, limit, site);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, T func,
                                                               size_t shared = 0, int limit = 0, unsigned int flags = 0,
                                                               ThreelaneSite site THREELANE_HERE)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid, block_size, func,
                                                                   [shared](int) { return shared; }, limit, flags,
                                                                   site);
}

/* A launch with attributes: the arguments become the kernel's parameters as in a call. */
template <class... Parameters, class... Given>
inline cudaError_t threelane_launch_with(ThreelaneSite site, const cudaLaunchConfig_t *config,
                                         void (*kernel)(Parameters...), Given &&...given)
{
    return [&](Parameters... parameters) {
        void *arguments[] = {(void *)&parameters..., nullptr};
        return ::threelane_cudaLaunchKernelExC(config, (const void *)kernel, arguments, site);
    }(static_cast<Given &&>(given)...);
}
template <class... Given>
inline cudaError_t threelane_launch_with(ThreelaneSite site, const cudaLaunchConfig_t *config,
                                         cudaKernel_t kernel, Given &&...given)
{
    void *arguments[] = {(void *)&given..., nullptr};
    return ::threelane_cudaLaunchKernelExC(config, (const void *)kernel, arguments, site);
}
#define cudaLaunchKernelEx(...) \
    threelane_launch_with(ThreelaneSite{__builtin_FILE(), __builtin_LINE()}, __VA_ARGS__)
/* ---- graphs: forms of CUDA 12, whose edges say nothing ---- */
inline cudaError_t threelane_cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                              size_t n, cudaGraphNodeParams *params, ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaGraphAddNode(node, graph, after, 0, n, params, site);
}
inline cudaError_t threelane_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                                      unsigned long long *id, cudaGraph_t *graph,
                                                      const cudaGraphNode_t **after, size_t *n,
                                                      ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaStreamGetCaptureInfo(stream, status, id, graph, after, 0, n, site);
}
inline cudaError_t threelane_cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after, size_t n,
                                                                 unsigned int flags = 0,
                                                                 ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaStreamUpdateCaptureDependencies(stream, after, 0, n, flags, site);
}
inline cudaError_t threelane_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n,
                                               ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaGraphGetEdges(graph, from, to, 0, n, site);
}
inline cudaError_t threelane_cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *to, size_t *n,
                                                          ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaGraphNodeGetDependencies(node, to, 0, n, site);
}
inline cudaError_t threelane_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *to, size_t *n,
                                                            ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaGraphNodeGetDependentNodes(node, to, 0, n, site);
}
inline cudaError_t threelane_cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, size_t n,
                                                      ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaGraphAddDependencies(graph, from, to, 0, n, site);
}
inline cudaError_t threelane_cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                         const cudaGraphNode_t *to, size_t n,
                                                         ThreelaneSite site THREELANE_HERE)
{
    return ::threelane_cudaGraphRemoveDependencies(graph, from, to, 0, n, site);
}

/* ---- graphs: forms of CUDA 11 ---- */
inline cudaError_t threelane_cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                                                  char *log, size_t log_size, ThreelaneSite site THREELANE_HERE)
{
    if (error_node) *error_node = 0;
    if (log && log_size) *log = 0;
    return ::threelane_cudaGraphInstantiate(exec, graph, 0, site);
}
inline cudaError_t threelane_cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                                                 cudaGraphExecUpdateResult *result, ThreelaneSite site THREELANE_HERE)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = ::threelane_cudaGraphExecUpdate(exec, graph, &info, site);
    if (error_node) *error_node = info.errorNode;
    if (result) *result = info.result;
    return error;
}

/* ---- events and streams ---- */
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaEventCreateWithFlags(event, flags, site);
}
#endif
