/* driver_functions.h - make_cudaExtent and its kin, which cuda_runtime.h has. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
