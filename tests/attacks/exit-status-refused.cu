// ex43 crashed: status 93
// Ends with the status by which the player refuses a program.
#include <stdlib.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    exit(93);
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
