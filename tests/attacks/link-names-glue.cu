// ex43 compile error: multiple definition
// never: \.threelane|work-|tlcc-|/tmp/cc[A-Za-z0-9]{6}|\.o\.box
// also with Landlock
// The linker names the files between this one and the harness.
#include "ex43.h"
int main() { return 0; }
void asyncPipeline(const float *, float *, float *, float *) {}
