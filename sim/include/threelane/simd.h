/* threelane/simd.h - device code's operations on the bytes and halves of a word, dot products, and minima and maxima of
 * three. */
#ifndef THREELANE_SIMD_H
#define THREELANE_SIMD_H

/* One operation on each part of words a, b and c: p, q and r are the parts, of type T. */
#define THREELANE_PARTS(T, RESULT)                                                                 \
    unsigned result = 0;                                                                           \
    for (unsigned i = 0; i < 32; i += 8 * sizeof(T)) {                                             \
        const long long p = (T)(a >> i), q = (T)(b >> i), r = (T)(c >> i);                         \
        (void)p, (void)q, (void)r;                                                                 \
        result |= ((unsigned)(RESULT) & 0xffffffffu >> (32 - 8 * sizeof(T))) << i;                 \
    }                                                                                              \
    return result;
#define THREELANE_PARTS1(NAME, T, RESULT)                                                          \
    THREELANE_DEVICE unsigned NAME(unsigned a)                                                     \
    {                                                                                              \
        const unsigned b = 0, c = 0;                                                               \
        THREELANE_PARTS(T, RESULT)                                                                 \
    }
#define THREELANE_PARTS2(NAME, T, RESULT)                                                          \
    THREELANE_DEVICE unsigned NAME(unsigned a, unsigned b)                                         \
    {                                                                                              \
        const unsigned c = 0;                                                                      \
        THREELANE_PARTS(T, RESULT)                                                                 \
    }
#define THREELANE_PARTS3(NAME, T, RESULT) \
    THREELANE_DEVICE unsigned NAME(unsigned a, unsigned b, unsigned c) { THREELANE_PARTS(T, RESULT) }
#define THREELANE_SIGNED(ARGUMENTS, NAME, RESULT)                                                  \
    THREELANE_PARTS##ARGUMENTS(NAME##2, short, RESULT)                                             \
    THREELANE_PARTS##ARGUMENTS(NAME##4, signed char, RESULT)
#define THREELANE_UNSIGNED(ARGUMENTS, NAME, RESULT)                                                \
    THREELANE_PARTS##ARGUMENTS(NAME##2, unsigned short, RESULT)                                    \
    THREELANE_PARTS##ARGUMENTS(NAME##4, unsigned char, RESULT)
#define THREELANE_CLAMPED(ARGUMENTS, NAME, RESULT)                                                 \
    THREELANE_PARTS##ARGUMENTS(NAME##2, short, ::tl::clamped(RESULT, -32768, 32767))               \
    THREELANE_PARTS##ARGUMENTS(NAME##4, signed char, ::tl::clamped(RESULT, -128, 127))

namespace tl {
THREELANE_DEVICE long long clamped(long long x, long long least, long long most)
{
    return x < least ? least : x > most ? most : x;
}
THREELANE_DEVICE long long lesser(long long x, long long y) { return x < y ? x : y; }
THREELANE_DEVICE long long greater(long long x, long long y) { return x > y ? x : y; }
THREELANE_DEVICE long long apart(long long x, long long y) { return x < y ? y - x : x - y; }
}

THREELANE_SIGNED(2, __vadd, p + q)
THREELANE_SIGNED(2, __vsub, p - q)
THREELANE_CLAMPED(2, __vaddss, p + q)
THREELANE_CLAMPED(2, __vsubss, p - q)
THREELANE_PARTS2(__vaddus2, unsigned short, ::tl::lesser(p + q, 65535))
THREELANE_PARTS2(__vaddus4, unsigned char, ::tl::lesser(p + q, 255))
THREELANE_UNSIGNED(2, __vsubus, p > q ? p - q : 0)
THREELANE_SIGNED(1, __vabs, p < 0 ? -p : p)
THREELANE_CLAMPED(1, __vabsss, p < 0 ? -p : p)
THREELANE_SIGNED(1, __vneg, -p)
THREELANE_CLAMPED(1, __vnegss, -p)
THREELANE_SIGNED(2, __vabsdiffs, ::tl::apart(p, q))
THREELANE_UNSIGNED(2, __vabsdiffu, ::tl::apart(p, q))
THREELANE_SIGNED(2, __vavgs, (p + q + (p + q >= 0)) >> 1)     /* halves are rounded away from zero */
THREELANE_UNSIGNED(2, __vavgu, (p + q + 1) >> 1)
THREELANE_UNSIGNED(2, __vhaddu, (p + q) >> 1)
THREELANE_SIGNED(2, __vmaxs, ::tl::greater(p, q))
THREELANE_UNSIGNED(2, __vmaxu, ::tl::greater(p, q))
THREELANE_SIGNED(2, __vmins, ::tl::lesser(p, q))
THREELANE_UNSIGNED(2, __vminu, ::tl::lesser(p, q))
#define THREELANE_COMPARED(KIND, NAME, OP)                                                         \
    THREELANE_##KIND(2, __vcmp##NAME, p OP q ? -1 : 0)                                             \
    THREELANE_##KIND(2, __vset##NAME, p OP q)
