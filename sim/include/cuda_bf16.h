/* cuda_bf16.h - __nv_bfloat16 and pairs of it: a float without its last 16 bits, for host and device code.
 * threelane/small_float.h says how its arithmetic works, docs/types.md what a card does otherwise. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#include "vector_types.h"
#ifdef __cplusplus
#include "cuda_fp16.h"

#define __CUDA_BF16_TYPES_EXIST__
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define SMALL_NO_CONVERSIONS
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define SMALL_NO_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define SMALL_NO_OPERATORS2
#endif
#define SMALL_T __nv_bfloat16
#define SMALL_T2 __nv_bfloat162
#define SMALL_RAW __nv_bfloat16_raw
#define SMALL_RAW2 __nv_bfloat162_raw
#define SMALL_STEM bfloat16
#define SMALL_E 8
#define SMALL_M 7
#define SMALL_OTHERS \
    explicit __nv_bfloat16(const __half h) { *this = __float2bfloat16(__half2float(h)); }
#include "threelane/small_float.def"

inline __half::__half(const __nv_bfloat16 h) { *this = __float2half(__bfloat162float(h)); }

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#else
typedef struct __attribute__((aligned(2))) { unsigned short x; } __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __nv_bfloat162_raw;
#endif
#endif
