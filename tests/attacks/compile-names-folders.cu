// ex43 compile error: ex43.h
// never: \.threelane|work-|tlcc-
// also with Landlock
// The compiler names the course's folders.
#include "ex43.h"
int asyncPipeline(const float *, float *, float *, float *) { return __FILE__ / BATCHES; }
