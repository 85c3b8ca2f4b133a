/* sm_20_intrinsics.h - real programs include it; everything is in threelane/device.h. */
#ifndef __SM_20_INTRINSICS_H__
#define __SM_20_INTRINSICS_H__
#ifdef __cplusplus
#include "threelane/device.h"
#endif
#endif
