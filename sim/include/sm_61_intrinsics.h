/* sm_61_intrinsics.h - real programs include it; everything is in threelane/device.h. */
#ifndef __SM_61_INTRINSICS_H__
#define __SM_61_INTRINSICS_H__
#ifdef __cplusplus
#include "threelane/device.h"
#endif
#endif
