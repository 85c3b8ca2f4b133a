// ex43 fail: default stream
// never: TOLD-[0-9]|overflow in|-W[a-z]
// The same with warnings only: it compiles.
#include "ex43.h"
#define TEXT_OF(X) #X
#define TEXT(X) TEXT_OF(X)
#pragma GCC diagnostic warning "-Woverflow"
_Pragma(TEXT(GCC warning TEXT_OF("TOLD-") ))
char told = 1000 * BATCHES;
void asyncPipeline(const float *, float *, float *, float *) {}
