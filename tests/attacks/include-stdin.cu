// ex43 compile error: .
// Includes the compiler's own input: nobody is there to type.
#include "ex43.h"
#include "/dev/stdin"
#include "/dev/fd/0"
int stdin_was_empty = ;
void asyncPipeline(const float *, float *, float *, float *) {}
