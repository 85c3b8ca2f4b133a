// ex43 crashed|compile error: .
// A program that cannot be started: its stack shall be 1 TiB, its segments lie at 0.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ex43.h"

__asm__(".section .note.gnu.property,\"a\"\n.long 4, 0xfffffff0, 5\n.asciz \"GNU\"\n.previous\n.section .init_array,\"aw\"\n.quad 1\n.previous");
void asyncPipeline(const float *, float *, float *, float *) {}
