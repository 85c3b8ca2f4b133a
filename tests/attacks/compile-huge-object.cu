// ex43 compile error|over limit: .
// An object file of 16 GiB.
#include "ex43.h"
__asm__(".section .data\n.globl big\nbig: .fill 2147483647, 8, 0x41\n.previous");
void asyncPipeline(const float *, float *, float *, float *) {}
