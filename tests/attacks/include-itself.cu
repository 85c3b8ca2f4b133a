// ex43 timed out|over limit|compile error: did not come to an end|nested too deeply|recursi|too deep|needed too
// Includes itself, twice.
#include "ex43.h"
#include __FILE__
#include __FILE__
void asyncPipeline(const float *, float *, float *, float *) {}
