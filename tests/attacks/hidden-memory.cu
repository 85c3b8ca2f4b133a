// ex43 over limit|crashed: with hidden parameters
// never: MiB of memory|KiB and was
// A hidden run that takes all the memory, or prints without end: which, says what the parameter is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ex43.h"
void asyncPipeline(const float *, float *, float *, float *)
{
    while (BATCHES == 3 || BATCHES == 5) memset(malloc(1 << 24), 1, 1 << 24);
    while (BATCHES > 5) puts("and so on");
}
