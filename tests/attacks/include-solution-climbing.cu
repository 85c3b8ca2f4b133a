// ex43 compile error: No such file|Permission denied
// Includes the solution by a path that climbs.
#include "ex43.h"
#include "../exercises/ex43-overlap/solution.cu"
