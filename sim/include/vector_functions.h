/* vector_functions.h - make_float4 and its kin. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#include "vector_types.h"

#define THREELANE_MAKE static inline __attribute__((always_inline, unused))
#define THREELANE_MAKE_VECTORS(T, NAME)                                                           \
    THREELANE_MAKE NAME##1 make_##NAME##1(T x) { NAME##1 v = {x}; return v; }                     \
    THREELANE_MAKE NAME##2 make_##NAME##2(T x, T y) { NAME##2 v = {x, y}; return v; }             \
    THREELANE_MAKE NAME##3 make_##NAME##3(T x, T y, T z) { NAME##3 v = {x, y, z}; return v; }     \
    THREELANE_MAKE NAME##4 make_##NAME##4(T x, T y, T z, T w) { NAME##4 v = {x, y, z, w}; return v; }

THREELANE_MAKE_VECTORS(signed char, char)
THREELANE_MAKE_VECTORS(unsigned char, uchar)
THREELANE_MAKE_VECTORS(short, short)
THREELANE_MAKE_VECTORS(unsigned short, ushort)
THREELANE_MAKE_VECTORS(int, int)
THREELANE_MAKE_VECTORS(unsigned int, uint)
THREELANE_MAKE_VECTORS(long, long)
THREELANE_MAKE_VECTORS(unsigned long, ulong)
THREELANE_MAKE_VECTORS(long long, longlong)
THREELANE_MAKE_VECTORS(unsigned long long, ulonglong)
THREELANE_MAKE_VECTORS(float, float)
THREELANE_MAKE_VECTORS(double, double)
#undef THREELANE_MAKE_VECTORS

#define THREELANE_MAKE_ALIGNED(T, NAME) \
    THREELANE_MAKE NAME make_##NAME(T x, T y, T z, T w) { NAME v = {x, y, z, w}; return v; }

THREELANE_MAKE_ALIGNED(long, long4_16a)
THREELANE_MAKE_ALIGNED(long, long4_32a)
THREELANE_MAKE_ALIGNED(unsigned long, ulong4_16a)
THREELANE_MAKE_ALIGNED(unsigned long, ulong4_32a)
THREELANE_MAKE_ALIGNED(long long, longlong4_16a)
THREELANE_MAKE_ALIGNED(long long, longlong4_32a)
THREELANE_MAKE_ALIGNED(unsigned long long, ulonglong4_16a)
THREELANE_MAKE_ALIGNED(unsigned long long, ulonglong4_32a)
THREELANE_MAKE_ALIGNED(double, double4_16a)
THREELANE_MAKE_ALIGNED(double, double4_32a)
#undef THREELANE_MAKE_ALIGNED
#undef THREELANE_MAKE
#endif
