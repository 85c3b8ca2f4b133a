// ex43 fail|timed out|over limit|crashed: .
// also with Landlock
// alone
// Starts itself again and again.
#include <unistd.h>
#include "ex43.h"

__attribute__((constructor)) static void again()
{
    char *words[] = {(char *)"/proc/self/exe", nullptr};
    for (int i = 0; i < 3; i++) if (fork() == 0) execv(words[0], words);
}
void asyncPipeline(const float *, float *, float *, float *) {}
