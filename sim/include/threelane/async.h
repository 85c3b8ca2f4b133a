/* threelane/async.h - what <cuda/barrier>, <cuda/pipeline>, cooperative_groups/memcpy_async.h and cuda_pipeline.h share:
 * a barrier's eight bytes, and copies that go on while their threads do.
 *
 * A barrier in shared memory is the executor's (sim/exec/mbarrier.h): a thread that waits is set aside, a deadlock is
 * named, copies can be given to it. Anywhere else it is an atomic word, and threads poll it, as on a card. */
#ifndef THREELANE_ASYNC_H
#define THREELANE_ASYNC_H
#include <stddef.h>
#include <stdint.h>
#include "threelane/device.h"

namespace tl {

/* Bits 0-30: arrivals still to come; 31-61: those of each phase; 63: the phase's parity, which is a token's highest
 * bit in shared memory, too. */
struct BarrierWord {
    uint64_t word;

    static constexpr uint64_t MOST = 0x7fffffff, PARITY = 1ull << 63;

    THREELANE_INLINE void init(long expected, int use, const void *owner, const char *file, int line)
    {
        if (threelane_barrier_is_here((uintptr_t)this, file, line)) threelane_barrier_init(&word, (unsigned)expected, use, owner, file, line);
        else __atomic_store_n(&word, (uint64_t)expected << 31 | (uint64_t)expected, __ATOMIC_RELAXED);
    }
    /* at_end: what the last one to arrive does before the phase is complete */
    template <class End>
    THREELANE_INLINE uint64_t arrive(long count, bool drop, End &at_end, const char *file, int line)
    {
        if (threelane_barrier_is_here((uintptr_t)this, file, line)) {
            int how = (drop ? THREELANE_DROP : 0) | (__is_empty(End) ? 0 : THREELANE_HOLD);
            uint64_t token = threelane_barrier_arrive(&word, (unsigned)count, how, file, line);
            if (__is_empty(End) || !(token & THREELANE_HELD)) return token;
            at_end();
            threelane_barrier_complete(&word, file, line);
            return token & ~(uint64_t)THREELANE_HELD;
        }
        if (drop) __atomic_fetch_sub(&word, (uint64_t)count << 31, __ATOMIC_RELAXED);
        uint64_t before = __atomic_fetch_sub(&word, (uint64_t)count, __ATOMIC_ACQ_REL);
        if (count && (before & MOST) == (uint64_t)count) {
            at_end();
            uint64_t expected = __atomic_load_n(&word, __ATOMIC_RELAXED) >> 31 & MOST;
            __atomic_store_n(&word, (~before & PARITY) | expected << 31 | expected, __ATOMIC_RELEASE);
        }
        return before;
    }
    THREELANE_INLINE bool passed(bool parity, int how, const char *file, int line) const
    {
        if (threelane_barrier_is_here((uintptr_t)this, file, line)) return threelane_barrier_wait(&word, parity, how, file, line);
        do {
            if ((load() >> 63 != 0) != parity) return true;
        } while (how == TL_BARRIER_WAIT);
        return false;
    }
    THREELANE_INLINE uint64_t load() const
    {
#if THREELANE_INSTRUMENTED
        return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
#else
        return threelane_atomic64((void *)&word, THREELANE_OR, 0); /* a poll that lets others run */
#endif
    }
    THREELANE_INLINE bool passed_within(bool parity, long long ns, const char *file, int line) const
    {
        uint64_t begin = threelane_globaltimer();
        do
            if (passed(parity, TL_BARRIER_TRY, file, line)) return true;
        while ((long long)(threelane_globaltimer() - begin) < ns);
        return false;
    }
};

/* ---- groups: anything with size(), thread_rank() and sync() ---- */

struct OneThread {
    THREELANE_INLINE void sync() const {}
    THREELANE_INLINE constexpr size_t size() const { return 1; }
    THREELANE_INLINE constexpr size_t thread_rank() const { return 0; }
};

template <class Group>
THREELANE_INLINE auto sync_group(const Group &group, const char *file, int line, int) -> decltype(group.sync(file, line))
{
    return group.sync(file, line);
}
template <class Group> THREELANE_INLINE void sync_group(const Group &group, const char *, int, long) { group.sync(); }

/* ---- copies ---- */

/* How a copy tells that it is done: by itself when the call returns, to the thread's group of copies, to a barrier. */
enum CopyEnd { COPIED, COPY_GROUP, COPY_BYTES };

template <size_t SIZE> struct alignas(SIZE) Chunk { char bytes[SIZE]; };

template <size_t ALIGN, class Group>
THREELANE_INLINE void copy_now(const Group &group, char *to, const char *from, size_t bytes)
{
    constexpr size_t SIZE = ALIGN > 16 ? 16 : ALIGN;
    typedef Chunk<SIZE> __attribute__((may_alias)) Part;
    for (size_t at = group.thread_rank() * SIZE; at < bytes; at += group.size() * SIZE)
        *(Part *)(to + at) = *(const Part *)(from + at);
}

/* Which instruction a card of compute capability 9.0 makes of it: a bulk copy by the group's first thread when there is
 * a barrier of the block and everything is aligned to 16; each thread's share when it is to 4; else plain loads and
 * stores. Only the first two go on by themselves, and only from global to shared memory. */
template <size_t ALIGN, class Group>
THREELANE_INLINE CopyEnd copy(const Group &group, void *to, const void *from, size_t bytes, uint64_t *barrier,
                              const char *file, int line)
{
    char *target = (char *)to;
    const char *source = (const char *)from;
    if (!threelane_is_shared(to) || !threelane_is_global(from)) {
        copy_now<ALIGN>(group, target, source, bytes);
        return COPIED;
    }
    if (ALIGN >= 16 && barrier) {
        if (group.thread_rank() == 0) threelane_copy_bulk(to, from, bytes, barrier, file, line);
        return COPY_BYTES;
    }
    if (ALIGN < 4) {
        copy_now<ALIGN>(group, target, source, bytes);
        return COPIED;
    }
    constexpr size_t SIZE = ALIGN > 16 ? 16 : ALIGN;
    for (size_t at = group.thread_rank() * SIZE; at < bytes; at += group.size() * SIZE)
        threelane_copy_async(target + at, source + at, SIZE, SIZE);
    return COPY_GROUP;
}

}
#endif
