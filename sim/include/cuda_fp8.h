/* cuda_fp8.h - numbers of 8 bits: e4m3 (no infinity, up to 448), e5m2, and e8m0, powers of two for scaling; alone, in
 * twos and in fours. For host and device code. */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"
#define __CUDA_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
/* What is too large: infinity (NaN where there is none), or the largest number. */
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
/* ---- to 8 bits ---- */

THREELANE_SMALL __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t kind)
{
    using namespace ::tl::small;
    const unsigned most = kind == __NV_E4M3 ? 0x7e : 0x7b;
    const uint64_t bits = bits_of(x), magnitude = bits & ~(1ull << 63);
    unsigned result = kind == __NV_E4M3 ? round_magnitude<4, 3>(magnitude, false, ::tl::small::TL_NEAREST, most)
                                        : round_magnitude<5, 2>(magnitude, false, ::tl::small::TL_NEAREST, most);
    /* a double that is no number keeps its sign, and in e5m2 what there is room for of the rest */
    if (x != x) result = kind == __NV_E4M3 ? 0x7f : 0x7e | (unsigned)(bits >> 50 & 1);
    else if (result > most && saturate == __NV_SATFINITE) result = most;
    return (__nv_fp8_storage_t)(bits >> 63 << 7 | result);
}
THREELANE_SMALL __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                         const __nv_fp8_interpretation_t kind)
{
    return x != x ? 0x7f : __nv_cvt_double_to_fp8((double)x, saturate, kind);
}
THREELANE_SMALL __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__half2float(x), saturate, kind);
}
THREELANE_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                               const __nv_saturation_t saturate,
                                                               const __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__bfloat162float(x), saturate, kind);
}
#define THREELANE_FP8_TWO(NAME, T2, ONE, X, Y)                                                     \
    THREELANE_SMALL __nv_fp8x2_storage_t NAME(const T2 x, const __nv_saturation_t saturate,        \
                                              const __nv_fp8_interpretation_t kind)                \
    {                                                                                              \
        return (__nv_fp8x2_storage_t)(ONE(Y, saturate, kind) << 8 | ONE(X, saturate, kind));       \
    }
THREELANE_FP8_TWO(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
THREELANE_FP8_TWO(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
THREELANE_FP8_TWO(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw{x.x}, __half_raw{x.y})
THREELANE_FP8_TWO(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
                  __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef THREELANE_FP8_TWO

/* ---- from 8 bits: a half holds all of them ---- */

THREELANE_SMALL __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind)
{
    const unsigned sign = (x & 0x80u) << 8, magnitude = x & 0x7fu;
    if (kind == __NV_E5M2) return __half_raw{(unsigned short)(magnitude > 0x7c ? 0x7fff : x << 8)};
    if (magnitude == 0x7f) return __half_raw{0x7fff};
    /* eight steps of exponent less, and subnormal ones become normal */
    const float value = ::tl::small::float_of(magnitude << 20) * 1.329227995784916e36f;
    return __half_raw{(unsigned short)(sign | ::tl::small::Nearest<5, 10>::of(value))};
}
THREELANE_SMALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                       const __nv_fp8_interpretation_t kind)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

/* ---- powers of two: 0 is 2^-127, 254 2^127, 255 no number. Signs are dropped. rounding: cudaRoundZero or PosInf ---- */

THREELANE_SMALL __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t saturate,
                                                           const enum cudaRoundMode rounding)
{
    const uint64_t magnitude = ::tl::small::bits_of(x) & ~(1ull << 63);
    int exponent = (int)(magnitude >> 52) - 1023 + 127;
    if (x != x) return 0xff;
    if (rounding == cudaRoundPosInf && (magnitude & ((1ull << 52) - 1))) exponent++;
    if (exponent < 0) return 0;
    return (__nv_fp8_storage_t)(exponent <= 254 ? exponent : saturate == __NV_SATFINITE ? 254 : 255);
}
THREELANE_SMALL __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t saturate,
                                                          const enum cudaRoundMode rounding)
{
    return __nv_cvt_double_to_e8m0((double)x, saturate, rounding);
}
THREELANE_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x,
                                                                const __nv_saturation_t saturate,
                                                                const enum cudaRoundMode rounding)
{
    return __nv_cvt_double_to_e8m0((double)__bfloat162float(x), saturate, rounding);
}
#define THREELANE_E8_TWO(NAME, T2, ONE, X, Y)                                                      \
    THREELANE_SMALL __nv_fp8x2_storage_t NAME(const T2 x, const __nv_saturation_t saturate,        \
                                              const enum cudaRoundMode rounding)                   \
    {                                                                                              \
        return (__nv_fp8x2_storage_t)(ONE(Y, saturate, rounding) << 8 | ONE(X, saturate, rounding)); \
    }
