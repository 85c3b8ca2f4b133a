/* cooperative_groups/reduce.h - programs include it by itself; everything is in cooperative_groups.h. */
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_
#include "../cooperative_groups.h"
#endif
