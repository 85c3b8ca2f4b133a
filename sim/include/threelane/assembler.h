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
}
}
#endif
