/* cuda_awbarrier_primitives.h - barriers in shared memory as functions of C. */
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_
#include "threelane/async.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

THREELANE_DEVICE uint32_t __mbarrier_maximum_count() { return (1 << 14) - 1; }
THREELANE_DEVICE void __mbarrier_init(__mbarrier_t *at, uint32_t expected, THREELANE_AT)
{
    threelane_barrier_init(at, expected, 0, 0, file, line);
}
THREELANE_DEVICE void __mbarrier_inval(__mbarrier_t *at, THREELANE_AT) { threelane_barrier_invalidate(at, file, line); }
THREELANE_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *at, THREELANE_AT)
{
    return threelane_barrier_arrive(at, 1, 0, file, line);
}
THREELANE_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *at, THREELANE_AT)
{
    return threelane_barrier_arrive(at, 1, THREELANE_DROP, file, line);
}
THREELANE_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) { return (uint32_t)token & 0xfffff; }
THREELANE_DEVICE bool __mbarrier_test_wait(__mbarrier_t *at, __mbarrier_token_t token, THREELANE_AT)
{
    return threelane_barrier_wait(at, token >> 63, TL_BARRIER_TEST, file, line);
}
THREELANE_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *at, bool parity, THREELANE_AT)
{
    return threelane_barrier_wait(at, parity, TL_BARRIER_TEST, file, line);
}
THREELANE_DEVICE bool __mbarrier_try_wait(__mbarrier_t *at, __mbarrier_token_t token, uint32_t, THREELANE_AT)
{
    return threelane_barrier_wait(at, token >> 63, TL_BARRIER_TRY, file, line);
}
THREELANE_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *at, bool parity, uint32_t, THREELANE_AT)
{
    return threelane_barrier_wait(at, parity, TL_BARRIER_TRY, file, line);
}
#endif
