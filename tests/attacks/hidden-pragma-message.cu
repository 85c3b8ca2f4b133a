// ex43 compile error: does not compile with other parameters
// never: TOLD-[0-9]|pragma message:
// The same with a message that is no error, and an error after it.
#include "ex43.h"
#define TEXT_OF(X) #X
#define TEXT(X) TEXT_OF(X)
_Pragma(TEXT(message("TOLD-" TEXT(BATCHES))))
#if BATCHES != 4
int x = nothing;
#endif
void asyncPipeline(const float *, float *, float *, float *) {}
