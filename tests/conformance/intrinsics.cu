// Operations on the parts of a word, dot products, bits, and arithmetic rounded in every direction.
// schedules: 0
// out: ok intrinsics
#define TABLE 16384
#include "small_floats.h"
typedef unsigned SMALL;
/* 32 bits out of 16: bytes that are on the edge of something, and others */
static __host__ __device__ unsigned wide(unsigned u)
{
    const unsigned char edge[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0xfe, 0x40};
    unsigned mixed = u * 2654435761u, bytes = 0;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed ^= mixed >> 13;
    for (int i = 0; i < 4; i++)
        bytes |= (mixed >> (4 * i) & 8 ? mixed >> (3 * i) & 0xff : edge[mixed >> (4 * i) & 7]) << 8 * i;
    return bytes;
}
static __device__ unsigned from_bits(unsigned u) { return wide(u); }
static double value(unsigned u) { return u; }
static long long lane(unsigned x, int i, int bits, bool is_signed)
{
    unsigned part = x >> (i * bits) & ((1ull << bits) - 1);
    return is_signed && part >> (bits - 1) ? (long long)part - (1ll << bits) : part;
}
static long long clamped(long long x, int bits, bool is_signed)
{
    long long most = (1ll << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
    return x < least ? least : x > most ? most : x;
}
template <class F> static unsigned each(int bits, bool is_signed, unsigned x, unsigned y, unsigned z, F f)
{
    unsigned result = 0;
    for (int i = 0; i < 32 / bits; i++)
        result |= (unsigned)((unsigned long long)f(lane(x, i, bits, is_signed), lane(y, i, bits, is_signed), lane(z, i, bits, is_signed)) & ((1ull << bits) - 1)) << i * bits;
    return result;
}
#define A wide(u)
#define B wide(v)
#define D wide(w)
#define LANES(NAME, N, BITS, SIGNED, F) ROW(NAME, N, (uint64_t)(unsigned)CALL##N(__##NAME), each(BITS, SIGNED, A, B, D, [](long long p, long long q, long long r) -> long long { (void)p, (void)q, (void)r; return F; }))
#define CALL1(NAME) NAME(a)
#define CALL2(NAME) NAME(a, b)
#define CALL3(NAME) NAME(a, b, c)
#define BOTH(NAME, N, SIGNED, F2, F4) LANES(NAME##2, N, 16, SIGNED, F2) LANES(NAME##4, N, 8, SIGNED, F4)
#define SAME(NAME, N, SIGNED, F) BOTH(NAME, N, SIGNED, F, F)
#define CLAMP(NAME, N, SIGNED, F) BOTH(NAME, N, SIGNED, clamped(F, 16, SIGNED), clamped(F, 8, SIGNED))
SAME(vadd, 2, true, p + q) CLAMP(vaddss, 2, true, p + q) CLAMP(vaddus, 2, false, p + q)
SAME(vsub, 2, true, p - q) CLAMP(vsubss, 2, true, p - q) CLAMP(vsubus, 2, false, p - q)
SAME(vabs, 1, true, p < 0 ? -p : p) CLAMP(vabsss, 1, true, p < 0 ? -p : p)
SAME(vneg, 1, true, -p) CLAMP(vnegss, 1, true, -p)
SAME(vabsdiffs, 2, true, p > q ? p - q : q - p) SAME(vabsdiffu, 2, false, p > q ? p - q : q - p)
SAME(vavgs, 2, true, (p + q + (p + q >= 0)) >> 1) SAME(vavgu, 2, false, (p + q + 1) >> 1) SAME(vhaddu, 2, false, (p + q) >> 1)
SAME(vmaxs, 2, true, p > q ? p : q) SAME(vmaxu, 2, false, p > q ? p : q) SAME(vmins, 2, true, p < q ? p : q) SAME(vminu, 2, false, p < q ? p : q)
#define COMPARES(NAME, SIGNED, OP) SAME(vcmp##NAME, 2, SIGNED, p OP q ? -1 : 0) SAME(vset##NAME, 2, SIGNED, p OP q)
COMPARES(eq, false, ==) COMPARES(ne, false, !=) COMPARES(ges, true, >=) COMPARES(geu, false, >=) COMPARES(gts, true, >)
COMPARES(gtu, false, >) COMPARES(les, true, <=) COMPARES(leu, false, <=) COMPARES(lts, true, <) COMPARES(ltu, false, <)
template <class F> static unsigned total(int bits, bool is_signed, unsigned x, unsigned y, F f)
{
    unsigned sum = 0;
    for (int i = 0; i < 32 / bits; i++) sum += (unsigned)f(lane(x, i, bits, is_signed), lane(y, i, bits, is_signed));
    return sum;
}
#define SADS(NAME, BITS, SIGNED) ROW(NAME, 2, (uint64_t)__##NAME(a, b), total(BITS, SIGNED, A, B, [](long long p, long long q) { return p > q ? p - q : q - p; }))
SADS(vsads2, 16, true) SADS(vsads4, 8, true) SADS(vsadu2, 16, false) SADS(vsadu4, 8, false)
/* three of them at once */
#define MOST(X, Y) ((X) > (Y) ? (X) : (Y))
#define LEAST(X, Y) ((X) < (Y) ? (X) : (Y))
#define WRAP(X, BITS, SIGNED) (SIGNED ? (long long)((unsigned long long)(X) << (64 - BITS)) >> (64 - BITS) : (long long)((unsigned long long)(X) << (64 - BITS) >> (64 - BITS)))
#define THREES(S, BITS, SIGNED)                                                                                         \
    LANES(vimax3_##S, 3, BITS, SIGNED, MOST(MOST(p, q), r)) LANES(vimin3_##S, 3, BITS, SIGNED, LEAST(LEAST(p, q), r))   \
    LANES(viaddmax_##S, 3, BITS, SIGNED, MOST(WRAP(p + q, BITS, SIGNED), r)) LANES(viaddmin_##S, 3, BITS, SIGNED, LEAST(WRAP(p + q, BITS, SIGNED), r))
THREES(s32, 32, true) THREES(u32, 32, false) THREES(s16x2, 16, true) THREES(u16x2, 16, false)
#define RELUS(S, BITS)                                                                                                  \
    LANES(vimax3_##S##_relu, 3, BITS, true, MOST(MOST(MOST(p, q), r), 0)) LANES(vimin3_##S##_relu, 3, BITS, true, MOST(LEAST(LEAST(p, q), r), 0)) \
    LANES(vimax_##S##_relu, 2, BITS, true, MOST(MOST(p, q), 0)) LANES(vimin_##S##_relu, 2, BITS, true, MOST(LEAST(p, q), 0)) \
    LANES(viaddmax_##S##_relu, 3, BITS, true, MOST(MOST(WRAP(p + q, BITS, true), r), 0)) LANES(viaddmin_##S##_relu, 3, BITS, true, MOST(LEAST(WRAP(p + q, BITS, true), r), 0))
RELUS(s32, 32) RELUS(s16x2, 16)
/* which one it was: true for the first argument, also of two alike */
static __device__ uint64_t packed(unsigned value, bool high, bool low) { return value | (uint64_t)high << 33 | (uint64_t)low << 32; }
#define PICKS(OPNAME, OP, REL)                                                                                          \
    ROW(vib##OPNAME##_s32, 2, ([&] { bool first = false; unsigned r = (unsigned)__vib##OPNAME##_s32((int)a, (int)b, &first); return packed(r, false, first); }()), (uint64_t)(unsigned)OP((int)A, (int)B) | (uint64_t)((int)A REL (int)B) << 32) \
    ROW(vib##OPNAME##_u32, 2, ([&] { bool first = false; unsigned r = __vib##OPNAME##_u32(a, b, &first); return packed(r, false, first); }()), (uint64_t)OP(A, B) | (uint64_t)(A REL B) << 32) \
    ROW(vib##OPNAME##_s16x2, 2, ([&] { bool high = false, low = false; unsigned r = __vib##OPNAME##_s16x2(a, b, &high, &low); return packed(r, high, low); }()), each(16, true, A, B, 0, [](long long p, long long q, long long) { return OP(p, q); }) | (uint64_t)(lane(A, 0, 16, true) REL lane(B, 0, 16, true)) << 32 | (uint64_t)(lane(A, 1, 16, true) REL lane(B, 1, 16, true)) << 33) \
    ROW(vib##OPNAME##_u16x2, 2, ([&] { bool high = false, low = false; unsigned r = __vib##OPNAME##_u16x2(a, b, &high, &low); return packed(r, high, low); }()), each(16, false, A, B, 0, [](long long p, long long q, long long) { return OP(p, q); }) | (uint64_t)(lane(A, 0, 16, false) REL lane(B, 0, 16, false)) << 32 | (uint64_t)(lane(A, 1, 16, false) REL lane(B, 1, 16, false)) << 33)
PICKS(max, MOST, >=) PICKS(min, LEAST, <=)
/* dot products */
static unsigned dot(unsigned x, unsigned y, unsigned z, int n, int x_bits, int y_bits, int y_first, bool x_signed, bool y_signed)
{
    for (int i = 0; i < n; i++) z += (unsigned)(lane(x, i, x_bits, x_signed) * lane(y, y_first + i, y_bits, y_signed));
    return z;
}
ROW(dp4a_s, 3, (uint64_t)(unsigned)__dp4a((int)a, (int)b, (int)c), dot(A, B, D, 4, 8, 8, 0, true, true))
ROW(dp4a_u, 3, (uint64_t)__dp4a(a, b, c), dot(A, B, D, 4, 8, 8, 0, false, false))
ROW(dp2a_lo_s, 3, (uint64_t)(unsigned)__dp2a_lo((int)a, (int)b, (int)c), dot(A, B, D, 2, 16, 8, 0, true, true))
ROW(dp2a_lo_u, 3, (uint64_t)__dp2a_lo(a, b, c), dot(A, B, D, 2, 16, 8, 0, false, false))
ROW(dp2a_hi_s, 3, (uint64_t)(unsigned)__dp2a_hi((int)a, (int)b, (int)c), dot(A, B, D, 2, 16, 8, 2, true, true))
ROW(dp2a_hi_u, 3, (uint64_t)__dp2a_hi(a, b, c), dot(A, B, D, 2, 16, 8, 2, false, false))
ROW(dp4a_char4, 3, (uint64_t)(unsigned)__dp4a(make_char4(a, a >> 8, a >> 16, a >> 24), make_char4(b, b >> 8, b >> 16, b >> 24), (int)c), dot(A, B, D, 4, 8, 8, 0, true, true))
ROW(dp2a_lo_short2, 3, (uint64_t)(unsigned)__dp2a_lo(make_short2(a, a >> 16), make_char4(b, b >> 8, b >> 16, b >> 24), (int)c), dot(A, B, D, 2, 16, 8, 0, true, true))
/* bits */
static unsigned nth(unsigned mask, unsigned base, int offset)
{
    base &= 31;
    if (offset == 0) return mask >> base & 1 ? base : 0xffffffff;
    int left = offset > 0 ? offset : -offset;
    for (long long i = base; i >= 0 && i < 32; i += offset > 0 ? 1 : -1)
        if (mask >> i & 1 && --left == 0) return (unsigned)i;
    return 0xffffffff;
}
ROW(fns, 3, (uint64_t)__fns(a, b & 31, (int)(c % 23) - 11), nth(A, B & 31, (int)(D % 23) - 11))
static unsigned permuted(unsigned x, unsigned y, unsigned s)
{
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned k = s >> 4 * i & 7, byte = (k < 4 ? x >> 8 * k : y >> 8 * (k - 4)) & 0xff;
        r |= byte << 8 * i;
    }
    return r;
}
ROW(byte_perm, 3, (uint64_t)__byte_perm(a, b, c), permuted(A, B, D))
ROW(brev, 1, (uint64_t)__brev(a), ([&] { unsigned r = 0; for (int i = 0; i < 32; i++) r |= (A >> i & 1) << (31 - i); return r; }()))
ROW(funnel_l, 3, (uint64_t)__funnelshift_l(a, b, c), (D & 31) ? B << (D & 31) | A >> (32 - (D & 31)) : B)
ROW(funnel_r, 3, (uint64_t)__funnelshift_r(a, b, c), (D & 31) ? B << (32 - (D & 31)) | A >> (D & 31) : A)
ROW(funnel_lc, 3, (uint64_t)__funnelshift_lc(a, b, c & 63), (D & 63) >= 32 ? A : (D & 31) ? B << (D & 31) | A >> (32 - (D & 31)) : B)
ROW(funnel_rc, 3, (uint64_t)__funnelshift_rc(a, b, c & 63), (D & 63) >= 32 ? B : (D & 31) ? B << (32 - (D & 31)) | A >> (D & 31) : A)
ROW(mul24, 2, (uint64_t)(unsigned)__mul24((int)a, (int)b), (unsigned)(((long long)(int)(A << 8) >> 8) * ((long long)(int)(B << 8) >> 8)))
ROW(umul24, 2, (uint64_t)__umul24(a, b), (A & 0xffffff) * (B & 0xffffff))
ROW(sad, 3, (uint64_t)__sad((int)a, (int)b, c), D + (unsigned)llabs((long long)(int)A - (int)B))
ROW(hadd, 2, (uint64_t)(unsigned)__hadd((int)a, (int)b), (unsigned)(((long long)(int)A + (int)B) >> 1))
ROW(rhadd, 2, (uint64_t)(unsigned)__rhadd((int)a, (int)b), (unsigned)(((long long)(int)A + (int)B + 1) >> 1))
ROW(bswap, 1, (uint64_t)__nv_bswap32(a), __builtin_bswap32(A))
/* floats in every direction: operands near each other, the answer from __float128 */
static __host__ __device__ float number(unsigned u) { unsigned bits = wide(u) & 0x87ffffff; bits ^= u & 1 ? 0x3c000000 : u & 2 ? 0x00000000 : u & 4 ? 0x78000000 : 0x38000000; float f; memcpy(&f, &bits, 4); return f; }
static __host__ __device__ uint64_t bits_of(float f) { unsigned bits; memcpy(&bits, &f, 4); return bits; }
static __host__ __device__ uint64_t bits_of(double f) { unsigned long long bits; memcpy(&bits, &f, 8); return bits; }
#include <fenv.h>
template <class F> static uint64_t in(int mode, F f)
{
    fesetround(mode);
    auto result = f();
    fesetround(FE_TONEAREST);
    return isnan(result) ? (sizeof result == 4 ? 0x7fffffffull : 0xfff8000000000000ull) : bits_of(result);
}
static __host__ __device__ double big(unsigned u)
{
    double x = (double)number(u);
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= wide(u ^ 0x5555) & 0x1fffffff;      /* what a float has not */
    memcpy(&x, &bits, sizeof x);
    return x;
}
#define VOLATILE(T, X) ([&]() -> T { volatile T p = X; return p; }())
#define ROUNDED(NAME, N, T, HERE_RZ, HERE_RU, HERE_RD, HERE_RN, WHAT)                                                      \
    ROW(NAME##_rz, N, nan_bits(HERE_RZ), in(FE_TOWARDZERO, [&] { return WHAT; }))                                       \
    ROW(NAME##_ru, N, nan_bits(HERE_RU), in(FE_UPWARD, [&] { return WHAT; }))                                           \
    ROW(NAME##_rd, N, nan_bits(HERE_RD), in(FE_DOWNWARD, [&] { return WHAT; }))                                         \
    ROW(NAME##_rn, N, nan_bits(HERE_RN), in(FE_TONEAREST, [&] { return WHAT; }))
static __device__ uint64_t nan_bits(float x) { return isnan(x) ? 0x7fffffffull : bits_of(x); }
static __device__ uint64_t nan_bits(double x) { return isnan(x) ? 0xfff8000000000000ull : bits_of(x); }
#define FLOATS(NAME, N, ARGS, WHAT) ROUNDED(NAME, N, float, __##NAME##_rz ARGS(number), __##NAME##_ru ARGS(number), __##NAME##_rd ARGS(number), __##NAME##_rn ARGS(number), WHAT)
#define DOUBLES(NAME, N, ARGS, WHAT) ROUNDED(NAME, N, double, __##NAME##_rz ARGS(big), __##NAME##_ru ARGS(big), __##NAME##_rd ARGS(big), __##NAME##_rn ARGS(big), WHAT)
#define ONE(P) (P(u))
#define TWO(P) (P(u), P(v))
#define THREE(P) (P(u), P(v), P(w))
#define VF(I) VOLATILE(float, number(I))
#define VD(I) VOLATILE(double, big(I))
FLOATS(fadd, 2, TWO, VOLATILE(float, VF(u) + VF(v))) FLOATS(fsub, 2, TWO, VOLATILE(float, VF(u) - VF(v)))
FLOATS(fmul, 2, TWO, VOLATILE(float, VF(u) * VF(v))) FLOATS(fdiv, 2, TWO, VOLATILE(float, VF(u) / VF(v)))
FLOATS(frcp, 1, ONE, VOLATILE(float, 1 / VF(u))) FLOATS(fsqrt, 1, ONE, VOLATILE(float, sqrtf(VF(u)))) FLOATS(fmaf, 3, THREE, VOLATILE(float, fmaf(VF(u), VF(v), VF(w))))
DOUBLES(dadd, 2, TWO, VOLATILE(double, VD(u) + VD(v))) DOUBLES(dsub, 2, TWO, VOLATILE(double, VD(u) - VD(v)))
DOUBLES(dmul, 2, TWO, VOLATILE(double, VD(u) * VD(v))) DOUBLES(ddiv, 2, TWO, VOLATILE(double, VD(u) / VD(v)))
DOUBLES(drcp, 1, ONE, VOLATILE(double, 1 / VD(u))) DOUBLES(dsqrt, 1, ONE, VOLATILE(double, sqrt(VD(u)))) DOUBLES(fma, 3, THREE, VOLATILE(double, fma(VD(u), VD(v), VD(w))))
DOUBLES(double2float, 1, ONE, VOLATILE(float, (float)VD(u)))
static __host__ __device__ long long whole(unsigned u) { return (long long)((uint64_t)wide(u) << 32 | wide(u ^ 0x3c3c)) >> (u & 31); }
#define INTEGERS(NAME, T, R) ROUNDED(NAME, 1, R, __##NAME##_rz((T)whole(u)), __##NAME##_ru((T)whole(u)), __##NAME##_rd((T)whole(u)), __##NAME##_rn((T)whole(u)), VOLATILE(R, (R)VOLATILE(T, (T)whole(u))))
INTEGERS(int2float, int, float) INTEGERS(uint2float, unsigned, float) INTEGERS(ll2float, long long, float) INTEGERS(ull2float, unsigned long long, float)
INTEGERS(ll2double, long long, double) INTEGERS(ull2double, unsigned long long, double)
ROW(frsqrt_rn, 1, nan_bits(__frsqrt_rn(number(u))), in(FE_TONEAREST, [&] { long double x = number(u); return (float)(1 / sqrtl(x)); }))

#define TWICE(C, NAME) C(NAME##2) C(NAME##4)
#define COMPARED(C, NAME) TWICE(C, vcmp##NAME) TWICE(C, vset##NAME)
#define THREE_ROWS(C, S) C(vimax3_##S) C(vimin3_##S) C(viaddmax_##S) C(viaddmin_##S)
#define RELU_ROWS(C, S)                                                                                                \
    C(vimax3_##S##_relu) C(vimin3_##S##_relu) C(vimax_##S##_relu) C(vimin_##S##_relu) C(viaddmax_##S##_relu)           \
    C(viaddmin_##S##_relu)
#define PICK_ROWS(C, OP) C(vib##OP##_s32) C(vib##OP##_u32) C(vib##OP##_s16x2) C(vib##OP##_u16x2)
#define MODES(C, NAME) C(NAME##_rz) C(NAME##_ru) C(NAME##_rd) C(NAME##_rn)
#define ROWS(C)                                                                                                        \
    TWICE(C, vadd) TWICE(C, vaddss) TWICE(C, vaddus) TWICE(C, vsub) TWICE(C, vsubss) TWICE(C, vsubus) TWICE(C, vabs)   \
    TWICE(C, vabsss) TWICE(C, vneg) TWICE(C, vnegss) TWICE(C, vabsdiffs) TWICE(C, vabsdiffu) TWICE(C, vavgs)           \
    TWICE(C, vavgu) TWICE(C, vhaddu) TWICE(C, vmaxs) TWICE(C, vmaxu) TWICE(C, vmins) TWICE(C, vminu)                   \
    COMPARED(C, eq) COMPARED(C, ne) COMPARED(C, ges) COMPARED(C, geu) COMPARED(C, gts) COMPARED(C, gtu)                \
    COMPARED(C, les) COMPARED(C, leu) COMPARED(C, lts) COMPARED(C, ltu) TWICE(C, vsads) TWICE(C, vsadu)                \
    THREE_ROWS(C, s32) THREE_ROWS(C, u32) THREE_ROWS(C, s16x2) THREE_ROWS(C, u16x2) RELU_ROWS(C, s32)                  \
    RELU_ROWS(C, s16x2) PICK_ROWS(C, max) PICK_ROWS(C, min) C(dp4a_s) C(dp4a_u) C(dp2a_lo_s) C(dp2a_lo_u)              \
    C(dp2a_hi_s) C(dp2a_hi_u) C(dp4a_char4) C(dp2a_lo_short2) C(fns) C(byte_perm) C(brev) C(funnel_l)      \
    C(funnel_r) C(funnel_lc) C(funnel_rc) C(mul24) C(umul24) C(sad) C(hadd) C(rhadd) C(bswap)                          \
    MODES(C, fadd) MODES(C, fsub) MODES(C, fmul) MODES(C, fdiv) MODES(C, frcp) MODES(C, fsqrt) MODES(C, fmaf)          \
    MODES(C, dadd) MODES(C, dsub) MODES(C, dmul) MODES(C, ddiv) MODES(C, drcp) MODES(C, dsqrt) MODES(C, fma)           \
    MODES(C, double2float) MODES(C, int2float) MODES(C, uint2float) MODES(C, ll2float) MODES(C, ull2float)             \
    MODES(C, ll2double) MODES(C, ull2double) C(frsqrt_rn)
COMPARE_ROWS

int main()
{
    compare_all();
    return finish("intrinsics");
}
