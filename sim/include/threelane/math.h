/* threelane/math.h - mathematics for device code, and the names that nvcc makes visible without an include.
 *
 * <math.h> costs 80 ms of a compilation, so the functions are declared here one by one. The overloads for float are
 * templates: a program that includes <cmath> brings functions of the same name and parameters into scope, which are
 * then preferred and do not clash.
 */
#ifndef THREELANE_MATH_H
#define THREELANE_MATH_H
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS      /* the C library's own: the C++ wrapper costs more */
#include <stdlib.h>
#include <string.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <initializer_list>

namespace tl {
template <class A, class B, class R> struct If {};
template <class A, class R> struct If<A, A, R> { typedef R type; };
}

#define THREELANE_MATH1(NAME)                                                                      \
    extern "C" double NAME(double) noexcept;                                                       \
    extern "C" float NAME##f(float) noexcept;                                                      \
    template <class T> THREELANE_DEVICE typename ::tl::If<T, float, float>::type NAME(T x)         \
    {                                                                                              \
        return NAME##f(x);                                                                         \
    }
#define THREELANE_MATH2(NAME)                                                                      \
    extern "C" double NAME(double, double) noexcept;                                               \
    extern "C" float NAME##f(float, float) noexcept;                                               \
    template <class T, class U>                                                                    \
    THREELANE_DEVICE typename ::tl::If<T, float, typename ::tl::If<U, float, float>::type>::type NAME(T x, U y) \
    {                                                                                              \
        return NAME##f(x, y);                                                                      \
    }
#define THREELANE_MATH1_AS(R, NAME)                                                                \
    extern "C" R NAME(double) noexcept;                                                            \
    extern "C" R NAME##f(float) noexcept;                                                          \
    template <class T> THREELANE_DEVICE typename ::tl::If<T, float, R>::type NAME(T x) { return NAME##f(x); }
#define THREELANE_MATH1_AND(SECOND, NAME)                                                          \
    extern "C" double NAME(double, SECOND) noexcept;                                               \
    extern "C" float NAME##f(float, SECOND) noexcept;                                              \
    template <class T> THREELANE_DEVICE typename ::tl::If<T, float, float>::type NAME(T x, SECOND y) \
    {                                                                                              \
        return NAME##f(x, y);                                                                      \
    }

THREELANE_MATH1(acos) THREELANE_MATH1(acosh) THREELANE_MATH1(asin) THREELANE_MATH1(asinh) THREELANE_MATH1(atan)
THREELANE_MATH1(atanh) THREELANE_MATH1(cbrt) THREELANE_MATH1(ceil) THREELANE_MATH1(cos) THREELANE_MATH1(cosh)
THREELANE_MATH1(erf) THREELANE_MATH1(erfc) THREELANE_MATH1(exp) THREELANE_MATH1(exp2) THREELANE_MATH1(exp10)
THREELANE_MATH1(expm1) THREELANE_MATH1(fabs) THREELANE_MATH1(floor) THREELANE_MATH1(j0) THREELANE_MATH1(j1)
THREELANE_MATH1(lgamma) THREELANE_MATH1(log) THREELANE_MATH1(log10) THREELANE_MATH1(log1p) THREELANE_MATH1(log2)
THREELANE_MATH1(logb) THREELANE_MATH1(nearbyint) THREELANE_MATH1(rint) THREELANE_MATH1(round) THREELANE_MATH1(sin)
THREELANE_MATH1(sinh) THREELANE_MATH1(sqrt) THREELANE_MATH1(tan) THREELANE_MATH1(tanh) THREELANE_MATH1(tgamma)
THREELANE_MATH1(trunc) THREELANE_MATH1(y0) THREELANE_MATH1(y1)
THREELANE_MATH2(atan2) THREELANE_MATH2(copysign) THREELANE_MATH2(fdim) THREELANE_MATH2(fmax) THREELANE_MATH2(fmin)
THREELANE_MATH2(fmod) THREELANE_MATH2(hypot) THREELANE_MATH2(nextafter) THREELANE_MATH2(pow) THREELANE_MATH2(remainder)
THREELANE_MATH1_AS(int, ilogb) THREELANE_MATH1_AS(long, lrint) THREELANE_MATH1_AS(long, lround)
THREELANE_MATH1_AS(long long, llrint) THREELANE_MATH1_AS(long long, llround)
THREELANE_MATH1_AND(int, ldexp) THREELANE_MATH1_AND(int, scalbn) THREELANE_MATH1_AND(long, scalbln)
THREELANE_MATH1_AND(int *, frexp)
#undef THREELANE_MATH1
#undef THREELANE_MATH2
#undef THREELANE_MATH1_AS
#undef THREELANE_MATH1_AND
extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double modf(double, double *) noexcept;
float modff(float, float *) noexcept;
double remquo(double, double, int *) noexcept;
float remquof(float, float, int *) noexcept;
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;
double nan(const char *) noexcept;
float nanf(const char *) noexcept;
}
template <class T> THREELANE_DEVICE typename ::tl::If<T, float, float>::type fma(T x, T y, T z)
{
    return fmaf(x, y, z);
}

