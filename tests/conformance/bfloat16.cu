// __nv_bfloat16: every function of it, for all of its 65,536 values where it has one argument, against double arithmetic.
// schedules: 0
// out: ok bfloat16
#include "small_floats.h"
#include <cuda_bf16.h>
typedef __nv_bfloat16 SMALL;
static __device__ __nv_bfloat16 from_bits(unsigned u) { return __ushort_as_bfloat16((unsigned short)u); }
static __device__ uint64_t to_bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
static __device__ uint64_t pair_bits(__nv_bfloat162 h) { unsigned u; memcpy(&u, &h, 4); return u; }
static double value(unsigned u) { return decode(u & 0xffff, 8, 7); }
static unsigned rounded(double x, int mode) { return encode(x, mode, 8, 7, 0x7fff); }
#define TL_FROM(T, MODE) __##T##2bfloat16##MODE
#define TL_TO(T, MODE) __bfloat162##T##MODE
#define PAIR_OF(A, B) __halves2bfloat162(A, B)
#define NAN_AS_FLOAT(U) ((U) << 16)
#include "small_rows.h"
int main() { compare_all(); return finish("bfloat16"); }
