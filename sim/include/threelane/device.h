/* threelane/device.h - what device code may call: barriers, warps, atomics, clocks, small intrinsics. Mathematics is in
 * threelane/math.h. */
#ifndef THREELANE_DEVICE_H
#define THREELANE_DEVICE_H
#include "threelane/kernel.h"

/* Where a barrier or warp primitive was called, for reports about those that cannot complete. */
#define THREELANE_AT const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define THREELANE_DEVICE static inline __attribute__((always_inline, unused))

/* ---- barriers and fences ---- */

THREELANE_DEVICE void __syncthreads(THREELANE_AT) { threelane_sync(file, line); }
THREELANE_DEVICE int __syncthreads_count(int predicate, THREELANE_AT)
{
    return threelane_sync_vote(predicate, THREELANE_SYNC_COUNT, file, line);
}
THREELANE_DEVICE int __syncthreads_and(int predicate, THREELANE_AT)
{
    return threelane_sync_vote(predicate, THREELANE_SYNC_AND, file, line);
}
THREELANE_DEVICE int __syncthreads_or(int predicate, THREELANE_AT)
{
    return threelane_sync_vote(predicate, THREELANE_SYNC_OR, file, line);
}
THREELANE_DEVICE void __barrier_sync_count(unsigned number, unsigned threads, THREELANE_AT)
{
    threelane_sync_named(number, threads, 1, file, line);
}
THREELANE_DEVICE void __barrier_sync(unsigned number, THREELANE_AT)
{
    threelane_sync_named(number, blockDim.x * blockDim.y * blockDim.z, 1, file, line);
}
THREELANE_DEVICE void __threadfence() { threelane_fence(); }
THREELANE_DEVICE void __threadfence_system() { threelane_fence(); }
THREELANE_DEVICE void __threadfence_block() { threelane_fence_block(); }
THREELANE_DEVICE void __threadfence_cluster() { threelane_fence(); }

/* ---- kernels that begin before the one before them has ended ---- */

THREELANE_DEVICE void cudaTriggerProgrammaticLaunchCompletion() { threelane_trigger(); }
THREELANE_DEVICE void cudaGridDependencySynchronize(THREELANE_AT) { threelane_depend(file, line); }

/* ---- warps ---- */

#define THREELANE_FULL 32
THREELANE_DEVICE void __syncwarp(unsigned mask = 0xffffffffu, THREELANE_AT)
{
    threelane_warp(THREELANE_WARP_SYNC, mask, 0, 0, THREELANE_FULL, 0, file, line);
}
THREELANE_DEVICE unsigned __activemask(THREELANE_AT)
{
    return (unsigned)threelane_warp(THREELANE_WARP_ACTIVE, 0, 0, 0, THREELANE_FULL, 0, file, line);
}
THREELANE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate, THREELANE_AT)
{
    return (unsigned)threelane_warp(THREELANE_BALLOT, mask, predicate != 0, 0, THREELANE_FULL, 0, file, line);
}
THREELANE_DEVICE int __uni_sync(unsigned mask, int predicate, THREELANE_AT)
{
    const unsigned votes = __ballot_sync(mask, predicate, file, line);
    return votes == 0 || __ballot_sync(mask, !predicate, file, line) == 0;
}
THREELANE_DEVICE int __any_sync(unsigned mask, int predicate, THREELANE_AT)
{
    return __ballot_sync(mask, predicate, file, line) != 0;
}
THREELANE_DEVICE int __all_sync(unsigned mask, int predicate, THREELANE_AT)
{
    return __ballot_sync(mask, !predicate, file, line) == 0;
}

