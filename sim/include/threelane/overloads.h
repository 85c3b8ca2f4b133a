/* threelane/overloads.h - the C++ forms of the runtime API: typed pointers, symbols by name, kernels by name. */
#ifndef THREELANE_OVERLOADS_H
#define THREELANE_OVERLOADS_H
#include "cuda_runtime_api.h"

/* ---- typed pointers ---- */
template <class T> inline cudaError_t cudaMalloc(T **p, size_t n, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaMalloc((void **)p, n, site);
}
template <class T>
inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaMallocPitch((void **)p, pitch, w, h, site);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **p, size_t n, unsigned int flags = cudaMemAttachGlobal,
                                     ThreelaneSite site THREELANE_HERE)
{
    return ::cudaMallocManaged((void **)p, n, flags, site);
}
inline cudaError_t cudaMallocHost(void **p, size_t n, unsigned int flags, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaHostAlloc(p, n, flags, site);
}
template <class T> inline cudaError_t cudaMallocHost(T **p, size_t n, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaMallocHost((void **)p, n, site);
}
template <class T>
inline cudaError_t cudaMallocHost(T **p, size_t n, unsigned int flags, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaHostAlloc((void **)p, n, flags, site);
}
template <class T>
inline cudaError_t cudaHostAlloc(T **p, size_t n, unsigned int flags, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaHostAlloc((void **)p, n, flags, site);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags,
                                            ThreelaneSite site THREELANE_HERE)
{
    return ::cudaHostGetDevicePointer((void **)device, host, flags, site);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t stream, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaMallocAsync((void **)p, n, stream, site);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t length = 0,
                                            unsigned int flags = cudaMemAttachSingle,
                                            ThreelaneSite site THREELANE_HERE)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)p, length, flags, site);
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

/* ---- symbols: a __device__ or __constant__ variable by its name ---- */
extern "C" void threelane_symbol(const void *address, size_t bytes);

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                      ThreelaneSite site THREELANE_HERE)
{
    threelane_symbol((const void *)&symbol, sizeof symbol);
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, n, offset, kind, site);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t stream = 0,
                                           ThreelaneSite site THREELANE_HERE)
{
    threelane_symbol((const void *)&symbol, sizeof symbol);
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, n, offset, kind, stream, site);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                        ThreelaneSite site THREELANE_HERE)
{
    threelane_symbol((const void *)&symbol, sizeof symbol);
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, n, offset, kind, site);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n, size_t offset, cudaMemcpyKind kind,
                                             cudaStream_t stream = 0, ThreelaneSite site THREELANE_HERE)
{
    threelane_symbol((const void *)&symbol, sizeof symbol);
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, n, offset, kind, stream, site);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol, ThreelaneSite site THREELANE_HERE)
{
    threelane_symbol((const void *)&symbol, sizeof symbol);
    return ::cudaGetSymbolAddress(p, (const void *)&symbol, site);
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol, ThreelaneSite site THREELANE_HERE)
{
    threelane_symbol((const void *)&symbol, sizeof symbol);
    return ::cudaGetSymbolSize(n, (const void *)&symbol, site);
}

/* ---- kernels ---- */
template <class T>
inline cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                    cudaStream_t stream = 0, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaLaunchKernel((const void *)func, grid, block, args, shared, stream, site);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, T *func, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaFuncGetAttributes(attr, (const void *)func, site);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value,
                                        ThreelaneSite site THREELANE_HERE)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value, site);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache config, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaFuncSetCacheConfig((const void *)func, config, site);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int size, size_t shared,
                                                                 ThreelaneSite site THREELANE_HERE)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, size, shared, site);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T func, int size,
                                                                          size_t shared, unsigned int flags,
                                                                          ThreelaneSite site THREELANE_HERE)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func, size, shared, flags,
                                                                    site);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *func, int blocks, int size,
                                                             ThreelaneSite site THREELANE_HERE)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)func, blocks, size, site);
}

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
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, T func,
                                                               size_t shared = 0, int limit = 0, unsigned int = 0,
                                                               ThreelaneSite site THREELANE_HERE)
{
    return cudaOccupancyMaxPotentialBlockSize(min_grid, block_size, func, shared, limit, site);
}

/* ---- events and streams ---- */
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags, ThreelaneSite site THREELANE_HERE)
{
    return ::cudaEventCreateWithFlags(event, flags, site);
}
#endif
