// ex43 compile error: does not compile with other parameters
// never: \[[3568]\]
// The same with the size of an array.
#include "ex43.h"
extern int told[4];
int told[BATCHES];
void asyncPipeline(const float *, float *, float *, float *) {}
