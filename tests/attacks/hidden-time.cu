// ex43 timed out: It takes too long with hidden parameters
// never: [0-9] s and was stopped|TOLD
// A hidden run that finds no end, and prints.
#include <stdio.h>
#include "ex43.h"
void asyncPipeline(const float *, float *, float *, float *)
{
    if (BATCHES != 4) printf("TOLD-%d\n", BATCHES);
    fflush(nullptr);
    for (volatile bool on = BATCHES != 4; on;) {}
}
