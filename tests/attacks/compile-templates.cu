// ex43 timed out|over limit|compile error: .
// A template that needs two of itself, a thousand deep.
#include "ex43.h"
template <int N, int M> struct Tree { enum { value = Tree<N - 1, 2 * M>::value + Tree<N - 1, 2 * M + 1>::value }; };
template <int M> struct Tree<0, M> { enum { value = M }; };
int leaves = Tree<28, 1>::value;
void asyncPipeline(const float *, float *, float *, float *) {}
