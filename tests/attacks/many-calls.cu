// ex43 over limit: more than
// A million calls: a log that is too long.
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

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < 1000000; i++) cudaGetLastError();
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
