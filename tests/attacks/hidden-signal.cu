// ex43 crashed|timed out: with hidden parameters
// never: signal [0-9]
// Ends a hidden run by a signal that says what the parameter is.
#include <signal.h>
#include "ex43.h"
void asyncPipeline(const float *, float *, float *, float *)
{
    static const int signals[] = {0, SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGUSR1};
    if (BATCHES == 4) return;
    signal(signals[BATCHES], SIG_DFL);
    raise(signals[BATCHES]);
}
