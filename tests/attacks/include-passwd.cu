// ex43 compile error: No such file|Permission denied
// also with Landlock
// Includes a file of the host, to see it in the compiler's messages.
#include "ex43.h"
#include "/etc/passwd"
void asyncPipeline(const float *, float *, float *, float *) {}
