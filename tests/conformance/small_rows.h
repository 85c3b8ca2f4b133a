/* Rows of half.cu and bfloat16.cu. */
#define F(NAME, N, HERE, X) ROW(NAME, N, to_bits(HERE), rounded(X, NEAREST))
#define BITS(NAME, N, HERE, BITS_WANTED) ROW(NAME, N, to_bits(HERE), BITS_WANTED)
#define SAT(X) (isnan(X) ? 0.0 : (X) > 0 ? (X) < 1 ? (X) : 1.0 : 0.0)
#define RELU(X) (isnan(X) ? (X) : (X) > 0 ? (X) : 0.0)
static double least_of(double x, double y) { return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? x : y) : x < y ? x : y; }
static double most_of(double x, double y) { return isnan(x) ? y : isnan(y) ? x : x == y ? (signbit(x) ? y : x) : x > y ? x : y; }
F(hadd, 2, __hadd(a, b), x + y)
F(hsub, 2, __hsub(a, b), x - y)
F(hmul, 2, __hmul(a, b), x * y)
F(hdiv, 2, __hdiv(a, b), x / y)
F(hadd_rn, 2, __hadd_rn(a, b), x + y)
F(hmul_rn, 2, __hmul_rn(a, b), x * y)
F(hadd_sat, 2, __hadd_sat(a, b), SAT(x + y))
F(hsub_sat, 2, __hsub_sat(a, b), SAT(x - y))
F(hmul_sat, 2, __hmul_sat(a, b), SAT(x * y))
F(hfma, 3, __hfma(a, b, c), fused(x, y, z))
F(hfma_sat, 3, __hfma_sat(a, b, c), SAT(fused(x, y, z)))
F(hfma_relu, 3, __hfma_relu(a, b, c), RELU(fused(x, y, z)))
F(hmax, 2, __hmax(a, b), most_of(x, y))
F(hmin, 2, __hmin(a, b), least_of(x, y))
F(hmax_nan, 2, __hmax_nan(a, b), isnan(x) || isnan(y) ? NAN : most_of(x, y))
F(hmin_nan, 2, __hmin_nan(a, b), isnan(x) || isnan(y) ? NAN : least_of(x, y))
BITS(habs, 1, __habs(a), isnan(x) ? 0x7fff : u & 0x7fff)
BITS(hneg, 1, __hneg(a), isnan(x) ? 0x7fff : u ^ 0x8000)
BITS(plus, 1, +a, u)
F(hceil, 1, hceil(a), ceil(x))
F(hfloor, 1, hfloor(a), floor(x))
F(htrunc, 1, htrunc(a), trunc(x))
F(hrint, 1, hrint(a), nearbyint(x))
F(hsqrt, 1, hsqrt(a), sqrt(x))
F(hrsqrt, 1, hrsqrt(a), 1 / sqrt(x))
F(hrcp, 1, hrcp(a), 1 / x)
F(hlog, 1, hlog(a), log(x))
F(hlog2, 1, hlog2(a), log2(x))
F(hlog10, 1, hlog10(a), log10(x))
F(hexp, 1, hexp(a), exp(x))
F(hexp2, 1, hexp2(a), exp2(x))
F(hexp10, 1, hexp10(a), exp10(x))
F(hsin, 1, hsin(a), sin(x))
F(hcos, 1, hcos(a), cos(x))
F(htanh, 1, htanh(a), tanh(x))
#define IS_THAT(NAME, MAKE, MAKE_U, OP)                                                                                \
    ROW(NAME, 2, (uint64_t)MAKE(a, b), x OP y)                                                                         \
    ROW(NAME##_u, 2, (uint64_t)MAKE_U(a, b), isnan(x) || isnan(y) || x OP y)
IS_THAT(heq, __heq, __hequ, ==)
IS_THAT(hlt, __hlt, __hltu, <)
IS_THAT(hle, __hle, __hleu, <=)
IS_THAT(hgt, __hgt, __hgtu, >)
IS_THAT(hge, __hge, __hgeu, >=)
ROW(hne, 2, (uint64_t)__hne(a, b), !isnan(x) && !isnan(y) && x != y)
ROW(hneu, 2, (uint64_t)__hneu(a, b), x != y)
ROW(hisnan, 1, (uint64_t)__hisnan(a), isnan(x) ? 1 : 0)
ROW(hisinf, 1, (uint64_t)(unsigned)__hisinf(a), isinf(x) ? (x > 0 ? 1 : 0xffffffff) : 0)
ROW(op_ne, 2, (uint64_t)(a != b), x != y)
ROW(op_lt, 2, (uint64_t)(a < b), x < y)
/* from float: all of the first 16 bits, with what decides of the others */
#define FLOAT_OF(U, LOW) (U << 16 | LOW)
static __host__ __device__ float float_of(unsigned bits) { float f; memcpy(&f, &bits, 4); return f; }
static __host__ __device__ uint64_t bits_of(float f) { unsigned bits; memcpy(&bits, &f, 4); return bits; }
static __host__ __device__ unsigned low_bits(unsigned u)
{
    const unsigned low[] = {0, 1, 0x8000, 0x7fff, 0x8001, 0x1000, 0x0fff, 0x1001, 0x3000, 0x2fff, 0x5001, 0xd000, 0xf000, 0xffff, 0x1fff, 0x2000};
    return low[(u * 2654435761u) >> 28];
}
#define GIVEN float_of(FLOAT_OF(u, low_bits(u)))
#define FROM_FLOAT(NAME, MAKE, MODE) ROW(NAME, 1, to_bits(MAKE(GIVEN)), rounded(GIVEN, MODE))
FROM_FLOAT(from_float, TL_FROM(float, ), NEAREST)
FROM_FLOAT(from_float_rn, TL_FROM(float, _rn), NEAREST)
FROM_FLOAT(from_float_rz, TL_FROM(float, _rz), ZERO)
FROM_FLOAT(from_float_rd, TL_FROM(float, _rd), DOWN)
FROM_FLOAT(from_float_ru, TL_FROM(float, _ru), UP)
static __host__ __device__ double near_double(unsigned u) { return (double)float_of(u << 16 | (u & 1 ? 0x8000 : 0x1000)) * (u & 2 ? 1 + 1e-14 : u & 4 ? 1 - 1e-14 : 1); }
static unsigned double_nan(double x)                  /* it keeps its sign, and what there is room for; and is quiet */
{
    unsigned room = ~rounded(INFINITY, NEAREST) & 0x7fff;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t kept = (bits | 1ull << 51) & ((1ull << 52) - 1);
    for (uint64_t most = (1ull << 52) - 1; most > room; most >>= 1) kept >>= 1;
    return (unsigned)(bits >> 63) << 15 | (0x7fff & ~room) | (unsigned)kept;
}
ROW(from_double, 1, to_bits(TL_FROM(double, )(near_double(u))), isnan(near_double(u)) ? double_nan(near_double(u)) : rounded(near_double(u), NEAREST))
ROW(to_float, 1, bits_of(TL_TO(float, )(a)), isnan(x) ? NAN_AS_FLOAT(u) : bits_of((float)x))
#define TO_INTEGER(NAME, BITS_, SIGNED, CAST)                                                                          \
    ROW(NAME##_rz, 1, (uint64_t)(CAST)TL_TO(NAME, _rz)(a), to_integer(trunc(x), BITS_, SIGNED))                          \
    ROW(NAME##_rn, 1, (uint64_t)(CAST)TL_TO(NAME, _rn)(a), to_integer(nearbyint(x), BITS_, SIGNED))                      \
    ROW(NAME##_rd, 1, (uint64_t)(CAST)TL_TO(NAME, _rd)(a), to_integer(floor(x), BITS_, SIGNED))                          \
    ROW(NAME##_ru, 1, (uint64_t)(CAST)TL_TO(NAME, _ru)(a), to_integer(ceil(x), BITS_, SIGNED))
TO_INTEGER(short, 16, true, unsigned short)
TO_INTEGER(ushort, 16, false, unsigned short)
TO_INTEGER(int, 32, true, unsigned)
TO_INTEGER(uint, 32, false, unsigned)
TO_INTEGER(ll, 64, true, unsigned long long)
TO_INTEGER(ull, 64, false, unsigned long long)
ROW(char_rz, 1, (uint64_t)(unsigned char)TL_TO(char, _rz)(a), to_integer(trunc(x), 8, true))
ROW(uchar_rz, 1, (uint64_t)(unsigned char)TL_TO(uchar, _rz)(a), to_integer(trunc(x), 8, false))
/* integers whose last bits decide */
static __host__ __device__ uint64_t integer(unsigned u, int bits)
{
    uint64_t whole = ((uint64_t)u << 48 | (u & 3) * 0x0000400000000000ull | (u >> 2 & 3 ? u >> 3 & 1 : 0)) ;
    return whole >> (64 - bits) | (bits > 16 && (u & 16) ? 1 : 0);
}
static double exact(long double x, int digits)      /* of 64 bits: rounded to odd where a double has not all */
{
    double d = (double)x;
    (void)digits;
    if ((long double)d == x) return d;
    uint64_t bits;
    if (fabsl((long double)d) > fabsl(x)) d = nextafter(d, 0);
    memcpy(&bits, &d, 8);
    bits |= 1;
    memcpy(&d, &bits, 8);
    return d;
}
#define FROM_INTEGER(NAME, T, BITS_)                                                                                   \
    ROW(of_##NAME##_rn, 1, to_bits(TL_FROM(NAME, _rn)((T)integer(u, BITS_))), rounded(exact((long double)(T)integer(u, BITS_), 0), NEAREST)) \
    ROW(of_##NAME##_rz, 1, to_bits(TL_FROM(NAME, _rz)((T)integer(u, BITS_))), rounded(exact((long double)(T)integer(u, BITS_), 0), ZERO))    \
    ROW(of_##NAME##_rd, 1, to_bits(TL_FROM(NAME, _rd)((T)integer(u, BITS_))), rounded(exact((long double)(T)integer(u, BITS_), 0), DOWN))    \
    ROW(of_##NAME##_ru, 1, to_bits(TL_FROM(NAME, _ru)((T)integer(u, BITS_))), rounded(exact((long double)(T)integer(u, BITS_), 0), UP))
FROM_INTEGER(short, short, 16)
FROM_INTEGER(ushort, unsigned short, 16)
FROM_INTEGER(int, int, 32)
FROM_INTEGER(uint, unsigned, 32)
FROM_INTEGER(ll, long long, 64)
FROM_INTEGER(ull, unsigned long long, 64)
/* pairs: both halves do as one does */
#define PAIR(NAME, N, MAKE, X, Y)                                                                                        \
    ROW(pair_##NAME, N, (pair_bits(MAKE)), rounded(X, NEAREST) | (uint64_t)rounded(Y, NEAREST) << 16)
PAIR(hadd2, 2, __hadd2(PAIR_OF(a, b), PAIR_OF(b, b)), x + y, y + y)
PAIR(hsub2, 2, __hsub2(PAIR_OF(a, b), PAIR_OF(b, a)), x - y, y - x)
PAIR(hmul2, 2, __hmul2(PAIR_OF(a, b), PAIR_OF(b, b)), x * y, y * y)
PAIR(h2div, 2, __h2div(PAIR_OF(a, b), PAIR_OF(b, a)), x / y, y / x)
PAIR(hfma2, 3, __hfma2(PAIR_OF(a, b), PAIR_OF(b, c), PAIR_OF(c, a)), fused(x, y, z), fused(y, z, x))
PAIR(hfma2_sat, 3, __hfma2_sat(PAIR_OF(a, b), PAIR_OF(b, c), PAIR_OF(c, a)), SAT(fused(x, y, z)), SAT(fused(y, z, x)))
PAIR(hfma2_relu, 3, __hfma2_relu(PAIR_OF(a, b), PAIR_OF(b, c), PAIR_OF(c, a)), RELU(fused(x, y, z)), RELU(fused(y, z, x)))
PAIR(hmax2, 2, __hmax2(PAIR_OF(a, b), PAIR_OF(b, a)), most_of(x, y), most_of(x, y))
PAIR(hmin2, 2, __hmin2(PAIR_OF(a, b), PAIR_OF(b, a)), least_of(x, y), least_of(x, y))
PAIR(heq2, 2, __heq2(PAIR_OF(a, b), PAIR_OF(b, b)), x == y, y == y)
PAIR(hltu2, 2, __hltu2(PAIR_OF(a, b), PAIR_OF(b, b)), !(x >= y), !(y >= y))
PAIR(hisnan2, 2, __hisnan2(PAIR_OF(a, b)), isnan(x) ? 1 : 0, isnan(y) ? 1 : 0)
PAIR(h2exp, 2, h2exp(PAIR_OF(a, b)), exp(x), exp(y))
PAIR(h2sqrt, 2, h2sqrt(PAIR_OF(a, b)), sqrt(x), sqrt(y))
PAIR(h2rint, 2, h2rint(PAIR_OF(a, b)), nearbyint(x), nearbyint(y))
ROW(pair_mask, 2, (uint64_t)__hgt2_mask(PAIR_OF(a, b), PAIR_OF(b, a)), (x > y ? 0xffffu : 0) | (y > x ? 0xffff0000u : 0))
ROW(pair_beq, 2, (uint64_t)__hble2(PAIR_OF(a, b), PAIR_OF(b, b)), x <= y && y <= y)
/* a complex product, in the order that the header says: re = a.x*b.x + c.x, then - a.y*b.y; im = a.x*b.y + c.y, then + a.y*b.x */
#define STEP(X, Y, Z) value(rounded(fused(X, Y, Z), NEAREST))
PAIR(hcmadd, 3, __hcmadd(PAIR_OF(a, b), PAIR_OF(b, c), PAIR_OF(c, a)), fused(-y, z, STEP(x, y, z)), fused(y, y, STEP(x, z, x)))

#define FOUR(C, NAME) C(NAME##_rz) C(NAME##_rn) C(NAME##_rd) C(NAME##_ru)
#define ROWS(C)                                                                                                        \
    C(hadd) C(hsub) C(hmul) C(hdiv) C(hadd_rn) C(hmul_rn) C(hadd_sat) C(hsub_sat) C(hmul_sat) C(hfma) C(hfma_sat)      \
    C(hfma_relu) C(hmax) C(hmin) C(hmax_nan) C(hmin_nan) C(habs) C(hneg) C(plus) C(hceil) C(hfloor) C(htrunc)          \
    C(hrint) C(hsqrt) C(hrsqrt) C(hrcp) C(hlog) C(hlog2) C(hlog10) C(hexp) C(hexp2) C(hexp10) C(hsin) C(hcos) C(htanh) \
    C(heq) C(heq_u) C(hlt) C(hlt_u) C(hle) C(hle_u) C(hgt) C(hgt_u) C(hge) C(hge_u) C(hne) C(hneu)                     \
    C(hisnan) C(hisinf) C(op_ne) C(op_lt) C(from_float) C(from_float_rn) C(from_float_rz) C(from_float_rd)             \
    C(from_float_ru) C(from_double) C(to_float) C(char_rz) C(uchar_rz) C(pair_hadd2) C(pair_hsub2) C(pair_hmul2)       \
    C(pair_h2div) C(pair_hfma2) C(pair_hfma2_sat) C(pair_hfma2_relu) C(pair_hmax2) C(pair_hmin2) C(pair_heq2)          \
    C(pair_hltu2) C(pair_hisnan2) C(pair_h2exp) C(pair_h2sqrt) C(pair_h2rint) C(pair_mask) C(pair_beq) C(pair_hcmadd)  \
    FOUR(C, short) FOUR(C, ushort) FOUR(C, int) FOUR(C, uint) FOUR(C, ll) FOUR(C, ull) FOUR(C, of_short)               \
    FOUR(C, of_ushort) FOUR(C, of_int) FOUR(C, of_uint) FOUR(C, of_ll) FOUR(C, of_ull)
COMPARE_ROWS
