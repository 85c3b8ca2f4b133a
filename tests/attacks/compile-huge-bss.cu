// ex43 crashed|compile error|over limit|fail: .
// A variable of 1 TiB.
#include "ex43.h"
char big[1ull << 40];
void asyncPipeline(const float *, float *, float *, float *) {}
