// ex43 compile error: No such file
// Includes the solution.
#include "ex43.h"
#include "solution.cu"
