/* threelane/words.h - the words that CUDA adds to C++.
 *
 * What tlcc looks for in a text of which it has all macros replaced (a toolkit's own libraries: sim/tlcc/toolkit.h) must
 * still be there: then it gives these to the second pass. Thus nothing but #define, and nothing is included. */
#ifndef THREELANE_WORDS_H
#define THREELANE_WORDS_H
/* A function of its own, whose place says which kernel it is (a graph's node is asked for it). */
#ifdef __clang__
#define __global__ __attribute__((noinline))
#else
#define __global__ __attribute__((noinline, noclone))
#endif
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __shared__ static __thread
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__                  /* must also be good inside the C++ library's __attribute__((__noinline__)) */
#ifndef __align__
#define __align__(N) __attribute__((aligned(N)))
#endif
#define __builtin_align__(N) __attribute__((aligned(N)))
#define threadIdx (::tl::thread_index())
#endif
