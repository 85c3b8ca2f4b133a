/* threelane/std.h - what nvcc's own headers bring of the C++ library: std::min, max, swap, move, pair, numeric_limits.
 * tlcc includes it for programs that mention std::, and <cmath> for those that mention its functions. */
#ifndef THREELANE_STD_H
#define THREELANE_STD_H
#include <limits>
#include <utility>
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#endif
#endif
