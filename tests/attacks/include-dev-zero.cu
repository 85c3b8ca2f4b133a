// ex43 compile error|over limit|timed out: .
// Includes a file without an end.
#include "ex43.h"
#include </dev/zero>
void asyncPipeline(const float *, float *, float *, float *) {}
