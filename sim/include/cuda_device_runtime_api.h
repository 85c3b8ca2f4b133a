/* cuda_device_runtime_api.h - what device code may call of the runtime is declared with it (sim/nested). */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "cuda_runtime_api.h"
#endif
