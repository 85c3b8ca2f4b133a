// ex43 compile error: multiple definition|main
// Brings its own main function.
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

int main() { puts("All checks passed"); return 0; }
void asyncPipeline(const float *, float *, float *, float *) {}