namespace tl {
template <class T> THREELANE_INLINE uint64_t pack(T value)
{
    static_assert(sizeof(T) <= 8, "warp primitives move at most 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> THREELANE_INLINE T unpack(uint64_t bits)
{
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T>
THREELANE_INLINE T shuffle(ThreelaneWarpOp op, unsigned mask, T value, unsigned lane, int width, int *in_range,
                           const char *file, int line)
{
    return unpack<T>(threelane_warp(op, mask, pack(value), lane, (unsigned)width, in_range, file, line));
}
}

template <class T> THREELANE_DEVICE T __shfl_sync(unsigned mask, T value, int lane, int width = 32, THREELANE_AT)
{
    return ::tl::shuffle(THREELANE_SHFL_IDX, mask, value, (unsigned)lane, width, 0, file, line);
}
template <class T> THREELANE_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, THREELANE_AT)
{
    return ::tl::shuffle(THREELANE_SHFL_UP, mask, value, by, width, 0, file, line);
}
template <class T>
THREELANE_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, THREELANE_AT)
{
    return ::tl::shuffle(THREELANE_SHFL_DOWN, mask, value, by, width, 0, file, line);
}
template <class T> THREELANE_DEVICE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, THREELANE_AT)
{
    return ::tl::shuffle(THREELANE_SHFL_XOR, mask, value, (unsigned)lanes, width, 0, file, line);
}
template <class T> THREELANE_DEVICE unsigned __match_any_sync(unsigned mask, T value, THREELANE_AT)
{
    return (unsigned)threelane_warp(THREELANE_MATCH_ANY, mask, ::tl::pack(value), 0, THREELANE_FULL, 0, file, line);
}
template <class T> THREELANE_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *same, THREELANE_AT)
{
    return (unsigned)threelane_warp(THREELANE_MATCH_ALL, mask, ::tl::pack(value), 0, THREELANE_FULL, same, file, line);
}

#define THREELANE_REDUCE(T, NAME, OP)                                                              \
    THREELANE_DEVICE T __reduce_##NAME##_sync(unsigned mask, T value, THREELANE_AT)                \
    {                                                                                              \
        return (T)threelane_warp(OP, mask, (unsigned)value, 0, THREELANE_FULL, 0, file, line);     \
    }
THREELANE_REDUCE(unsigned, add, THREELANE_REDUCE_ADD)
THREELANE_REDUCE(int, add, THREELANE_REDUCE_ADD)
THREELANE_REDUCE(unsigned, min, THREELANE_REDUCE_UMIN)
THREELANE_REDUCE(int, min, THREELANE_REDUCE_MIN)
THREELANE_REDUCE(unsigned, max, THREELANE_REDUCE_UMAX)
THREELANE_REDUCE(int, max, THREELANE_REDUCE_MAX)
THREELANE_REDUCE(unsigned, and, THREELANE_REDUCE_AND)
THREELANE_REDUCE(unsigned, or, THREELANE_REDUCE_OR)
THREELANE_REDUCE(unsigned, xor, THREELANE_REDUCE_XOR)
#undef THREELANE_REDUCE

/* ---- atomics ---- */

