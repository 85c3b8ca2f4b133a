/* CUB asks a kernel for which architecture it was compiled, and takes its parameters for that one: it must be the one that
 * the kernels were written for, whatever the virtual device is. */
#ifndef THREELANE_CUB_UTIL_DEVICE
#define THREELANE_CUB_UTIL_DEVICE
#include <cuda_runtime.h>
#include <nv/target>
namespace tl {
inline cudaError_t attributes_as_compiled(cudaFuncAttributes *about, const void *kernel)
{
    const cudaError_t error = cudaFuncGetAttributes(about, kernel);
    if (error == cudaSuccess) about->ptxVersion = TL_ARCH / 10;
    return error;
}
}
#pragma push_macro("cudaFuncGetAttributes")
#undef cudaFuncGetAttributes
#define cudaFuncGetAttributes(ABOUT, KERNEL) ::tl::attributes_as_compiled(ABOUT, KERNEL)
#define __builtin_current_device_sm() TL_ARCH
#include_next <cub/util_device.cuh>
#pragma pop_macro("cudaFuncGetAttributes")
#endif
