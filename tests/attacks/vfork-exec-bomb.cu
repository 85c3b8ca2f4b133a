// ex43 fail|timed out|over limit|crashed: .
// Starts itself again and again.
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

__attribute__((constructor)) static void again()
{
    char *words[] = {(char *)"/proc/self/exe", nullptr};
    for (int i = 0; i < 3; i++) if (fork() == 0) execv(words[0], words);
}
void asyncPipeline(const float *, float *, float *, float *) {}