/* abs, isnan, ... for the types that the C library's header leaves out */
template <class T> THREELANE_DEVICE typename ::tl::If<T, float, float>::type abs(T x) { return __builtin_fabsf(x); }
template <class T> THREELANE_DEVICE typename ::tl::If<T, double, double>::type abs(T x) { return __builtin_fabs(x); }
template <class T> THREELANE_DEVICE typename ::tl::If<T, long, long>::type abs(T x) { return x < 0 ? -x : x; }
template <class T> THREELANE_DEVICE typename ::tl::If<T, long long, long long>::type abs(T x) { return x < 0 ? -x : x; }
#define TL_BARRIER_TEST(NAME, BUILTIN)                                                              \
    template <class T> THREELANE_DEVICE typename ::tl::If<T, float, bool>::type NAME(T x) { return BUILTIN(x); } \
    template <class T> THREELANE_DEVICE typename ::tl::If<T, double, bool>::type NAME(T x) { return BUILTIN(x); }
TL_BARRIER_TEST(isnan, __builtin_isnan)
TL_BARRIER_TEST(isinf, __builtin_isinf)
TL_BARRIER_TEST(isfinite, __builtin_isfinite)
TL_BARRIER_TEST(signbit, __builtin_signbit)
#undef TL_BARRIER_TEST

/* min and max of all pairs of the types device code uses */
#define THREELANE_MINMAX(R, A, B)                                                                  \
    THREELANE_DEVICE constexpr R min(A x, B y) { return (R)y < (R)x ? (R)y : (R)x; }               \
    THREELANE_DEVICE constexpr R max(A x, B y) { return (R)x < (R)y ? (R)y : (R)x; }
#define THREELANE_MINMAX_INTEGERS(S)                                                               \
    THREELANE_MINMAX(S, S, S)                                                                      \
    THREELANE_MINMAX(unsigned S, unsigned S, unsigned S)                                           \
    THREELANE_MINMAX(unsigned S, S, unsigned S)                                                    \
    THREELANE_MINMAX(unsigned S, unsigned S, S)
THREELANE_MINMAX_INTEGERS(int)
THREELANE_MINMAX_INTEGERS(long)
THREELANE_MINMAX_INTEGERS(long long)
#undef THREELANE_MINMAX_INTEGERS
#undef THREELANE_MINMAX
/* a number that is not one loses against any other */
THREELANE_DEVICE float min(float x, float y) { return __builtin_fminf(x, y); }
THREELANE_DEVICE double min(double x, double y) { return __builtin_fmin(x, y); }
THREELANE_DEVICE double min(float x, double y) { return __builtin_fmin(x, y); }
THREELANE_DEVICE double min(double x, float y) { return __builtin_fmin(x, y); }
THREELANE_DEVICE float max(float x, float y) { return __builtin_fmaxf(x, y); }
THREELANE_DEVICE double max(double x, double y) { return __builtin_fmax(x, y); }
THREELANE_DEVICE double max(float x, double y) { return __builtin_fmax(x, y); }
THREELANE_DEVICE double max(double x, float y) { return __builtin_fmax(x, y); }
THREELANE_DEVICE unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
THREELANE_DEVICE unsigned umax(unsigned x, unsigned y) { return x > y ? x : y; }
THREELANE_DEVICE long long llmin(long long x, long long y) { return x < y ? x : y; }
THREELANE_DEVICE unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
THREELANE_DEVICE unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }
THREELANE_DEVICE long long llmax(long long x, long long y) { return x > y ? x : y; }

/* The constants of <math.h>, spelled as glibc spells them: it may come later and say them again. */
#define INFINITY (__builtin_inff ())
#define NAN (__builtin_nanf (""))
#define HUGE_VAL (__builtin_huge_val ())
#define HUGE_VALF (__builtin_huge_valf ())
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

