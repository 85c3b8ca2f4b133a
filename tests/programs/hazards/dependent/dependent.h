// A launch that need not wait for the end of the kernel before it in the stream.
#include "../hazards.h"

template <class... P, class... A> static void early(cudaStream_t s, void (*kernel)(P...), A... a)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(256);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, P(a)...);
}
__device__ static int rank() { return (int)(blockIdx.x * blockDim.x + threadIdx.x); }
