// ex43 compile error|timed out: .
// A constant that takes for ever to compute.
#include "ex43.h"
constexpr unsigned forever(unsigned n)
{
    while (n != 1) n += 2;
    return n;
}
template <unsigned N> struct Chain { static constexpr unsigned value = Chain<N - 1>::value ^ forever(2 * N); };
template <> struct Chain<0> { static constexpr unsigned value = 1; };
unsigned chained = Chain<10>::value;
void asyncPipeline(const float *, float *, float *, float *) {}
