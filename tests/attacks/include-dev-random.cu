// ex43 compile error|over limit|timed out: .
// Includes a file without an end that is not even text.
#include "ex43.h"
#include "/dev/urandom"
void asyncPipeline(const float *, float *, float *, float *) {}
