/* device_double_functions.h - real programs include it; everything is in threelane/device.h. */
#ifndef __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#ifdef __cplusplus
#include "threelane/device.h"
#endif
#endif
