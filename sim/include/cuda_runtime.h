/* cuda_runtime.h - the CUDA runtime API, its C++ conveniences, and (in C++) what kernels need.
 *
 * nvcc includes this before the first line of every program, and with it the few C functions that programs then use
 * without including anything: memset, malloc, exit, atoi, clock.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#ifdef __CUDACC__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    struct cudaPitchedPtr v = {d, p, xsz, ysz};
    return v;
}
static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent v = {w, h, d};
    return v;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos v = {x, y, z};
    return v;
}

#ifdef __cplusplus
#include "threelane/device.h"
#include "threelane/assembler.h"
#include "threelane/kernel.h"
#include "threelane/cluster.h"
#include "threelane/overloads.h"
#else
#include <math.h>
#endif
#endif
