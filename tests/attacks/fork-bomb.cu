// ex43 timed out|over limit|fail|crashed: .
// also with Landlock
// alone
// Forks until nothing goes any more, and every child does the same.
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (;;) if (fork() < 0) for (int i = 0; i < 1000; i++) (void)!getppid();
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
