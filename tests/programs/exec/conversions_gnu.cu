// out: no error, 0 of 29 are not
// not: does not fit
// compiler: g++
#include "conversions.h"