/* CUDA's own */
#define THREELANE_PI 3.14159265358979323846
/* C23 has some of these, too: from glibc 2.41 on <math.h> declares them, for C and not throwing, which must agree. */
extern "C" {
inline __attribute__((always_inline)) double rsqrt(double x) noexcept { return 1 / __builtin_sqrt(x); }
inline __attribute__((always_inline)) float rsqrtf(float x) noexcept { return 1 / __builtin_sqrtf(x); }
inline __attribute__((always_inline)) double sinpi(double x) noexcept { return sin(THREELANE_PI * remainder(x, 2.0)); }
inline __attribute__((always_inline)) float sinpif(float x) noexcept { return (float)sinpi((double)x); }
inline __attribute__((always_inline)) double cospi(double x) noexcept { return cos(THREELANE_PI * remainder(x, 2.0)); }
inline __attribute__((always_inline)) float cospif(float x) noexcept { return (float)cospi((double)x); }
}
THREELANE_DEVICE float rsqrt(float x) { return rsqrtf(x); }
THREELANE_DEVICE double rcbrt(double x) { return 1 / cbrt(x); }
THREELANE_DEVICE float rcbrtf(float x) { return 1 / cbrtf(x); }
THREELANE_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }
THREELANE_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
THREELANE_DEVICE double rhypot(double x, double y) { return 1 / hypot(x, y); }
THREELANE_DEVICE float rhypotf(float x, float y) { return 1 / hypotf(x, y); }
/* The length of a vector of n numbers, and one over it. */
#define THREELANE_NORM(T, NAME)                                                                    \
    THREELANE_DEVICE T NAME(int n, const T *p)                                                     \
    {                                                                                              \
        long double sum = n < 0 ? __builtin_nanl("") : 0;                                          \
        bool infinite = false;                                                                     \
        for (int i = 0; i < n; i++) {                                                              \
            const long double x = p[i];                                                            \
            infinite |= __builtin_isinf(p[i]) != 0;                                                \
            sum += x * x;                                                                          \
        }                                                                                          \
        return infinite ? (T)__builtin_inf() : (T)__builtin_sqrtl(sum);                            \
    }                                                                                              \
    THREELANE_DEVICE T r##NAME(int n, const T *p) { return 1 / NAME(n, p); }
THREELANE_NORM(double, norm)
THREELANE_NORM(float, normf)
#undef THREELANE_NORM
THREELANE_DEVICE double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
THREELANE_DEVICE float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
THREELANE_DEVICE double norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
THREELANE_DEVICE float norm4df(float x, float y, float z, float w) { return hypotf(hypotf(x, y), hypotf(z, w)); }
THREELANE_DEVICE double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
THREELANE_DEVICE float rnorm3df(float x, float y, float z) { return 1 / norm3df(x, y, z); }
THREELANE_DEVICE double rnorm4d(double x, double y, double z, double w) { return 1 / norm4d(x, y, z, w); }
THREELANE_DEVICE float rnorm4df(float x, float y, float z, float w) { return 1 / norm4df(x, y, z, w); }

/* What the C library does not have (sim/library/special.h); the forms for float are those for double, rounded. */
extern "C" {
double threelane_erfinv(double) noexcept;
double threelane_erfcinv(double) noexcept;
double threelane_normcdfinv(double) noexcept;
double threelane_erfcx(double) noexcept;
double threelane_bessel_i(int order, double) noexcept;
double jn(int, double) noexcept;
double yn(int, double) noexcept;
float jnf(int, float) noexcept;
float ynf(int, float) noexcept;
}
#define THREELANE_SPECIAL(NAME, RESULT)                                                            \
    THREELANE_DEVICE double NAME(double x) { return RESULT; }                                      \
    THREELANE_DEVICE float NAME##f(float x) { return (float)RESULT; }
THREELANE_SPECIAL(erfinv, threelane_erfinv(x))
THREELANE_SPECIAL(erfcinv, threelane_erfcinv(x))
THREELANE_SPECIAL(normcdfinv, threelane_normcdfinv(x))
THREELANE_SPECIAL(erfcx, threelane_erfcx(x))
THREELANE_SPECIAL(cyl_bessel_i0, threelane_bessel_i(0, x))
THREELANE_SPECIAL(cyl_bessel_i1, threelane_bessel_i(1, x))
#undef THREELANE_SPECIAL
THREELANE_DEVICE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
THREELANE_DEVICE float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
THREELANE_DEVICE float fdividef(float x, float y) { return x / y; }
THREELANE_DEVICE float saturate(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }
THREELANE_DEVICE float __saturatef(float x) { return saturate(x); }

/* The fast forms are made of the steps that nvcc makes of them (its PTX): a factor rounded to float, then one function of
 * base 2, or the sine of a fraction of a turn. So they differ from the exact ones where a card's do: for arguments
 * that are large. The card's own last bits are not known. Errors, as the programming guide states them: __sinf, __cosf
 * 2^-21 in [-pi, pi] and more outside; __expf 2 + |1.173 x| ulp; __fdividef 2 ulp, and 0 for |y| from 2^126 on.
 * The C library declares some of these names itself, for C and not throwing: these must agree. */
