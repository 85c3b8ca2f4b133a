// ex43 timed out|over limit|compile error: with hidden parameters|with other parameters
// never: Told<|recursive
// A compiler that finds no end in a hidden run.
#include "ex43.h"
#if BATCHES != 4
template <int N, int M> struct Told { static constexpr int value = Told<N + 1, M>::value + Told<N + 2, M>::value; };
int told = Told<BATCHES, 0>::value;
#endif
void asyncPipeline(const float *, float *, float *, float *) {}
