// ex43 fail|crashed|compile error: .
// Asks to be started by another program: a section .interp of its own.
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

__attribute__((section(".interp"), used)) static const char interpreter[] = "/tmp/evil";
void asyncPipeline(const float *, float *, float *, float *) {}