namespace tl {
THREELANE_INLINE double turned(float x) { return 6.283185307179586 * (double)(float)(x * 0.15915494f); }
THREELANE_INLINE float coarse(double x) { return (float)(__builtin_rint(x * 8388608.0) / 8388608.0); }
}
extern "C" {
inline __attribute__((always_inline)) float __sinf(float x) noexcept { return ::tl::coarse(sin(::tl::turned(x))); }
inline __attribute__((always_inline)) float __cosf(float x) noexcept { return ::tl::coarse(cos(::tl::turned(x))); }
inline __attribute__((always_inline)) float __tanf(float x) noexcept { return __sinf(x) / __cosf(x); }
inline __attribute__((always_inline)) float __expf(float x) noexcept { return exp2f(x * 1.44269502f); }
inline __attribute__((always_inline)) float __exp10f(float x) noexcept { return exp2f(x * 3.32192802f); }
inline __attribute__((always_inline)) float __logf(float x) noexcept { return log2f(x) * 0.69314718f; }
inline __attribute__((always_inline)) float __log2f(float x) noexcept { return log2f(x); }
inline __attribute__((always_inline)) float __log10f(float x) noexcept { return log2f(x) * 0.30103001f; }
inline __attribute__((always_inline)) float __powf(float x, float y) noexcept { return exp2f(y * log2f(x)); }
inline __attribute__((always_inline)) float __fdividef(float x, float y) noexcept
{
    float size = __builtin_fabsf(y);
    if (size > 8.50705917e37f && size <= 3.40282347e38f) return x * 0.f;
    return size < 1.17549435e-38f ? x / y : x * (1 / y);
}
inline __attribute__((always_inline)) void __sincosf(float x, float *s, float *c) noexcept
{
    *s = __sinf(x);
    *c = __cosf(x);
}
}

/* What must not become part of a fused multiply-add. */
#if defined(__x86_64__) && defined(__FMA__)
#define THREELANE_ALONE(X) __asm__("" : "+x"(X))
#elif defined(__aarch64__)
#define THREELANE_ALONE(X) __asm__("" : "+w"(X))
#else
#define THREELANE_ALONE(X) (void)0
#endif
namespace tl {
THREELANE_INLINE float alone(float x)
{
    THREELANE_ALONE(x);
    return x;
}
THREELANE_INLINE double alone(double x)
{
    THREELANE_ALONE(x);
    return x;
}
}

#include "threelane/rounding.h"

/* conversions: out of range saturates, as on the device (threelane/convert.h: NaN, too) */
#define THREELANE_SATURATED(R, X, LEAST, MOST, LOW, HIGH, NONE)                                    \
    const double y = X;                                                                            \
    return y != y ? (R)(NONE) : y <= LEAST ? (R)(LOW) : y >= MOST ? (R)(HIGH) : (R)y
#define THREELANE_CONVERT(FROM, NAME, SUFFIX, ROUND)                                               \
    THREELANE_DEVICE int __##NAME##2int_##SUFFIX(FROM x)                                           \
    {                                                                                              \
        THREELANE_SATURATED(int, ROUND(x), -2147483648.0, 2147483647.0, -2147483647 - 1, 2147483647, \
                            sizeof x == 4 ? 0 : -2147483647 - 1);                                  \
    }                                                                                              \
    THREELANE_DEVICE unsigned __##NAME##2uint_##SUFFIX(FROM x)                                     \
    {                                                                                              \
        THREELANE_SATURATED(unsigned, ROUND(x), 0.0, 4294967295.0, 0u, 4294967295u,                \
                            sizeof x == 4 ? 0u : 2147483648u);                                     \
    }                                                                                              \
    THREELANE_DEVICE long long __##NAME##2ll_##SUFFIX(FROM x)                                      \
    {                                                                                              \
        THREELANE_SATURATED(long long, ROUND(x), -9223372036854775808.0, 9223372036854775808.0,    \
                            -9223372036854775807ll - 1, 9223372036854775807ll,                     \
                            -9223372036854775807ll - 1);                                           \
    }                                                                                              \
    THREELANE_DEVICE unsigned long long __##NAME##2ull_##SUFFIX(FROM x)                            \
    {                                                                                              \
        THREELANE_SATURATED(unsigned long long, ROUND(x), 0.0, 18446744073709551616.0, 0ull, ~0ull, \
                            1ull << 63);                                                           \
    }
THREELANE_CONVERT(float, float, rn, __builtin_rint)
THREELANE_CONVERT(float, float, rz, __builtin_trunc)
THREELANE_CONVERT(float, float, ru, __builtin_ceil)
THREELANE_CONVERT(float, float, rd, __builtin_floor)
THREELANE_CONVERT(double, double, rn, __builtin_rint)
THREELANE_CONVERT(double, double, rz, __builtin_trunc)
THREELANE_CONVERT(double, double, ru, __builtin_ceil)
THREELANE_CONVERT(double, double, rd, __builtin_floor)
#undef THREELANE_CONVERT
#undef THREELANE_SATURATED
#endif
