/* cuda_awbarrier.h - nvcuda::experimental::awbarrier. */
#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_
#include "cuda_awbarrier_primitives.h"

namespace nvcuda {
namespace experimental {
class pipeline;
class awbarrier {
    uint64_t barrier;
    friend class pipeline;

public:
    class arrival_token {
        uint64_t token;
        THREELANE_INLINE arrival_token(uint64_t of) : token(of) {}
        friend class awbarrier;

    public:
        arrival_token() = default;
        THREELANE_INLINE uint32_t pending_count() const { return __mbarrier_token_pending_count(token); }
    };
    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;

    THREELANE_INLINE arrival_token arrive(THREELANE_AT) { return __mbarrier_arrive(&barrier, file, line); }
    THREELANE_INLINE arrival_token arrive_and_drop(THREELANE_AT) { return __mbarrier_arrive_and_drop(&barrier, file, line); }
    THREELANE_INLINE bool timed_wait(arrival_token of, uint32_t cycles, THREELANE_AT)
    {
        return within(of.token >> 63, cycles, file, line);
    }
    THREELANE_INLINE bool timed_wait_parity(bool parity, uint32_t cycles, THREELANE_AT)
    {
        return within(parity, cycles, file, line);
    }
    THREELANE_INLINE void wait(arrival_token of, THREELANE_AT)
    {
        threelane_barrier_wait(&barrier, of.token >> 63, TL_BARRIER_WAIT, file, line);
    }
    THREELANE_INLINE void arrive_and_wait(THREELANE_AT) { wait(arrive(file, line), file, line); }
    THREELANE_INLINE bool try_wait(arrival_token of, uint32_t, THREELANE_AT)
    {
        return threelane_barrier_wait(&barrier, of.token >> 63, TL_BARRIER_TRY, file, line);
    }
    THREELANE_INLINE bool try_wait_parity(bool parity, uint32_t, THREELANE_AT)
    {
        return threelane_barrier_wait(&barrier, parity, TL_BARRIER_TRY, file, line);
    }
    static constexpr uint32_t max() { return (1 << 14) - 1; }
    friend THREELANE_INLINE void init(awbarrier *at, uint32_t expected, THREELANE_AT)
    {
        __mbarrier_init(&at->barrier, expected, file, line);
    }
    friend THREELANE_INLINE void inval(awbarrier *at, THREELANE_AT) { __mbarrier_inval(&at->barrier, file, line); }

private:
    THREELANE_INLINE bool within(bool parity, uint32_t cycles, const char *file, int line)
    {
        uint64_t begin = threelane_clock64();
        do
            if (threelane_barrier_wait(&barrier, parity, TL_BARRIER_TEST, file, line)) return true;
        while (threelane_clock64() - begin < cycles);
        return false;
    }
};
}
}
#endif
