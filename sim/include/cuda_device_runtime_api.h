/* cuda_device_runtime_api.h - real programs include it; kernels that launch kernels are not simulated. */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "cuda_runtime_api.h"
#endif
