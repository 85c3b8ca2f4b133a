// ex43 compile error: .
// Takes a file of the host into the program with #embed and with the assembler's .include.
#include "ex43.h"
static const unsigned char stolen[] = {
#embed "/etc/passwd"
};
__asm__(".include \"/etc/passwd\"");
void asyncPipeline(const float *, float *, float *, float *) {}
