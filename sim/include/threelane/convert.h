/* threelane/convert.h - floating-point to integer, as nvcc compiles it: tlcc writes (int)(::tl::To<int>)x for (int)x in
 * device code.
 *
 * nvcc makes cvt.rzi.s32 of a conversion to int, short and char, cvt.rzi.u32 of one to their unsigned kin, .s64 and
 * .u64 of the long ones; what is narrower than 32 bits is cut from that (seen in nvcc 13's PTX). PTX ISA, cvt: the
 * result is clamped to the destination's range; NaN is 0 if the source is no double and the destination has 32 bits,
 * else the integer whose only bit is the highest one. x86 has one answer for all of that, and C++ none.
 * Conversions that are not written out (int i = x) cannot be told in the text: those out of range are noticed when
 * they happen (__ubsan_handle_float_cast_overflow in sim/library/convert.c).
 */
#ifndef THREELANE_CONVERT_H
#define THREELANE_CONVERT_H

/* What device code gets for x, whose bits the processor cannot say; host code gets what x86 makes of it. bits: 32 or
 * 64. */
extern "C" unsigned long long threelane_convert(double x, int bits, bool is_signed, bool from_double);

namespace tl {

template <bool wide, bool is_signed> struct Integer;
#if defined(__x86_64__)
THREELANE_INLINE int cut32(float x)
{
    int value;
    __asm__("cvttss2si %1, %0" : "=r"(value) : "x"(x));
    return value;
}
THREELANE_INLINE int cut32(double x)
{
    int value;
    __asm__("cvttsd2si %1, %0" : "=r"(value) : "x"(x));
    return value;
}
THREELANE_INLINE long long cut64(float x)
{
    long long value;
    __asm__("cvttss2si %1, %0" : "=r"(value) : "x"(x));
    return value;
}
THREELANE_INLINE long long cut64(double x)
{
    long long value;
    __asm__("cvttsd2si %1, %0" : "=r"(value) : "x"(x));
    return value;
}
template <> struct Integer<false, true> {
    template <class R, class F> static THREELANE_INLINE R of(F x)
    {
        int value = cut32(x);
        if (__builtin_expect(value == -2147483647 - 1, 0)) value = (int)threelane_convert(x, 32, true, sizeof x == 8);
        return (R)value;
    }
};
template <> struct Integer<false, false> {
    template <class R, class F> static THREELANE_INLINE R of(F x)
    {
        unsigned long long value = (unsigned long long)cut64(x);
        if (__builtin_expect(value > 0xffffffffu, 0)) value = threelane_convert(x, 32, false, sizeof x == 8);
        return (R)value;
    }
};
template <> struct Integer<true, true> {
    template <class R, class F> static THREELANE_INLINE R of(F x)
    {
        long long value = cut64(x);
        if (__builtin_expect(value == -9223372036854775807ll - 1, 0))
            value = (long long)threelane_convert(x, 64, true, sizeof x == 8);
        return (R)value;
    }
};
template <> struct Integer<true, false> {
    template <class R, class F> static THREELANE_INLINE R of(F x)
    {
        long long value = cut64(x);
        return __builtin_expect(value < 0, 0) ? (R)threelane_convert(x, 64, false, sizeof x == 8) : (R)value;
    }
};
#else
template <bool wide, bool is_signed> struct Integer {
    template <class R, class F> static THREELANE_INLINE R of(F x)
    {
        const F least = is_signed ? (wide ? (F)-9223372036854775808.0 : (F)-2147483648.0) : (F)0;
        const F end = wide ? (is_signed ? (F)9223372036854775808.0 : (F)18446744073709551616.0)
                           : (is_signed ? (F)2147483648.0 : (F)4294967296.0);
        if (__builtin_expect(!(x >= least && x < end), 0))
            return (R)threelane_convert(x, wide ? 64 : 32, is_signed, sizeof x == 8);
        return wide ? (is_signed ? (R)(long long)x : (R)(unsigned long long)x)
                    : (is_signed ? (R)(int)x : (R)(unsigned)x);
    }
};
#endif

/* A cast to it takes what a cast to R takes; only float and double are converted another way. What is constant stays
 * what the compiler makes of it. */
template <class R> struct To {
    R value;
    constexpr THREELANE_INLINE To(float x)
        : value(__builtin_is_constant_evaluated() ? (R)x : Integer<(sizeof(R) > 4), ((R)-1 < (R)0)>::template of<R>(x))
    {
    }
    constexpr THREELANE_INLINE To(double x)
        : value(__builtin_is_constant_evaluated() ? (R)x : Integer<(sizeof(R) > 4), ((R)-1 < (R)0)>::template of<R>(x))
    {
    }
#define THREELANE_TO(T) constexpr THREELANE_INLINE To(T x) : value((R)x) {}
    THREELANE_TO(bool) THREELANE_TO(char) THREELANE_TO(signed char) THREELANE_TO(unsigned char) THREELANE_TO(short)
    THREELANE_TO(unsigned short) THREELANE_TO(int) THREELANE_TO(unsigned) THREELANE_TO(long) THREELANE_TO(unsigned long)
    THREELANE_TO(long long) THREELANE_TO(unsigned long long) THREELANE_TO(long double)
#undef THREELANE_TO
    template <class T> constexpr THREELANE_INLINE To(const T &x) : value((R)(T &)x) {}
    constexpr THREELANE_INLINE operator R() const { return value; }
};

}
#endif
