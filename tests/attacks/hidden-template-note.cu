// ex43 compile error: does not compile with other parameters
// never: Told<[0-9]
// The same with the name of a class that is not there.
#include "ex43.h"
template <int N> struct Told;
#if BATCHES != 4
Told<BATCHES> told;
#endif
void asyncPipeline(const float *, float *, float *, float *) {}
