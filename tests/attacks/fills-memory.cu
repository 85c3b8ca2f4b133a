// ex43 over limit|timed out: memory|did not end
// Takes all the memory there is.
#include <stdlib.h>
#include <string.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (;;) {
        char *more = (char *)malloc(64 << 20);
        if (more) memset(more, 1, 64 << 20);
    }
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
