// flags: -fmad=false -DWANTED=0
// out: not fused, 0 0
#include "fused.h"
