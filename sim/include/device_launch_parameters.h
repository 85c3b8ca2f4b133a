/* device_launch_parameters.h - threadIdx, blockIdx, blockDim, gridDim and warpSize, for programs that ask for them by
 * this header; cuda_runtime.h has them. */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#ifdef __cplusplus
#include "cuda_runtime.h"
#else
#include "vector_types.h"
#endif
#endif
