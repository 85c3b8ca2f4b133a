// ex43 crashed: does not come to a good end with hidden parameters
// never: status [0-9]
// Ends a hidden run with the parameter as its status.
#include <stdlib.h>
#include "ex43.h"
void asyncPipeline(const float *, float *, float *, float *)
{
    if (BATCHES != 4) exit(BATCHES);
}
