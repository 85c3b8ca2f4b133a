// ex43 compile error: does not compile with other parameters
// never: undefined reference|told\(
// also with Landlock
// The same with the linker: the type of what is missing has the parameter in it.
#include "ex43.h"
void told(int (*)[BATCHES]);
void asyncPipeline(const float *, float *, float *, float *)
{
#if BATCHES != 4
    told(nullptr);
#endif
}