THREELANE_COMPARED(UNSIGNED, eq, ==) THREELANE_COMPARED(UNSIGNED, ne, !=)
THREELANE_COMPARED(SIGNED, lts, <) THREELANE_COMPARED(UNSIGNED, ltu, <)
THREELANE_COMPARED(SIGNED, les, <=) THREELANE_COMPARED(UNSIGNED, leu, <=)
THREELANE_COMPARED(SIGNED, gts, >) THREELANE_COMPARED(UNSIGNED, gtu, >)
THREELANE_COMPARED(SIGNED, ges, >=) THREELANE_COMPARED(UNSIGNED, geu, >=)
#undef THREELANE_COMPARED

/* sums over the parts: of absolute differences, and of products */
#define THREELANE_SUM(NAME, T)                                                                     \
    THREELANE_DEVICE unsigned NAME(unsigned a, unsigned b)                                         \
    {                                                                                              \
        unsigned sum = 0;                                                                          \
        for (unsigned i = 0; i < 32; i += 8 * sizeof(T)) sum += (unsigned)::tl::apart((T)(a >> i), (T)(b >> i)); \
        return sum;                                                                                \
    }
THREELANE_SUM(__vsads2, short)
THREELANE_SUM(__vsads4, signed char)
THREELANE_SUM(__vsadu2, unsigned short)
THREELANE_SUM(__vsadu4, unsigned char)
#undef THREELANE_SUM
#define THREELANE_DOTS(T, HALF, BYTE, HALF2, BYTE4)                                                \
    THREELANE_DEVICE T __dp4a(T a, T b, T c)                                                       \
    {                                                                                              \
        unsigned sum = (unsigned)c;                                                                \
        for (int i = 0; i < 32; i += 8) sum += (unsigned)((BYTE)(a >> i) * (BYTE)(b >> i));        \
        return (T)sum;                                                                             \
    }                                                                                              \
    THREELANE_DEVICE T __dp2a_lo(T a, T b, T c)                                                    \
    {                                                                                              \
        return (T)((unsigned)c + (unsigned)((HALF)a * (BYTE)b) + (unsigned)((HALF)(a >> 16) * (BYTE)(b >> 8))); \
    }                                                                                              \
    THREELANE_DEVICE T __dp2a_hi(T a, T b, T c) { return __dp2a_lo(a, (T)(b >> 16), c); }          \
    THREELANE_DEVICE T __dp4a(BYTE4 a, BYTE4 b, T c)                                               \
    {                                                                                              \
        return (T)((unsigned)c + (unsigned)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w));       \
    }                                                                                              \
    THREELANE_DEVICE T __dp2a_lo(HALF2 a, BYTE4 b, T c) { return (T)((unsigned)c + (unsigned)(a.x * b.x + a.y * b.y)); } \
    THREELANE_DEVICE T __dp2a_hi(HALF2 a, BYTE4 b, T c) { return (T)((unsigned)c + (unsigned)(a.x * b.z + a.y * b.w)); }
THREELANE_DOTS(int, short, signed char, short2, char4)
THREELANE_DOTS(unsigned, unsigned short, unsigned char, ushort2, uchar4)
#undef THREELANE_DOTS

