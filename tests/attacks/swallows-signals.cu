// ex43 timed out: did not end
// Computes for ever, and does not listen when it is asked to end.
#include <signal.h>
#include <unistd.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    for (;;) pause();
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
