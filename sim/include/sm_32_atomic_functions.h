/* sm_32_atomic_functions.h - real programs include it; everything is in threelane/device.h. */
#ifndef __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#ifdef __cplusplus
#include "threelane/device.h"
#endif
#endif
