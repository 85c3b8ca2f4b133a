/* cuda_fp16.h - half and half2: IEEE binary16, for host and device code. threelane/small_float.h says how its
 * arithmetic works, docs/types.md what a card does otherwise. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#include "vector_types.h"
#ifdef __cplusplus
#include "threelane/small_float.h"

#define __CUDA_FP16_TYPES_EXIST__
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define SMALL_NO_CONVERSIONS
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define SMALL_NO_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define SMALL_NO_OPERATORS2
#endif
struct __nv_bfloat16;
#define SMALL_T __half
#define SMALL_T2 __half2
#define SMALL_RAW __half_raw
#define SMALL_RAW2 __half2_raw
#define SMALL_STEM half
#define SMALL_E 5
#define SMALL_M 10
#define SMALL_OTHERS explicit inline __half(const __nv_bfloat16 h);    /* cuda_bf16.h has it */
#include "threelane/small_float.def"

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#else
typedef struct __attribute__((aligned(2))) { unsigned short x; } __half_raw;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __half2_raw;
#endif
#endif
