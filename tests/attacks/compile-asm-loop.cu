// ex43 timed out|over limit|compile error: .
// The assembler is told to repeat itself ten thousand million times.
#include "ex43.h"
__asm__(".macro again n\n.rept 1000\n.byte 1\n.endr\n.if \\n\nagain (\\n-1)\nagain (\\n-1)\n.endif\n.endm\nagain 30");
void asyncPipeline(const float *, float *, float *, float *) {}