THREELANE_E8_TWO(__nv_cvt_double2_to_e8m0x2, double2, __nv_cvt_double_to_e8m0, x.x, x.y)
THREELANE_E8_TWO(__nv_cvt_float2_to_e8m0x2, float2, __nv_cvt_float_to_e8m0, x.x, x.y)
THREELANE_E8_TWO(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_e8m0,
                 __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef THREELANE_E8_TWO
THREELANE_SMALL __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x)
{
    return __nv_bfloat16_raw{(unsigned short)(x == 0xff ? 0x7fff : x == 0 ? 0x0040 : x << 7)};
}
THREELANE_SMALL __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
                              __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}

/* ---- types: conversions clamp to the largest number ---- */

namespace tl {
namespace small {
template <int KIND> struct Fp8;                       /* 0: e4m3, 1: e5m2, 2: e8m0 */
template <int KIND> struct FloatFp8 {
    static constexpr __nv_fp8_interpretation_t kind = KIND == 0 ? __NV_E4M3 : __NV_E5M2;
    static __nv_fp8_storage_t from(__half h) { return __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, kind); }
    static __nv_fp8_storage_t from(__nv_bfloat16 b) { return __nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, kind); }
    static __nv_fp8_storage_t from(float f) { return __nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind); }
    static __nv_fp8_storage_t from(double d) { return __nv_cvt_double_to_fp8(d, __NV_SATFINITE, kind); }
    static float to(__nv_fp8_storage_t x) { return __half2float(__nv_cvt_fp8_to_halfraw(x, kind)); }
    static bool is_zero(__nv_fp8_storage_t x) { return (x & 0x7f) == 0; }
};
template <> struct Fp8<0> : FloatFp8<0> {};
template <> struct Fp8<1> : FloatFp8<1> {};
template <> struct Fp8<2> {
    static __nv_fp8_storage_t from(__half h) { return from(__half2float(h)); }
    static __nv_fp8_storage_t from(__nv_bfloat16 b) { return from(__bfloat162float(b)); }
    static __nv_fp8_storage_t from(float f) { return __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf); }
    static __nv_fp8_storage_t from(double d) { return __nv_cvt_double_to_e8m0(d, __NV_SATFINITE, cudaRoundPosInf); }
    static float to(__nv_fp8_storage_t x) { return __bfloat162float(__nv_cvt_e8m0_to_bf16raw(x)); }
    static bool is_zero(__nv_fp8_storage_t) { return false; }
};
}
}

#define THREELANE_FP8_INTEGER(NAME, T, WIDE)                                                       \
    explicit NAME(const T i) : __x(tl_ops::from(::tl::small::integer_to_odd((WIDE)i))) {}          \
    explicit operator T() const { return ::tl::small::to_integer<T>(__builtin_trunc((double)tl_ops::to(__x))); }
