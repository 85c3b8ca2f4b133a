// ex43 fail|crashed|compile error: .
// Asks to be started by another program: a section .interp of its own.
#include "ex43.h"

__attribute__((section(".interp"), used)) static const char interpreter[] = "/tmp/evil";
void asyncPipeline(const float *, float *, float *, float *) {}
