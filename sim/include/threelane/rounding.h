/* threelane/rounding.h - arithmetic rounded to nearest, toward zero, up and down: the processor's own, in that mode. */
#ifndef THREELANE_ROUNDING_H
#define THREELANE_ROUNDING_H

namespace tl {

enum Toward { TOWARD_NEAREST, TOWARD_ZERO, TOWARD_UP, TOWARD_DOWN };

/* The mode is set before the compiler knows the operand, and left when it has the result: nothing moves over either. */
#if defined(__x86_64__)
#define THREELANE_MODE(T)                                                                          \
    THREELANE_INLINE unsigned enter(Toward toward, T &x)                                           \
    {                                                                                              \
        unsigned before, now;                                                                      \
        __asm__ volatile("stmxcsr %0" : "=m"(before));                                             \
        now = (before & ~0x6000u) | (toward == TOWARD_ZERO ? 0x6000u : toward == TOWARD_UP ? 0x4000u : 0x2000u); \
        __asm__ volatile("ldmxcsr %1" : "+m"(x) : "m"(now));                                       \
        return before;                                                                             \
    }                                                                                              \
    THREELANE_INLINE void leave(unsigned before, T &result)                                        \
    {                                                                                              \
        __asm__ volatile("ldmxcsr %1" : "+m"(result) : "m"(before));                               \
    }
#elif defined(__aarch64__)
#define THREELANE_MODE(T)                                                                          \
    THREELANE_INLINE unsigned long enter(Toward toward, T &x)                                      \
    {                                                                                              \
        unsigned long before, now;                                                                 \
        __asm__ volatile("mrs %0, fpcr" : "=r"(before));                                           \
        now = (before & ~0xc00000ul) |                                                             \
              (toward == TOWARD_ZERO ? 0xc00000ul : toward == TOWARD_UP ? 0x400000ul : 0x800000ul); \
        __asm__ volatile("msr fpcr, %1" : "+m"(x) : "r"(now));                                     \
        return before;                                                                             \
    }                                                                                              \
    THREELANE_INLINE void leave(unsigned long before, T &result)                                   \
    {                                                                                              \
        __asm__ volatile("msr fpcr, %1" : "+m"(result) : "r"(before));                             \
    }
#else
#error "no way to set the rounding mode of this processor"
#endif
THREELANE_MODE(float) THREELANE_MODE(double) THREELANE_MODE(int) THREELANE_MODE(unsigned) THREELANE_MODE(long long)
THREELANE_MODE(unsigned long long)
#undef THREELANE_MODE

}

/* The operand x decides: the others may be constants, but the operation cannot be done before x is there. */
#define THREELANE_IN(TOWARD, R, RESULT)                                                            \
    if (::tl::TOWARD == ::tl::TOWARD_NEAREST) return RESULT;                                       \
    const auto before = ::tl::enter(::tl::TOWARD, x);                                              \
    R result = RESULT;                                                                             \
    ::tl::leave(before, result);                                                                   \
    return result;
#define THREELANE_ROUNDED(SUFFIX, TOWARD)                                                          \
    THREELANE_DEVICE float __fadd_##SUFFIX(float x, float y) { THREELANE_IN(TOWARD, float, ::tl::alone(x) + ::tl::alone(y)) } \
    THREELANE_DEVICE float __fsub_##SUFFIX(float x, float y) { THREELANE_IN(TOWARD, float, ::tl::alone(x) - ::tl::alone(y)) } \
    THREELANE_DEVICE float __fmul_##SUFFIX(float x, float y) { THREELANE_IN(TOWARD, float, ::tl::alone(::tl::alone(x) * y)) } \
    THREELANE_DEVICE float __fdiv_##SUFFIX(float x, float y) { THREELANE_IN(TOWARD, float, x / y) } \
    THREELANE_DEVICE float __frcp_##SUFFIX(float x) { THREELANE_IN(TOWARD, float, 1 / x) } \
    THREELANE_DEVICE float __fsqrt_##SUFFIX(float x) { THREELANE_IN(TOWARD, float, __builtin_sqrtf(x)) } \
    THREELANE_DEVICE float __fmaf_##SUFFIX(float x, float y, float z) { THREELANE_IN(TOWARD, float, fmaf(x, y, z)) } \
    THREELANE_DEVICE float __fmaf_ieee_##SUFFIX(float x, float y, float z) { return __fmaf_##SUFFIX(x, y, z); } \
    THREELANE_DEVICE double __dadd_##SUFFIX(double x, double y) { THREELANE_IN(TOWARD, double, ::tl::alone(x) + ::tl::alone(y)) } \
    THREELANE_DEVICE double __dsub_##SUFFIX(double x, double y) { THREELANE_IN(TOWARD, double, ::tl::alone(x) - ::tl::alone(y)) } \
    THREELANE_DEVICE double __dmul_##SUFFIX(double x, double y) { THREELANE_IN(TOWARD, double, ::tl::alone(::tl::alone(x) * y)) } \
    THREELANE_DEVICE double __ddiv_##SUFFIX(double x, double y) { THREELANE_IN(TOWARD, double, x / y) } \
    THREELANE_DEVICE double __drcp_##SUFFIX(double x) { THREELANE_IN(TOWARD, double, 1 / x) } \
    THREELANE_DEVICE double __dsqrt_##SUFFIX(double x) { THREELANE_IN(TOWARD, double, __builtin_sqrt(x)) } \
    THREELANE_DEVICE double __fma_##SUFFIX(double x, double y, double z) { THREELANE_IN(TOWARD, double, fma(x, y, z)) } \
    THREELANE_DEVICE float __double2float_##SUFFIX(double x) { THREELANE_IN(TOWARD, float, (float)x) } \
    THREELANE_DEVICE float __int2float_##SUFFIX(int x) { THREELANE_IN(TOWARD, float, (float)x) } \
    THREELANE_DEVICE float __uint2float_##SUFFIX(unsigned x) { THREELANE_IN(TOWARD, float, (float)x) } \
    THREELANE_DEVICE float __ll2float_##SUFFIX(long long x) { THREELANE_IN(TOWARD, float, (float)x) } \
    THREELANE_DEVICE float __ull2float_##SUFFIX(unsigned long long x) { THREELANE_IN(TOWARD, float, (float)x) } \
    THREELANE_DEVICE double __ll2double_##SUFFIX(long long x) { THREELANE_IN(TOWARD, double, (double)x) } \
    THREELANE_DEVICE double __ull2double_##SUFFIX(unsigned long long x) { THREELANE_IN(TOWARD, double, (double)x) }
THREELANE_ROUNDED(rn, TOWARD_NEAREST)
THREELANE_ROUNDED(rz, TOWARD_ZERO)
THREELANE_ROUNDED(ru, TOWARD_UP)
THREELANE_ROUNDED(rd, TOWARD_DOWN)
#undef THREELANE_ROUNDED
#undef THREELANE_IN
THREELANE_DEVICE float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
THREELANE_DEVICE double __int2double_rn(int x) { return (double)x; }
THREELANE_DEVICE double __uint2double_rn(unsigned x) { return (double)x; }
#endif