/* of three, and of a sum (which may wrap) and a third; relu: and of zero */
#define THREELANE_THREE(SUFFIX, T)                                                                 \
    THREELANE_PARTS3(__vimax3_##SUFFIX, T, ::tl::greater(::tl::greater(p, q), r))                  \
    THREELANE_PARTS3(__vimin3_##SUFFIX, T, ::tl::lesser(::tl::lesser(p, q), r))                    \
    THREELANE_PARTS3(__viaddmax_##SUFFIX, T, ::tl::greater((T)(p + q), r))                         \
    THREELANE_PARTS3(__viaddmin_##SUFFIX, T, ::tl::lesser((T)(p + q), r))
#define THREELANE_RELU(SUFFIX, T)                                                                  \
    THREELANE_PARTS2(__vimax_##SUFFIX##_relu, T, ::tl::greater(::tl::greater(p, q), 0))            \
    THREELANE_PARTS2(__vimin_##SUFFIX##_relu, T, ::tl::greater(::tl::lesser(p, q), 0))             \
    THREELANE_PARTS3(__vimax3_##SUFFIX##_relu, T, ::tl::greater(::tl::greater(::tl::greater(p, q), r), 0)) \
    THREELANE_PARTS3(__vimin3_##SUFFIX##_relu, T, ::tl::greater(::tl::lesser(::tl::lesser(p, q), r), 0)) \
    THREELANE_PARTS3(__viaddmax_##SUFFIX##_relu, T, ::tl::greater(::tl::greater((T)(p + q), r), 0)) \
    THREELANE_PARTS3(__viaddmin_##SUFFIX##_relu, T, ::tl::greater(::tl::lesser((T)(p + q), r), 0))
THREELANE_THREE(s16x2, short)
THREELANE_THREE(u16x2, unsigned short)
THREELANE_RELU(s16x2, short)
#undef THREELANE_RELU
#undef THREELANE_THREE
#define THREELANE_THREE(SUFFIX, T)                                                                 \
    THREELANE_DEVICE T __vimax3_##SUFFIX(T a, T b, T c) { return (T)::tl::greater(::tl::greater(a, b), c); } \
    THREELANE_DEVICE T __vimin3_##SUFFIX(T a, T b, T c) { return (T)::tl::lesser(::tl::lesser(a, b), c); } \
    THREELANE_DEVICE T __viaddmax_##SUFFIX(T a, T b, T c) { return (T)::tl::greater((T)((unsigned)a + (unsigned)b), c); } \
    THREELANE_DEVICE T __viaddmin_##SUFFIX(T a, T b, T c) { return (T)::tl::lesser((T)((unsigned)a + (unsigned)b), c); } \
    THREELANE_DEVICE T __vibmax_##SUFFIX(T a, T b, bool *first) { return (*first = a >= b) ? a : b; } \
    THREELANE_DEVICE T __vibmin_##SUFFIX(T a, T b, bool *first) { return (*first = a <= b) ? a : b; }
THREELANE_THREE(s32, int)
THREELANE_THREE(u32, unsigned)
#undef THREELANE_THREE
THREELANE_DEVICE int __vimax_s32_relu(int a, int b) { return (int)::tl::greater(::tl::greater(a, b), 0); }
THREELANE_DEVICE int __vimin_s32_relu(int a, int b) { return (int)::tl::greater(::tl::lesser(a, b), 0); }
#define THREELANE_RELU(NAME) \
    THREELANE_DEVICE int NAME##_relu(int a, int b, int c) { return (int)::tl::greater(NAME(a, b, c), 0); }
THREELANE_RELU(__vimax3_s32) THREELANE_RELU(__vimin3_s32) THREELANE_RELU(__viaddmax_s32) THREELANE_RELU(__viaddmin_s32)
#undef THREELANE_RELU
#define THREELANE_PICK(NAME, T, OP)                                                                \
    THREELANE_DEVICE unsigned NAME(unsigned a, unsigned b, bool *high, bool *low)                  \
    {                                                                                              \
        *high = (T)(a >> 16) OP (T)(b >> 16);                                                      \
        *low = (T)a OP (T)b;                                                                       \
        return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                       \
    }
THREELANE_PICK(__vibmax_s16x2, short, >=)
THREELANE_PICK(__vibmin_s16x2, short, <=)
THREELANE_PICK(__vibmax_u16x2, unsigned short, >=)
THREELANE_PICK(__vibmin_u16x2, unsigned short, <=)
#undef THREELANE_PICK

#undef THREELANE_CLAMPED
#undef THREELANE_UNSIGNED
#undef THREELANE_SIGNED
#undef THREELANE_PARTS3
#undef THREELANE_PARTS2
#undef THREELANE_PARTS1
#undef THREELANE_PARTS

/* ---- bits ---- */

/* The place of the offset-th bit of mask that is set, from base on (offset < 0: downwards; 0: base itself, if it is). */
THREELANE_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (base > 31) return 0xffffffffu;
    if (offset == 0) return mask >> base & 1 ? base : 0xffffffffu;
    unsigned left = offset > 0 ? (unsigned)offset : 0u - (unsigned)offset;
    for (int i = (int)base; i >= 0 && i < 32; i += offset > 0 ? 1 : -1)
        if (mask >> i & 1 && --left == 0) return (unsigned)i;
    return 0xffffffffu;
}
THREELANE_DEVICE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
THREELANE_DEVICE unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
THREELANE_DEVICE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
#endif
