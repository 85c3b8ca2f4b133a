// out: no error, 0 of 29 are not
// not: does not fit
// compiler: clang++
#include "conversions.h"
