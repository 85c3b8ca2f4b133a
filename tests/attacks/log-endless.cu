// ex43 over limit: .
// Writes into the log until the disk is full.
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

__attribute__((constructor)) static void fill()
{
    static char bytes[1 << 20];
    memset(bytes, '1', sizeof bytes);
    for (;;) (void)!write(4, bytes, sizeof bytes);
}
void asyncPipeline(const float *, float *, float *, float *) {}
