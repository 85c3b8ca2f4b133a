/* cooperative_groups/scan.h - programs include it by itself; everything is in cooperative_groups.h. */
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_
#include "../cooperative_groups.h"
#endif
