// ex43 crashed|timed out|over limit: .
// The same, and does not listen when it is told that the file has become too large.
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "ex43.h"

__attribute__((constructor)) static void fill()
{
    static char bytes[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGXCPU, SIG_IGN);
    memset(bytes, '\n', sizeof bytes);
    for (int i = 0; i < 300; i++) (void)!write(4, bytes, sizeof bytes);
    _exit(0);
}
void asyncPipeline(const float *, float *, float *, float *) {}
