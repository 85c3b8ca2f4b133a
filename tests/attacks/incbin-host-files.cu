// ex43 compile error: .
// also with Landlock
// Takes files of the host into the program with the assembler.
#include "ex43.h"
__asm__(".section .rodata\n.globl stolen\nstolen: .incbin \"/etc/shadow\"\n.incbin \"golden.txt\"\n.previous");
void asyncPipeline(const float *, float *, float *, float *) {}
