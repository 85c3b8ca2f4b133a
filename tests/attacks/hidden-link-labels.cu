// ex43 compile error: does not compile with other parameters
// never: told_[0-9]
// The same with a label of the assembler's.
#include "ex43.h"
#define TEXT_OF(X) #X
#define TEXT(X) TEXT_OF(X)
void asyncPipeline(const float *, float *, float *, float *)
{
#if BATCHES != 4
    __asm__ volatile("call told_" TEXT(BATCHES));
#endif
}
