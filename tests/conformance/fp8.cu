// e4m3, e5m2 and e8m0: conversions from and to all types, for all 65,536 values of those that have 16 bits, against double arithmetic.
// schedules: 0
// out: ok fp8
#include "small_floats.h"
#include <cuda_fp8.h>
typedef unsigned SMALL;
static __device__ unsigned from_bits(unsigned u) { return u; }
static double value(unsigned u) { return u; }
static __host__ __device__ float float_of(unsigned bits) { float f; memcpy(&f, &bits, 4); return f; }
static __host__ __device__ float given(unsigned u) { return float_of(u << 16 | (u * 2654435761u >> 30 == 0 ? 0 : u * 2654435761u >> 30 == 1 ? 1 : u * 2654435761u >> 30 == 2 ? 0x8000 : 0xffff)); }
/* between floats; what a double that is no number becomes is not said */
static __host__ __device__ double near(unsigned u) { return isnan(given(u)) ? 1.0 : given(u) * (1 + 1e-12); }
/* e4m3 has no infinity: its numbers go on to 448, and only all bits set is none */
static unsigned e4m3(double x, bool clamp)
{
    if (isnan(x)) return 0x7f;
    unsigned sign = signbit(x) ? 0x80 : 0;
    if (fabs(x) < 240) return encode(x, NEAREST, 4, 3, 0x7f);
    double step = fabs(x) < 256 ? 16 : 32, whole = nearbyint(fabs(x) / step) * step;
    if (whole > 448) return sign | (clamp ? 0x7e : 0x7f);
    return sign | (whole < 256 ? 0x77u : 0x78u + (unsigned)(whole - 256) / 32);
}
static unsigned e5m2(double x, bool clamp)
{
    unsigned bits = encode(x, NEAREST, 5, 2, 0x7f);
    return clamp && (bits & 0x7f) == 0x7c ? bits - 1 : bits;
}
static double from_e4m3(unsigned u) { return (u & 0x7f) == 0x7f ? NAN : (u & 0x78) == 0x78 ? (u & 0x80 ? -1. : 1.) * (256 + 32 * (u & 7)) : decode(u & 0xff, 4, 3); }
static double from_e5m2(unsigned u) { return decode(u & 0xff, 5, 2); }
static unsigned half_bits(double x) { return encode(x, NEAREST, 5, 10, 0x7fff); }
static __host__ __device__ __half_raw half_of(unsigned u) { __half_raw r; r.x = (unsigned short)u; return r; }
static __host__ __device__ __nv_bfloat16_raw bf_of(unsigned u) { __nv_bfloat16_raw r; r.x = (unsigned short)u; return r; }
static double half_value(unsigned u) { return decode(u & 0xffff, 5, 10); }
static double bf_value(unsigned u) { return decode(u & 0xffff, 8, 7); }
#define KINDS(NAME, K, KIND)                                                                              \
    ROW(half_##NAME##_sat, 1, __nv_cvt_halfraw_to_fp8(half_of(u), __NV_SATFINITE, K), KIND(half_value(u), true))     \
    ROW(half_##NAME, 1, __nv_cvt_halfraw_to_fp8(half_of(u), __NV_NOSAT, K), KIND(half_value(u), false))     \
    ROW(bf_##NAME##_sat, 1, __nv_cvt_bfloat16raw_to_fp8(bf_of(u), __NV_SATFINITE, K), KIND(bf_value(u), true))     \
    ROW(bf_##NAME, 1, __nv_cvt_bfloat16raw_to_fp8(bf_of(u), __NV_NOSAT, K), KIND(bf_value(u), false))     \
    ROW(float_##NAME##_sat, 1, __nv_cvt_float_to_fp8(given(u), __NV_SATFINITE, K), KIND(given(u), true))     \
    ROW(float_##NAME, 1, __nv_cvt_float_to_fp8(given(u), __NV_NOSAT, K), KIND(given(u), false))     \
    ROW(double_##NAME##_sat, 1, __nv_cvt_double_to_fp8(near(u), __NV_SATFINITE, K), KIND(near(u), true))     \
    ROW(double_##NAME, 1, __nv_cvt_double_to_fp8(near(u), __NV_NOSAT, K), KIND(near(u), false))     \
    ROW(pair_##NAME, 1, __nv_cvt_float2_to_fp8x2(make_float2(given(u), given(u ^ 0x8421)), __NV_SATFINITE, K), KIND(given(u), true) | KIND(given(u ^ 0x8421), true) << 8) \
    ROW(to_half_##NAME, 1, __nv_cvt_fp8_to_halfraw((unsigned char)u, K).x, half_bits(from_##KIND(u)))     \
    ROW(to_float_##NAME, 1, float_bits((float)type_##NAME(u)), isnan(from_##KIND(u)) ? 0x7fffffff : float_bits((float)from_##KIND(u)))
static __host__ __device__ uint64_t float_bits(float f) { unsigned u; memcpy(&u, &f, 4); return u; }
static __host__ __device__ __nv_fp8_e4m3 type_4(unsigned u) { __nv_fp8_e4m3 x; x.__x = (unsigned char)u; return x; }
static __host__ __device__ __nv_fp8_e5m2 type_5(unsigned u) { __nv_fp8_e5m2 x; x.__x = (unsigned char)u; return x; }
KINDS(4, __NV_E4M3, e4m3)
KINDS(5, __NV_E5M2, e5m2)
static __host__ __device__ __nv_fp8_e8m0 scale_of(unsigned u) { __nv_fp8_e8m0 x; x.__x = (unsigned char)u; return x; }
static unsigned e8m0(double x, bool up, bool clamp)
{
    int e;
    x = fabs(x);
    if (isnan(x)) return 0xff;
    if (isinf(x)) return clamp ? 0xfe : 0xff;
    if (x == 0) return 0;
    double m = frexp(x, &e);
    int exponent = up && m > 0.5 ? e : e - 1;
    if (exponent < -127) return 0;
    if (exponent > 127) return clamp ? 0xfe : 0xff;
    return (unsigned)(exponent + 127);
}
ROW(float_8_rz, 1, __nv_cvt_float_to_e8m0(given(u), __NV_NOSAT, cudaRoundZero), e8m0(given(u), false, false))
ROW(float_8_rz_sat, 1, __nv_cvt_float_to_e8m0(given(u), __NV_SATFINITE, cudaRoundZero), e8m0(given(u), false, true))
ROW(float_8_ru, 1, __nv_cvt_float_to_e8m0(given(u), __NV_NOSAT, cudaRoundPosInf), e8m0(given(u), true, false))
ROW(float_8_ru_sat, 1, __nv_cvt_float_to_e8m0(given(u), __NV_SATFINITE, cudaRoundPosInf), e8m0(given(u), true, true))
ROW(double_8_ru, 1, __nv_cvt_double_to_e8m0(near(u), __NV_NOSAT, cudaRoundPosInf), e8m0(near(u), true, false))
ROW(bf_8_ru, 1, __nv_cvt_bfloat16raw_to_e8m0(bf_of(u), __NV_NOSAT, cudaRoundPosInf), e8m0(bf_value(u), true, false))
ROW(to_bf_8, 1, __nv_cvt_e8m0_to_bf16raw((unsigned char)u).x, (u & 0xff) == 0xff ? 0x7fff : encode(ldexp(1, (int)(u & 0xff) - 127), NEAREST, 8, 7, 0x7fff))
ROW(to_float_8, 1, float_bits((float)scale_of(u)), (u & 0xff) == 0xff ? 0x7fff0000 : float_bits((float)ldexp(1, (int)(u & 0xff) - 127)))
#define KIND_ROWS(C, N)                                                                                                \
    C(half_##N##_sat) C(half_##N) C(bf_##N##_sat) C(bf_##N) C(float_##N##_sat) C(float_##N) C(double_##N##_sat)        \
    C(double_##N) C(pair_##N) C(to_half_##N) C(to_float_##N)
#define ROWS(C)                                                                                                        \
    KIND_ROWS(C, 4) KIND_ROWS(C, 5) C(float_8_rz) C(float_8_rz_sat) C(float_8_ru) C(float_8_ru_sat) C(double_8_ru)     \
    C(bf_8_ru) C(to_bf_8) C(to_float_8)
COMPARE_ROWS

int main()
{
    compare_all();
    return finish("fp8");
}
