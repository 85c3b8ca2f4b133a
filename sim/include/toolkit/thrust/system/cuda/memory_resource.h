/* Thrust has a function of its own by the name of a call, which is a macro here (threelane/api.h). */
#include <cuda_runtime.h>
#pragma push_macro("cudaMallocManaged")
#undef cudaMallocManaged
#include_next <thrust/system/cuda/memory_resource.h>
#pragma pop_macro("cudaMallocManaged")
