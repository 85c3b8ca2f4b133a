/* threelane/small_float.h - arithmetic on floating-point numbers of 16 and 8 bits: what cuda_fp16.h, cuda_bf16.h and
 * cuda_fp8.h share. A format is its bits of exponent and of mantissa.
 *
 * An operation is done in float or double, exactly or with a last bit that says that something is missing (rounding to
 * odd), and rounded once. No result depends on what the processor or the compiler know of such numbers. */
#ifndef THREELANE_SMALL_FLOAT_H
#define THREELANE_SMALL_FLOAT_H
#include "threelane/device.h"

#define THREELANE_SMALL static inline __attribute__((unused))

namespace tl {
namespace small {

enum Rounding { TL_NEAREST, TL_ZERO, TL_DOWN, TL_UP };

THREELANE_DEVICE unsigned bits_of(float x) { return (unsigned)pack(x); }
THREELANE_DEVICE uint64_t bits_of(double x) { return pack(x); }
THREELANE_DEVICE float float_of(unsigned bits) { return unpack<float>(bits); }

/* Towards zero, and what was cut off: nothing, less than half a step, half of one, more. */
struct Cut { unsigned bits, rest; };

template <int EXP_BITS, int MAN_BITS> THREELANE_SMALL Cut cut(uint64_t magnitude, unsigned most)
{
    const uint64_t mantissa = (magnitude & ((1ull << 52) - 1)) | 1ull << 52;
    const int exponent = (int)(magnitude >> 52) - 1023 + ((1 << (EXP_BITS - 1)) - 1);
    int lost = 52 - MAN_BITS;
    unsigned bits = 0;

    if (magnitude == 0) return Cut{0, 0};
    if (exponent >= 1 << EXP_BITS) return Cut{most, 3};
    if (exponent <= 0) lost += 1 - exponent;
    if (lost > 54) return Cut{0, 1};
    bits = lost > 53 ? 0 : (unsigned)(mantissa >> lost);
    if (exponent > 0) bits += (unsigned)(exponent - 1) << MAN_BITS;    /* the mantissa's first bit is one of the exponent */
    if (bits > most) return Cut{most, 3};
    const uint64_t rest = mantissa & ((1ull << lost) - 1), half = 1ull << (lost - 1);
    return Cut{bits, rest == 0 ? 0u : rest < half ? 1u : rest == half ? 2u : 3u};
}

/* Without a sign and without NaN; may be most + 1, which stands for what is too large. */
template <int EXP_BITS, int MAN_BITS> THREELANE_SMALL unsigned round_magnitude(uint64_t magnitude, bool negative, Rounding how, unsigned most)
{
    if (magnitude >> 52 == 0x7ff) return most + 1;
    const Cut c = cut<EXP_BITS, MAN_BITS>(magnitude, most);
    const bool away = how == TL_NEAREST ? c.rest > 2 || (c.rest == 2 && (c.bits & 1))
                      : how == TL_ZERO  ? false
                      : how == TL_DOWN  ? negative && c.rest
                                     : !negative && c.rest;
    return c.bits + away;
}

template <int EXP_BITS, int MAN_BITS> THREELANE_SMALL unsigned short from_double(double x, Rounding how)
{
    const unsigned infinity = ((1u << EXP_BITS) - 1) << MAN_BITS;
    const uint64_t bits = bits_of(x), magnitude = bits & ~(1ull << 63);
    /* as an H200 does it: what there is room for of the bits that say which */
    if (x != x) return (unsigned short)(bits >> 63 << 15 | infinity | 1u << (MAN_BITS - 1) | (unsigned)(bits >> (52 - MAN_BITS)) % (1u << MAN_BITS));
    return (unsigned short)((bits >> 63 << (EXP_BITS + MAN_BITS)) | round_magnitude<EXP_BITS, MAN_BITS>(magnitude, bits >> 63, how, infinity - 1));
}

/* To nearest from float: most of what there is to do. */
template <int EXP_BITS, int MAN_BITS> struct Nearest;
template <> struct Nearest<5, 10> {
    static THREELANE_INLINE unsigned short of(float x)
    {
        unsigned u = bits_of(x) & 0x7fffffff;
        const unsigned sign = (bits_of(x) ^ u) >> 16;
        if (__builtin_expect(u >= 0x477ff000, 0)) return (unsigned short)(u > 0x7f800000 ? 0x7fff : sign | 0x7c00);
        if (u < 0x38800000) u = bits_of(float_of(u) + 0.5f) - 0x3f000000;    /* steps of 2^-24: those of 0.5 */
        else u = (u + 0xfff + (u >> 13 & 1) - 0x38000000) >> 13;
        return (unsigned short)(sign | u);
    }
};
template <> struct Nearest<8, 7> {
    static THREELANE_INLINE unsigned short of(float x)
    {
        const unsigned u = bits_of(x);
        if (__builtin_expect(x != x, 0)) return 0x7fff;
        return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
};

template <int EXP_BITS, int MAN_BITS> struct Wide;
template <> struct Wide<5, 10> {
    static THREELANE_INLINE float of(unsigned short bits)
    {
        const unsigned u = bits & 0x7fffu, sign = (unsigned)(bits & 0x8000) << 16;
        if (__builtin_expect(u >= 0x7c00, 0)) return float_of(u > 0x7c00 ? 0x7fffffff : sign | 0x7f800000);
        return float_of(sign | bits_of(float_of(u << 13) * 5.192296858534828e33f));
    }
};
template <> struct Wide<8, 7> {
    static THREELANE_INLINE float of(unsigned short bits) { return float_of((unsigned)bits << 16); }
};

/* x with its last bit set where a float does not hold all of it: rounding that again to less than 23 bits is right. */
THREELANE_DEVICE float to_odd(double x)
{
    const float f = (float)x;
    unsigned bits = bits_of(f);
    if ((double)f == x || x != x) return f;
    if ((double)__builtin_fabsf(f) > __builtin_fabs(x)) bits--;
    return float_of(bits | 1);
}

/* x * y + z, of which x * y is exact in a double, to odd. */
THREELANE_DEVICE double fused_to_odd(double x, double y, double z)
{
    const double product = x * y, sum = product + z, back = sum - product;
    const double lost = (product - (sum - back)) + (z - back);
    if (lost == 0 || sum - sum != 0) return sum;
    uint64_t bits = bits_of(sum);
    if (!(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1ull;
    return unpack<double>(bits);
}

/* An integer as a double to odd. */
THREELANE_SMALL double integer_to_odd(uint64_t magnitude, bool negative)
{
    uint64_t kept = magnitude;
    if (magnitude >> 53) kept = (magnitude & ~0xfffull) | ((magnitude & 0xfff) ? 0x1000 : 0);
    const double x = (double)kept;
    return negative ? -x : x;
}
THREELANE_SMALL double integer_to_odd(long long x) { return integer_to_odd(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, x < 0); }
THREELANE_SMALL double integer_to_odd(unsigned long long x) { return integer_to_odd((uint64_t)x, false); }

/* To an integer: what does not fit becomes the nearest that does, NaN 0, and of 64 bits the one with the highest bit
 * alone. x is whole. */
template <class T> THREELANE_SMALL T to_integer(double x)
{
    const bool is_signed = (T)-1 < (T)0;
    const T least = is_signed ? (T)((T)1 << (8 * sizeof(T) - 1)) : (T)0, most = (T)~least;
    const double end = is_signed ? -(double)least : 2.0 * (double)((T)1 << (8 * sizeof(T) - 1));
    if (x != x) return sizeof(T) == 8 ? (T)((T)1 << (8 * sizeof(T) - 1)) : (T)0;
    if (x <= (is_signed ? -end : 0.0)) return least;
    return x >= end ? most : (T)x;
}

/* Clamped to 0..1, NaN to 0; negative numbers to 0, with NaN kept. */
THREELANE_DEVICE double saturated(double x) { return x > 0 ? x < 1 ? x : 1.0 : 0.0; }
THREELANE_DEVICE double positive(double x) { return x != x || x > 0 ? x : 0.0; }

/* The lesser: a number rather than none, and of two zeros the negative one. */
THREELANE_DEVICE float lesser(float x, float y)
{
    return x != x ? y : y != y ? x : x == y ? float_of(bits_of(x) | bits_of(y)) : x < y ? x : y;
}
THREELANE_DEVICE float greater(float x, float y)
{
    return x != x ? y : y != y ? x : x == y ? float_of(bits_of(x) & bits_of(y)) : x > y ? x : y;
}

/* An atomic addition in 2 or 4 bytes that no instruction of ours has: what changed meanwhile is taken up again. */
template <class T, class Add> THREELANE_SMALL T atomic_change(T *address, Add add)
{
    uint64_t seen = threelane_atomic_cas((void *)address, sizeof(T), 0, 0);
    for (;;) {
        const uint64_t before = seen, after = pack(add(unpack<T>(before)));
        seen = threelane_atomic_cas((void *)address, sizeof(T), before, after);
        if (seen == before) return unpack<T>(seen);
    }
}

}
}
#endif
