// ex43 compile error: KiB of messages are left out
// A million messages of the compiler.
#include "ex43.h"
#define A(x) x x x x x x x x x x
#define W A(A(A(A(static int *p = 1.5;))))
#pragma GCC diagnostic error "-Wall"
W
void asyncPipeline(const float *, float *, float *, float *) {}
