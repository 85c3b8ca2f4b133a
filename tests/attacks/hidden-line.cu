// ex43 crashed: does not come to a good end with hidden parameters
// never: ex43.cu:[0-9]+: |null pointer
// A hidden run is stopped in a line that says what the parameter is.
#include "ex43.h"
static void told(int n)
{
    volatile int *nowhere = nullptr;
    if (n == 3) *nowhere = 3;
    if (n == 5) *nowhere = 5;
    if (n == 6) *nowhere = 6;
    if (n == 8) *nowhere = 8;
}
void asyncPipeline(const float *, float *, float *, float *) { told(BATCHES); }
