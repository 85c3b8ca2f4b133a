// half: every function of it, for all of its 65,536 values where it has one argument, against double arithmetic.
// schedules: 0
// out: ok half
#include "small_floats.h"
#include <cuda_fp16.h>
typedef __half SMALL;
static __device__ __half from_bits(unsigned u) { return __ushort_as_half((unsigned short)u); }
static __device__ uint64_t to_bits(__half h) { return __half_as_ushort(h); }
static __device__ uint64_t pair_bits(__half2 h) { unsigned u; memcpy(&u, &h, 4); return u; }
static double value(unsigned u) { return decode(u & 0xffff, 5, 10); }
static unsigned rounded(double x, int mode) { return encode(x, mode, 5, 10, 0x7fff); }
#define TL_FROM(T, MODE) __##T##2half##MODE
#define TL_TO(T, MODE) __half2##T##MODE
#define PAIR_OF(A, B) __halves2half2(A, B)
#define NAN_AS_FLOAT(U) 0x7fffffff
#include "small_rows.h"
int main() { compare_all(); return finish("half"); }