#if !THREELANE_INSTRUMENTED
namespace tl {
#define THREELANE_ADD_AS(T, BITS)                                                                  \
    THREELANE_DEVICE BITS add_as_float(BITS a, BITS b)                                             \
    {                                                                                              \
        T sum, more;                                                                               \
        __builtin_memcpy(&sum, &a, sizeof sum);                                                    \
        __builtin_memcpy(&more, &b, sizeof more);                                                  \
        sum += more;                                                                               \
        __builtin_memcpy(&a, &sum, sizeof a);                                                      \
        return a;                                                                                  \
    }
THREELANE_ADD_AS(float, uint32_t)
THREELANE_ADD_AS(double, uint64_t)
#undef THREELANE_ADD_AS

/* In the block's own shared memory an atomic operation is an operation; one that only reads may be a poll, and is left
 * to the executor. True: it is done, and was is what was there. */
template <int OP, class BITS, class SIGNED> THREELANE_DEVICE bool own_atomic(void *address, BITS x, BITS &was)
{
    const uintptr_t at = (uintptr_t)address;
    if (at % sizeof(BITS) || (at - threelane_static_at >= threelane_static_bytes &&
                              at - (uintptr_t)threelane_dynamic_at >= threelane_dynamic_bytes))
        return false;
    BITS old, now;
    __builtin_memcpy(&old, address, sizeof old);
    switch (OP) {
    case THREELANE_ADD: now = old + x; break;
    case THREELANE_SUB: now = old - x; break;
    case THREELANE_MIN: now = (SIGNED)x < (SIGNED)old ? x : old; break;
    case THREELANE_MAX: now = (SIGNED)x > (SIGNED)old ? x : old; break;
    case THREELANE_UMIN: now = x < old ? x : old; break;
    case THREELANE_UMAX: now = x > old ? x : old; break;
    case THREELANE_AND: now = old & x; break;
    case THREELANE_OR: now = old | x; break;
    case THREELANE_XOR: now = old ^ x; break;
    case THREELANE_ADD_FLOAT: now = add_as_float(old, x); break;
    default: return false;
    }
    if ((OP == THREELANE_ADD || OP == THREELANE_SUB || OP == THREELANE_OR || OP == THREELANE_XOR) && !x) return false;
    __builtin_memcpy(address, &now, sizeof now);
    threelane_accesses++;
    was = old;
    return true;
}
}
#define THREELANE_OWN(OP, BITS)                                                                    \
    if (!::tl::own_atomic<OP, uint##BITS##_t, int##BITS##_t>((void *)address, bits, bits))
#else
#define THREELANE_OWN(OP, BITS)
#endif

/* (A template that is used in a header is instantiated in every program: not here, and not below.) */
#define THREELANE_ATOMIC_SCOPE(NAME, BITS, T, OP)                                                  \
    THREELANE_DEVICE T NAME(T *address, T value)                                                   \
    {                                                                                              \
        uint##BITS##_t bits;                                                                       \
        __builtin_memcpy(&bits, &value, sizeof bits);                                              \
        THREELANE_OWN(OP, BITS)                                                                    \
        bits = threelane_atomic##BITS((void *)address, OP, bits);                                  \
        __builtin_memcpy(&value, &bits, sizeof bits);                                              \
        return value;                                                                              \
    }
#define THREELANE_ATOMIC(NAME, BITS, T, OP)                                                        \
    THREELANE_ATOMIC_SCOPE(NAME, BITS, T, OP)                                                      \
    THREELANE_ATOMIC_SCOPE(NAME##_block, BITS, T, OP)                                              \
    THREELANE_ATOMIC_SCOPE(NAME##_system, BITS, T, OP)
THREELANE_ATOMIC(atomicAdd, 32, int, THREELANE_ADD)
THREELANE_ATOMIC(atomicAdd, 32, unsigned, THREELANE_ADD)
THREELANE_ATOMIC(atomicAdd, 64, unsigned long long, THREELANE_ADD)
THREELANE_ATOMIC(atomicAdd, 32, float, THREELANE_ADD_FLOAT)
THREELANE_ATOMIC(atomicAdd, 64, double, THREELANE_ADD_FLOAT)
THREELANE_ATOMIC(atomicSub, 32, int, THREELANE_SUB)
THREELANE_ATOMIC(atomicSub, 32, unsigned, THREELANE_SUB)
THREELANE_ATOMIC(atomicExch, 32, int, THREELANE_EXCH)
THREELANE_ATOMIC(atomicExch, 32, unsigned, THREELANE_EXCH)
THREELANE_ATOMIC(atomicExch, 64, unsigned long long, THREELANE_EXCH)
THREELANE_ATOMIC(atomicExch, 32, float, THREELANE_EXCH)
THREELANE_ATOMIC(atomicMin, 32, int, THREELANE_MIN)
THREELANE_ATOMIC(atomicMin, 32, unsigned, THREELANE_UMIN)
THREELANE_ATOMIC(atomicMin, 64, long long, THREELANE_MIN)
THREELANE_ATOMIC(atomicMin, 64, unsigned long long, THREELANE_UMIN)
THREELANE_ATOMIC(atomicMax, 32, int, THREELANE_MAX)
THREELANE_ATOMIC(atomicMax, 32, unsigned, THREELANE_UMAX)
THREELANE_ATOMIC(atomicMax, 64, long long, THREELANE_MAX)
THREELANE_ATOMIC(atomicMax, 64, unsigned long long, THREELANE_UMAX)
THREELANE_ATOMIC(atomicInc, 32, unsigned, THREELANE_INC)
THREELANE_ATOMIC(atomicDec, 32, unsigned, THREELANE_DEC)
#define THREELANE_ATOMIC_BITS(NAME, OP)                                                            \
    THREELANE_ATOMIC(NAME, 32, int, OP)                                                            \
    THREELANE_ATOMIC(NAME, 32, unsigned, OP)                                                       \
    THREELANE_ATOMIC(NAME, 64, unsigned long long, OP)
THREELANE_ATOMIC_BITS(atomicAnd, THREELANE_AND)
THREELANE_ATOMIC_BITS(atomicOr, THREELANE_OR)
THREELANE_ATOMIC_BITS(atomicXor, THREELANE_XOR)
#undef THREELANE_ATOMIC_BITS
#undef THREELANE_ATOMIC
#undef THREELANE_ATOMIC_SCOPE
#undef THREELANE_OWN

#define THREELANE_CAS_SCOPE(NAME, T)                                                               \
    THREELANE_DEVICE T NAME(T *address, T compare, T value)                                        \
    {                                                                                              \
        uint64_t was = 0, now = 0;                                                                 \
        __builtin_memcpy(&was, &compare, sizeof compare);                                          \
        __builtin_memcpy(&now, &value, sizeof value);                                              \
        was = threelane_atomic_cas((void *)address, sizeof(T), was, now);                          \
        __builtin_memcpy(&value, &was, sizeof value);                                              \
        return value;                                                                              \
    }
#define THREELANE_CAS(T)                                                                           \
    THREELANE_CAS_SCOPE(atomicCAS, T)                                                              \
    THREELANE_CAS_SCOPE(atomicCAS_block, T)                                                        \
    THREELANE_CAS_SCOPE(atomicCAS_system, T)
THREELANE_CAS(int)
THREELANE_CAS(unsigned)
THREELANE_CAS(unsigned short)
THREELANE_CAS(unsigned long long)
#undef THREELANE_CAS
#undef THREELANE_CAS_SCOPE

/* ---- time and place ---- */

THREELANE_DEVICE long long clock64() { return (long long)threelane_clock64(); }
THREELANE_DEVICE void __nanosleep(unsigned ns) { threelane_nanosleep(ns); }
THREELANE_DEVICE void __trap() { threelane_trap(); }
THREELANE_DEVICE void __brkpt() {}
THREELANE_DEVICE void __prof_trigger(int) {}

/* What inline PTX reads: tlcc turns asm("mov.u64 %0, %globaltimer;" : "=l"(t)) into t = ::tl::ptx::globaltimer(). */
namespace tl {
namespace ptx {
THREELANE_DEVICE unsigned long long globaltimer() { return threelane_globaltimer(); }
THREELANE_DEVICE unsigned globaltimer_lo() { return (unsigned)threelane_globaltimer(); }
THREELANE_DEVICE unsigned globaltimer_hi() { return (unsigned)(threelane_globaltimer() >> 32); }
THREELANE_DEVICE unsigned long long clock64() { return threelane_clock64(); }
THREELANE_DEVICE unsigned clock() { return (unsigned)threelane_clock64(); }
THREELANE_DEVICE unsigned clock_hi() { return (unsigned)(threelane_clock64() >> 32); }
THREELANE_DEVICE unsigned laneid() { return threelane_special(THREELANE_LANE_ID); }
THREELANE_DEVICE unsigned warpid() { return threelane_special(THREELANE_WARP_ID); }
THREELANE_DEVICE unsigned nwarpid() { return threelane_special(THREELANE_WARPS); }
THREELANE_DEVICE unsigned smid() { return threelane_special(THREELANE_SM_ID); }
THREELANE_DEVICE unsigned nsmid() { return threelane_special(THREELANE_SMS); }
THREELANE_DEVICE unsigned lanemask_eq() { return 1u << laneid(); }
THREELANE_DEVICE unsigned lanemask_lt() { return (1u << laneid()) - 1; }
THREELANE_DEVICE unsigned lanemask_le() { return (2u << laneid()) - 1; }
THREELANE_DEVICE unsigned lanemask_gt() { return ~lanemask_le(); }
THREELANE_DEVICE unsigned lanemask_ge() { return ~lanemask_lt(); }
}
}

/* ---- loads and stores with a cache hint: plain ones here ---- */

template <class T> THREELANE_DEVICE T __ldg(const T *from) { return *from; }
template <class T> THREELANE_DEVICE T __ldcg(const T *from) { return *from; }
template <class T> THREELANE_DEVICE T __ldca(const T *from) { return *from; }
template <class T> THREELANE_DEVICE T __ldcs(const T *from) { return *from; }
template <class T> THREELANE_DEVICE T __ldlu(const T *from) { return *from; }
template <class T> THREELANE_DEVICE T __ldcv(const T *from) { return *from; }
template <class T> THREELANE_DEVICE void __stwb(T *to, T value) { *to = value; }
template <class T> THREELANE_DEVICE void __stcg(T *to, T value) { *to = value; }
template <class T> THREELANE_DEVICE void __stcs(T *to, T value) { *to = value; }
template <class T> THREELANE_DEVICE void __stwt(T *to, T value) { *to = value; }
/* Every kind of memory has generic addresses here, and the others are the same. */
#define THREELANE_CVTA(SPACE)                                                                      \
    THREELANE_DEVICE size_t __cvta_generic_to_##SPACE(const void *address) { return (size_t)address; } \
    THREELANE_DEVICE void *__cvta_##SPACE##_to_generic(size_t address) { return (void *)address; }
THREELANE_CVTA(global) THREELANE_CVTA(local) THREELANE_CVTA(constant) THREELANE_CVTA(grid_constant)
#undef THREELANE_CVTA
THREELANE_DEVICE size_t __cvta_generic_to_shared(const void *address) { return (size_t)address; }
THREELANE_DEVICE void *__cvta_shared_to_generic(size_t address) { return threelane_shared_at(address); }

THREELANE_DEVICE unsigned __isShared(const void *address) { return (unsigned)threelane_is_shared(address); }
THREELANE_DEVICE unsigned __isGlobal(const void *address) { return (unsigned)threelane_is_global(address); }
THREELANE_DEVICE unsigned __isCtaShared(const void *address) { return (unsigned)threelane_is_shared(address); }
THREELANE_DEVICE unsigned __isLocal(const void *address)
{
    return !threelane_is_shared(address) && !threelane_is_global(address);
}

/* ---- integers ---- */

THREELANE_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
THREELANE_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
THREELANE_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
THREELANE_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
THREELANE_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
THREELANE_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
THREELANE_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) result |= (unsigned)(both >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}
THREELANE_DEVICE unsigned __brev(unsigned x)
{
    x = x >> 16 | x << 16;
    x = (x & 0xff00ff00u) >> 8 | (x & 0x00ff00ffu) << 8;
    x = (x & 0xf0f0f0f0u) >> 4 | (x & 0x0f0f0f0fu) << 4;
    x = (x & 0xccccccccu) >> 2 | (x & 0x33333333u) << 2;
    return (x & 0xaaaaaaaau) >> 1 | (x & 0x55555555u) << 1;
}
THREELANE_DEVICE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
THREELANE_DEVICE int __mul24(int x, int y) { return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8)); }
THREELANE_DEVICE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
THREELANE_DEVICE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
THREELANE_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
THREELANE_DEVICE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
THREELANE_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
THREELANE_DEVICE unsigned __sad(int x, int y, unsigned z) { return z + (unsigned)(x > y ? x - y : y - x); }
THREELANE_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x > y ? x - y : y - x); }
THREELANE_DEVICE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
THREELANE_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
THREELANE_DEVICE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
THREELANE_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }
THREELANE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
THREELANE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
THREELANE_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by)
{
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
THREELANE_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by)
{
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
#include "threelane/simd.h"

/* ---- the same bits as another type ---- */

#define THREELANE_SAME_BITS(TO, NAME, FROM)                                                        \
    THREELANE_DEVICE TO NAME(FROM x)                                                               \
    {                                                                                              \
        TO value;                                                                                  \
        static_assert(sizeof x == sizeof value, "the same bits");                                  \
        __builtin_memcpy(&value, &x, sizeof value);                                                \
        return value;                                                                              \
    }
THREELANE_SAME_BITS(float, __int_as_float, int)
THREELANE_SAME_BITS(float, __uint_as_float, unsigned)
THREELANE_SAME_BITS(int, __float_as_int, float)
THREELANE_SAME_BITS(unsigned, __float_as_uint, float)
THREELANE_SAME_BITS(double, __longlong_as_double, long long)
THREELANE_SAME_BITS(long long, __double_as_longlong, double)
#undef THREELANE_SAME_BITS
THREELANE_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
THREELANE_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
THREELANE_DEVICE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)((uint64_t)(unsigned)high << 32 | (unsigned)low));
}

#include "threelane/math.h"
#endif
