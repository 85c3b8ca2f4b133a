/* cuComplex.h - complex numbers as pairs, for host and device code, C and C++. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_
#include <math.h>
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* C: the pair, T: its parts. Quotients and lengths are scaled, so that nothing overflows on the way. */
#define THREELANE_COMPLEX(C, T, MAKE, F, ABS, SQRT)                                                \
    static inline C MAKE(T real, T imaginary) { C z; z.x = real; z.y = imaginary; return z; }      \
    static inline T cuCreal##F(C z) { return z.x; }                                                \
    static inline T cuCimag##F(C z) { return z.y; }                                                \
    static inline C cuConj##F(C z) { return MAKE(z.x, -z.y); }                                     \
    static inline C cuCadd##F(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); }                     \
    static inline C cuCsub##F(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); }                     \
    static inline C cuCmul##F(C a, C b) { return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
    static inline C cuCdiv##F(C a, C b)                                                            \
    {                                                                                              \
        T scale = ABS(b.x) + ABS(b.y);                                                             \
        T ax = a.x / scale, ay = a.y / scale, bx = b.x / scale, by = b.y / scale;                  \
        T square = bx * bx + by * by;                                                              \
        return MAKE((ax * bx + ay * by) / square, (ay * bx - ax * by) / square);                   \
    }                                                                                              \
    static inline T cuCabs##F(C z)                                                                 \
    {                                                                                              \
        T a = ABS(z.x), b = ABS(z.y), large = a > b ? a : b, small = a > b ? b : a;                \
        if (large == 0 || isinf(large)) return large;                                              \
        return large * SQRT(1 + small / large * (small / large));                                  \
    }                                                                                              \
    static inline C cuCfma##F(C a, C b, C c)                                                       \
    {                                                                                              \
        return MAKE(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);                     \
    }
THREELANE_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, fabsf, sqrtf)
THREELANE_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , fabs, sqrt)
#undef THREELANE_COMPLEX

static inline cuComplex make_cuComplex(float real, float imaginary) { return make_cuFloatComplex(real, imaginary); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#endif
