/* threelane/assembler.h - what tlcc makes of inline PTX that copies asynchronously or uses barriers in shared memory
 * (sim/rewrite/ptx.c). Addresses of shared memory may have been cut to 32 bits, as they are on a card. */
#ifndef THREELANE_ASSEMBLER_H
#define THREELANE_ASSEMBLER_H
#include "threelane/self.h"

namespace tl {
namespace ptx {
typedef unsigned long long Address;
THREELANE_DEVICE void *shared(Address at) { return threelane_shared_at(at); }

THREELANE_DEVICE void cp_async(Address to, Address from, unsigned bytes) { threelane_copy_async(shared(to), (void *)from, bytes, bytes); }
THREELANE_DEVICE void cp_async(Address to, Address from, unsigned bytes, unsigned filled)
{
    threelane_copy_async(shared(to), (void *)from, bytes, filled);
}
THREELANE_DEVICE void cp_async_arrive(Address at, bool counted, THREELANE_AT)
{
    threelane_copy_arrive(shared(at), counted, file, line);
}
THREELANE_DEVICE void cp_async_bulk(Address to, Address from, unsigned bytes, Address barrier, THREELANE_AT)
{
    threelane_copy_bulk(shared(to), (void *)from, bytes, shared(barrier), file, line);
}
THREELANE_DEVICE void cp_async_bulk_store(Address to, Address from, unsigned bytes)
{
    threelane_store_bulk((void *)to, shared(from), bytes);
}
THREELANE_DEVICE void mbarrier_init(Address at, unsigned expected, THREELANE_AT)
{
    threelane_barrier_init(shared(at), expected, 0, 0, file, line);
}
THREELANE_DEVICE void mbarrier_inval(Address at, THREELANE_AT) { threelane_barrier_invalidate(shared(at), file, line); }
THREELANE_DEVICE unsigned long long mbarrier_arrive(Address at, unsigned count = 1, THREELANE_AT)
{
    return threelane_barrier_arrive(shared(at), count, 0, file, line);
}
THREELANE_DEVICE unsigned long long mbarrier_arrive_drop(Address at, unsigned count = 1, THREELANE_AT)
{
    return threelane_barrier_arrive(shared(at), count, THREELANE_DROP, file, line);
}
THREELANE_DEVICE void mbarrier_expect_tx(Address at, unsigned bytes, THREELANE_AT)
{
    threelane_barrier_expect(shared(at), (long)bytes, file, line);
}
THREELANE_DEVICE unsigned long long mbarrier_arrive_expect_tx(Address at, unsigned bytes, THREELANE_AT)
{
    threelane_barrier_expect(shared(at), (long)bytes, file, line);
    return threelane_barrier_arrive(shared(at), 1, 0, file, line);
}
THREELANE_DEVICE bool mbarrier_passed(int how, Address at, unsigned long long token, THREELANE_AT)
{
    return threelane_barrier_wait(shared(at), token >> 63, how, file, line);
}
THREELANE_DEVICE bool mbarrier_passed_parity(int how, Address at, unsigned parity, THREELANE_AT)
{
    return threelane_barrier_wait(shared(at), parity & 1, how, file, line);
}
THREELANE_DEVICE unsigned mbarrier_pending(unsigned long long token) { return (unsigned)token & 0xfffff; }
THREELANE_DEVICE void bar_sync(unsigned number, unsigned threads, THREELANE_AT)
{
    threelane_sync_named(number, threads, 1, file, line);
}
THREELANE_DEVICE void bar_arrive(unsigned number, unsigned threads, THREELANE_AT)
{
    threelane_sync_named(number, threads, 0, file, line);
}

/* An instruction of a toolkit's library that tlcc could not translate: the end of the program. */
THREELANE_DEVICE void unknown(const char *instruction, THREELANE_AT) 
{
    (void)::threelane_unsupported(instruction, ThreelaneSite{file, line});
}

/* exit: tlcc has the bodies of kernels catch it. */
struct Exit {};
#ifdef __cpp_exceptions
[[noreturn]] inline void exit_thread() { throw Exit(); }
#endif

/* ---- values as bits, of which pieces are registers of their own ---- */

template <class T, class... Piece> THREELANE_DEVICE void unpack(const T &from, Piece &...to)
{
    const unsigned char *at = reinterpret_cast<const unsigned char *>(&from);
    static_assert(sizeof(T) == (sizeof(Piece) + ...), "the pieces have the size of the whole");
    ((__builtin_memcpy(&to, at, sizeof to), at += sizeof to), ...);
}
template <class T, class... Piece> THREELANE_DEVICE void pack(T &to, const Piece &...from)
{
    unsigned char *at = reinterpret_cast<unsigned char *>(&to);
    static_assert(sizeof(T) == (sizeof(Piece) + ...), "the pieces have the size of the whole");
    ((__builtin_memcpy(at, &from, sizeof from), at += sizeof from), ...);
}

/* Loads and stores of one to four values that lie one after the other. With an order they are one access, which nobody
 * sees half of. */
enum { RELAXED = __ATOMIC_RELAXED, ACQUIRE = __ATOMIC_ACQUIRE, RELEASE = __ATOMIC_RELEASE };
template <size_t bytes> struct Whole;
template <> struct Whole<1> { typedef uint8_t type; };
template <> struct Whole<2> { typedef uint16_t type; };
template <> struct Whole<4> { typedef uint32_t type; };
template <> struct Whole<8> { typedef uint64_t type; };
template <> struct Whole<16> { typedef unsigned __int128 type; };

template <class T, class Piece> THREELANE_DEVICE T as_piece(Piece value)
{
    if constexpr (sizeof(T) == sizeof(Piece)) {
        T same;
        __builtin_memcpy(&same, &value, sizeof same);
        return same;
    } else {
        return (T)value;
    }
}
template <class T, class Piece> THREELANE_DEVICE void take_piece(Piece &to, T value)
{
    to = as_piece<Piece>(value);
}
template <class T, class... Piece> THREELANE_DEVICE void load_pieces(void *from, Piece &...to)
{
    const T *at = (const T *)from;
    (take_piece(to, *at++), ...);
}
template <class T> THREELANE_DEVICE void store_one(T *to, T value) { *to = value; }
template <class T, class... Piece> THREELANE_DEVICE void store_pieces(void *to, Piece... values)
{
    T *at = (T *)to;
    (store_one(at++, as_piece<T>(values)), ...);
}
template <class T, class... Piece> THREELANE_DEVICE void load_whole(void *from, int order, Piece &...to)
{
    typedef typename Whole<sizeof(T) * sizeof...(Piece)>::type Bits;
    T piece[sizeof...(Piece)];
#if THREELANE_INSTRUMENTED
    const Bits whole = order == __ATOMIC_ACQUIRE ? __atomic_load_n((Bits *)from, __ATOMIC_ACQUIRE)
                                              : __atomic_load_n((Bits *)from, __ATOMIC_RELAXED);
#else
    const Bits whole = *(volatile Bits *)from;
    (void)order;
#endif
    __builtin_memcpy(piece, &whole, sizeof piece);
    const T *at = piece;
    (take_piece(to, *at++), ...);
}
template <class T, class... Piece> THREELANE_DEVICE void store_whole(void *to, int order, Piece... values)
{
    typedef typename Whole<sizeof(T) * sizeof...(Piece)>::type Bits;
    const T piece[] = {as_piece<T>(values)...};
    Bits whole;
    __builtin_memcpy(&whole, piece, sizeof whole);
#if THREELANE_INSTRUMENTED
    if (order == __ATOMIC_RELEASE) __atomic_store_n((Bits *)to, whole, __ATOMIC_RELEASE);
    else __atomic_store_n((Bits *)to, whole, __ATOMIC_RELAXED);
#else
    *(volatile Bits *)to = whole;
    (void)order;
#endif
}

/* A shuffle as PTX has it: `range` is the last lane (the first, going up), and above it which bits of a lane's number
 * say its segment. True when the lane that was asked for is in range; else it is the thread's own value. */
template <class T, class F>
THREELANE_DEVICE bool exchange(T &to, F value, unsigned lane, bool in_range, unsigned mask, const char *file, int line)
{
    static_assert(sizeof(T) == 4 && sizeof(F) == 4, "a shuffle moves 32 bits");
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    const unsigned from = in_range ? lane : laneid();
    bits = (unsigned)threelane_warp(THREELANE_SHFL_IDX, mask, bits, from, THREELANE_FULL, 0, file, line);
    __builtin_memcpy(&to, &bits, sizeof bits);
    return in_range;
}
THREELANE_DEVICE unsigned last_lane(unsigned range)
{
    const unsigned segment = range >> 8 & 31;
    return (laneid() & segment) | (range & 31 & ~segment);
}
template <class T, class F>
THREELANE_DEVICE bool exchange_idx(T &to, F value, unsigned lane, unsigned range, unsigned mask, THREELANE_AT)
{
    const unsigned segment = range >> 8 & 31, from = (laneid() & segment) | (lane & 31 & ~segment);
    return exchange(to, value, from, from <= last_lane(range), mask, file, line);
}
template <class T, class F>
THREELANE_DEVICE bool exchange_up(T &to, F value, unsigned by, unsigned range, unsigned mask, THREELANE_AT)
{
    const int from = (int)laneid() - (int)(by & 31);
    return exchange(to, value, (unsigned)from, from >= (int)last_lane(range), mask, file, line);
}
template <class T, class F>
THREELANE_DEVICE bool exchange_down(T &to, F value, unsigned by, unsigned range, unsigned mask, THREELANE_AT)
{
    const unsigned from = laneid() + (by & 31);
    return exchange(to, value, from, from <= last_lane(range), mask, file, line);
}
template <class T, class F>
THREELANE_DEVICE bool exchange_bfly(T &to, F value, unsigned by, unsigned range, unsigned mask, THREELANE_AT)
{
    const unsigned from = laneid() ^ (by & 31);
    return exchange(to, value, from, from <= last_lane(range), mask, file, line);
}

/* ---- functions of their operands; T is the instruction's type ---- */

template <class T> struct Wider;
template <> struct Wider<unsigned short> { typedef unsigned type; };
template <> struct Wider<short> { typedef int type; };
template <> struct Wider<unsigned> { typedef unsigned long long type; };
template <> struct Wider<int> { typedef long long type; };
template <> struct Wider<unsigned long long> { typedef unsigned __int128 type; };
template <> struct Wider<long long> { typedef __int128 type; };
template <class T> struct Unsigned { typedef unsigned long long type; };
template <> struct Unsigned<unsigned> { typedef unsigned type; };
template <> struct Unsigned<int> { typedef unsigned type; };

template <class T> THREELANE_DEVICE typename Wider<T>::type mul_wide(T a, T b) { return (typename Wider<T>::type)a * b; }
template <class T> THREELANE_DEVICE T mul_hi(T a, T b) { return (T)((typename Wider<T>::type)a * b >> 8 * sizeof(T)); }
template <class T> THREELANE_DEVICE T mul24_lo(T a, T b) { return (T)::__mul24((int)a, (int)b); }
template <> THREELANE_INLINE unsigned mul24_lo<unsigned>(unsigned a, unsigned b) { return ::__umul24(a, b); }
template <class T> THREELANE_DEVICE T mad_lo(T a, T b, T c)
{
    typedef unsigned long long Bits;
    return (T)((Bits)a * (Bits)b + (Bits)c);
}
template <class T> THREELANE_DEVICE T mad_hi(T a, T b, T c)
{
    typedef unsigned long long Bits;
    return (T)((Bits)mul_hi<T>(a, b) + (Bits)c);
}
template <class T> THREELANE_DEVICE typename Wider<T>::type mad_wide(T a, T b, typename Wider<T>::type c)
{
    typedef unsigned long long Bits;
    return (typename Wider<T>::type)((Bits)mul_wide<T>(a, b) + (Bits)c);
}
template <class T> THREELANE_DEVICE T fused(T a, T b, T c) { return ::fma(a, b, c); }
template <class T> THREELANE_DEVICE T sad(T a, T b, T c)
{
    typedef unsigned long long Bits;
    return (T)((Bits)c + (a > b ? (Bits)a - (Bits)b : (Bits)b - (Bits)a));
}
/* by zero: what the hardware is said to leave open, here all bits set, and no signal */
template <class T> THREELANE_DEVICE T quotient(T a, T b)
{
    if ((T)0.5 == 0 && b == 0) return (T)-1;
    return (T)0.5 == 0 && b == (T)-1 && (T)-1 < 0 ? (T)(0 - (unsigned long long)a) : (T)(a / b);
}
template <class T> THREELANE_DEVICE T remainder(T a, T b)
{
    if (b == 0) return a;
    return b == (T)-1 && (T)-1 < 0 ? (T)0 : (T)(a % b);
}
template <class T> THREELANE_DEVICE T least(T a, T b) { return a < b ? a : b; }
template <class T> THREELANE_DEVICE T most(T a, T b) { return a > b ? a : b; }
template <> THREELANE_INLINE float least<float>(float a, float b) { return ::min(a, b); }
template <> THREELANE_INLINE float most<float>(float a, float b) { return ::max(a, b); }
template <> THREELANE_INLINE double least<double>(double a, double b) { return ::min(a, b); }
template <> THREELANE_INLINE double most<double>(double a, double b) { return ::max(a, b); }
template <class T> THREELANE_DEVICE T negated(T a) { return (T)(0 - (unsigned long long)a); }
template <> THREELANE_INLINE float negated<float>(float a) { return -a; }
template <> THREELANE_INLINE double negated<double>(double a) { return -a; }
template <class T> THREELANE_DEVICE T absolute(T a) { return a < 0 ? negated<T>(a) : a; }
template <> THREELANE_INLINE float absolute<float>(float a) { return __builtin_fabsf(a); }
template <> THREELANE_INLINE double absolute<double>(double a) { return __builtin_fabs(a); }
template <class T> THREELANE_DEVICE T inverted(T a) { return (T)~a; }
template <class T> THREELANE_DEVICE unsigned popc(T a) { return (unsigned)__builtin_popcountll(a); }
template <class T> THREELANE_DEVICE unsigned clz(T a)
{
    return a ? (unsigned)__builtin_clzll(a) - (64 - 8 * (unsigned)sizeof(T)) : 8 * (unsigned)sizeof(T);
}
template <class T> THREELANE_DEVICE T brev(T a) { return (T)(::__brevll(a) >> (64 - 8 * sizeof(T))); }
/* length bits from position on; of a signed type the last one of them goes on to the left, and is the sign where they
 * begin beyond it */
template <class T> THREELANE_DEVICE T bfe(T a, unsigned position, unsigned length)
{
    const int bits = 8 * sizeof(T), p = (int)(position & 0xff), n = (int)(length & 0xff);
    if (n == 0) return 0;
    T result = 0;
    const int last = p + n - 1 < bits - 1 ? p + n - 1 : bits - 1;
    const T filled = (T)-1 < 0 && a >> last & 1 ? (T)-1 : (T)0;
    for (int i = 0; i < bits; i++) {
        const T bit = i < n && p + i < bits ? (T)(a >> (p + i) & 1) : (T)(filled & 1);
        result |= (T)((typename Unsigned<T>::type)bit << i);
    }
    return result;
}
template <class T> THREELANE_DEVICE T shift_left(T a, unsigned by) { return by < 8 * sizeof(T) ? (T)(a << by) : 0; }
template <class T> THREELANE_DEVICE T shift_right(T a, unsigned by)
{
    const unsigned bits = 8 * sizeof(T);
    return (T)(a >> (by < bits ? by : a < 0 ? bits - 1 : 0)) * (T)(by < bits || a < 0);
}
template <class T> THREELANE_DEVICE T bmsk_clamp(unsigned position, unsigned length)
{
    const unsigned long long from = position < 32 ? ~0ull << position : 0;
    return (T)(from & (length < 32 && position < 32 ? (1ull << (position + length < 32 ? position + length : 32)) - 1 : ~0ull));
}
template <class T> THREELANE_DEVICE T bmsk_wrap(unsigned position, unsigned length)
{
    return bmsk_clamp<T>(position & 31, length & 31);
}
template <class T> THREELANE_DEVICE T bfi(T a, T b, unsigned position, unsigned length)
{
    const unsigned bits = 8 * sizeof(T), p = position & 0xff, n = length & 0xff;
    for (unsigned i = 0; i < n && p + i < bits; i++) b = (b & ~((T)1 << (p + i))) | (a >> i & 1) << (p + i);
    return b;
}
template <class T> THREELANE_DEVICE unsigned prmt(T a, T b, unsigned selector)
{
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned pick = selector >> 4 * i, byte = ::__byte_perm(a, b, pick & 7) & 0xff;
        result |= (pick & 8 ? byte >> 7 ? 0xffu : 0u : byte) << 8 * i;
    }
    return result;
}
template <class T> THREELANE_DEVICE T lop3(T a, T b, T c, unsigned table)
{
    T result = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
template <class T> THREELANE_DEVICE T shf_l_wrap(T low, T high, unsigned by) { return ::__funnelshift_l(low, high, by); }
template <class T> THREELANE_DEVICE T shf_r_wrap(T low, T high, unsigned by) { return ::__funnelshift_r(low, high, by); }
template <class T> THREELANE_DEVICE T shf_l_clamp(T low, T high, unsigned by) { return ::__funnelshift_lc(low, high, by); }
template <class T> THREELANE_DEVICE T shf_r_clamp(T low, T high, unsigned by) { return ::__funnelshift_rc(low, high, by); }
template <class T> THREELANE_DEVICE T root(T a) { return (T)__builtin_sqrt(a); }
template <class T> THREELANE_DEVICE T one_over_root(T a) { return (T)(1 / __builtin_sqrt((double)a)); }
template <class T> THREELANE_DEVICE T one_over(T a) { return 1 / a; }
template <class T> THREELANE_DEVICE T ex2(T a) { return ::exp2f(a); }
template <class T> THREELANE_DEVICE T lg2(T a) { return ::log2f(a); }
template <class T> THREELANE_DEVICE T sine(T a) { return ::__sinf(a); }
template <class T> THREELANE_DEVICE T cosine(T a) { return ::__cosf(a); }
template <class T> THREELANE_DEVICE T tangent(T a) { return ::tanhf(a); }
template <class T, class U> THREELANE_DEVICE U same(U a) { return a; }

/* The third operand of a shuffle: its low bits are the last lane that may be read (the first, going up), those from 8 on
 * which part of the warp a lane is in. The values come for all forms that CUDA C++ has, whose widths are powers of two. */
template <class T> THREELANE_DEVICE unsigned activemask(THREELANE_AT) { return ::__activemask(file, line); }
#define THREELANE_SHFL(NAME, CALL)                                                                 \
    template <class T> THREELANE_DEVICE T NAME(T value, unsigned lane, unsigned bounds, unsigned mask, THREELANE_AT) \
    {                                                                                              \
        return ::CALL(mask, value, (int)(lane & 31), 32 - (int)(bounds >> 8 & 31), file, line);    \
    }
THREELANE_SHFL(shfl_idx, __shfl_sync)
THREELANE_SHFL(shfl_up, __shfl_up_sync)
THREELANE_SHFL(shfl_down, __shfl_down_sync)
THREELANE_SHFL(shfl_bfly, __shfl_xor_sync)
#undef THREELANE_SHFL
template <class T> THREELANE_DEVICE unsigned match_any(T value, unsigned mask, THREELANE_AT)
{
    return ::__match_any_sync(mask, value, file, line);
}
#define THREELANE_REDUX(NAME)                                                                      \
    template <class T> THREELANE_DEVICE T redux_##NAME(T value, unsigned mask, THREELANE_AT)       \
    {                                                                                              \
        return ::__reduce_##NAME##_sync(mask, value, file, line);                                  \
    }
THREELANE_REDUX(add) THREELANE_REDUX(min) THREELANE_REDUX(max) THREELANE_REDUX(and) THREELANE_REDUX(or) THREELANE_REDUX(xor)
#undef THREELANE_REDUX
}
}
#endif