#define THREELANE_FP8_TYPES(KIND, ONE, TWO, FOUR)                                                  \
    struct ONE {                                                                                   \
        typedef ::tl::small::Fp8<KIND> tl_ops;                                                     \
        __nv_fp8_storage_t __x;                                                                    \
        ONE() = default;                                                                           \
        explicit ONE(const __half f) : __x(tl_ops::from(f)) {}                                     \
        explicit ONE(const __nv_bfloat16 f) : __x(tl_ops::from(f)) {}                              \
        explicit ONE(const float f) : __x(tl_ops::from(f)) {}                                      \
        explicit ONE(const double f) : __x(tl_ops::from(f)) {}                                     \
        explicit operator __half() const { return __float2half(tl_ops::to(__x)); }                 \
        explicit operator __nv_bfloat16() const { return __float2bfloat16(tl_ops::to(__x)); }      \
        explicit operator float() const { return tl_ops::to(__x); }                                \
        explicit operator double() const { return (double)tl_ops::to(__x); }                       \
        explicit operator bool() const { return !tl_ops::is_zero(__x); }                           \
        THREELANE_FP8_INTEGER(ONE, unsigned short, long long)                                      \
        THREELANE_FP8_INTEGER(ONE, unsigned int, long long)                                        \
        THREELANE_FP8_INTEGER(ONE, unsigned long, unsigned long long)                              \
        THREELANE_FP8_INTEGER(ONE, unsigned long long, unsigned long long)                         \
        THREELANE_FP8_INTEGER(ONE, short, long long)                                               \
        THREELANE_FP8_INTEGER(ONE, int, long long)                                                 \
        THREELANE_FP8_INTEGER(ONE, long, long long)                                                \
        THREELANE_FP8_INTEGER(ONE, long long, long long)                                           \
        explicit operator signed char() const { return ::tl::small::to_integer<signed char>(__builtin_trunc((double)tl_ops::to(__x))); } \
        explicit operator unsigned char() const { return ::tl::small::to_integer<unsigned char>(__builtin_trunc((double)tl_ops::to(__x))); } \
        explicit operator char() const { return ::tl::small::to_integer<char>(__builtin_trunc((double)tl_ops::to(__x))); } \
    };                                                                                             \
    struct __attribute__((aligned(2))) TWO {                                                       \
        typedef ::tl::small::Fp8<KIND> tl_ops;                                                     \
        __nv_fp8x2_storage_t __x;                                                                  \
        TWO() = default;                                                                           \
        explicit TWO(const __half2 f) : __x((__nv_fp8x2_storage_t)(tl_ops::from(f.y) << 8 | tl_ops::from(f.x))) {} \
        explicit TWO(const __nv_bfloat162 f) : __x((__nv_fp8x2_storage_t)(tl_ops::from(f.y) << 8 | tl_ops::from(f.x))) {} \
        explicit TWO(const float2 f) : __x((__nv_fp8x2_storage_t)(tl_ops::from(f.y) << 8 | tl_ops::from(f.x))) {} \
        explicit TWO(const double2 f) : __x((__nv_fp8x2_storage_t)(tl_ops::from(f.y) << 8 | tl_ops::from(f.x))) {} \
        explicit operator float2() const                                                           \
        {                                                                                          \
            return float2{tl_ops::to((__nv_fp8_storage_t)__x), tl_ops::to((__nv_fp8_storage_t)(__x >> 8))}; \
        }                                                                                          \
        explicit operator __half2() const { return __float22half2_rn((float2)*this); }             \
        explicit operator __nv_bfloat162() const { return __float22bfloat162_rn((float2)*this); }  \
    };                                                                                             \
    struct __attribute__((aligned(4))) FOUR {                                                      \
        typedef ::tl::small::Fp8<KIND> tl_ops;                                                     \
        __nv_fp8x4_storage_t __x;                                                                  \
        FOUR() = default;                                                                          \
        template <class X> void set(X x, X y, X z, X w)                                            \
        {                                                                                          \
            __x = (unsigned)tl_ops::from(x) | (unsigned)tl_ops::from(y) << 8 | (unsigned)tl_ops::from(z) << 16 | \
                  (unsigned)tl_ops::from(w) << 24;                                                 \
        }                                                                                          \
        explicit FOUR(const __half2 low, const __half2 high) { set(low.x, low.y, high.x, high.y); } \
        explicit FOUR(const __nv_bfloat162 low, const __nv_bfloat162 high) { set(low.x, low.y, high.x, high.y); } \
        explicit FOUR(const float4 f) { set(f.x, f.y, f.z, f.w); }                                 \
        explicit FOUR(const double4 f) { set(f.x, f.y, f.z, f.w); }                                \
        explicit FOUR(const double4_16a f) { set(f.x, f.y, f.z, f.w); }                            \
        explicit FOUR(const double4_32a f) { set(f.x, f.y, f.z, f.w); }                            \
        explicit operator float4() const                                                           \
        {                                                                                          \
            return float4{tl_ops::to((__nv_fp8_storage_t)__x), tl_ops::to((__nv_fp8_storage_t)(__x >> 8)), \
                          tl_ops::to((__nv_fp8_storage_t)(__x >> 16)), tl_ops::to((__nv_fp8_storage_t)(__x >> 24))}; \
        }                                                                                          \
    };
THREELANE_FP8_TYPES(0, __nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3)
THREELANE_FP8_TYPES(1, __nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2)
THREELANE_FP8_TYPES(2, __nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0)
#undef THREELANE_FP8_TYPES
#undef THREELANE_FP8_INTEGER
#endif
#endif
