/* host_defines.h - real programs include it for __device__ and its kin. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__
#ifdef __cplusplus
#include "threelane/kernel.h"
#endif
#endif
