// ex43 compile error: No such file|Permission denied
// Includes the solution.
#include "ex43.h"
#include "solution.cu"
