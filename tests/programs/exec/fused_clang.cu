// flags: -fmad=true -DWANTED=1
// compiler: clang++
// out: fused, 
// out: , 0 0
// not: not fused
#include "fused.h"
