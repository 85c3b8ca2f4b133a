// ex43 compile error: does not compile with other parameters
// never: error: #error
// The same with a directive for each value.
#include "ex43.h"
#if BATCHES == 3
#error three
#elif BATCHES == 5
#error five
#elif BATCHES == 6
#error six
#elif BATCHES == 8
#error eight
#endif
void asyncPipeline(const float *, float *, float *, float *) {}
