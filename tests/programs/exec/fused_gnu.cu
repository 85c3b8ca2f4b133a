// flags: -fmad=true -DWANTED=1
// compiler: g++
// out: fused, 
// out: , 0 0
// not: not fused
#include "fused.h"
