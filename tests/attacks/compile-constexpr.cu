// ex43 timed out|over limit|compile error: .
// A constant that takes for ever to compute.
#include "ex43.h"
#pragma GCC optimize("O0")
constexpr unsigned spin(unsigned n) { unsigned x = n; for (unsigned i = 0; i < 200000; i++) x = x * 1664525 + 1013904223; return x; }
template <unsigned N> struct Chain { static constexpr unsigned value = Chain<N - 1>::value ^ spin(N); };
template <> struct Chain<0> { static constexpr unsigned value = 1; };
static_assert(Chain<800>::value != 12345, "");
void asyncPipeline(const float *, float *, float *, float *) {}
