// ex43 crashed: does not come to a good end with hidden parameters
// never: TOLD-[0-9]
// also with Landlock
// Prints the parameter of a hidden run, and ends so that what was printed is of interest.
#include <stdio.h>
#include <stdlib.h>
#include "ex43.h"
void asyncPipeline(const float *, float *, float *, float *)
{
    if (BATCHES == 4) return;
    printf("TOLD-%d\n", BATCHES);
    fprintf(stderr, "TOLD-%d\n", BATCHES);
    fflush(nullptr);
    abort();
}
