/* cuda_pipeline.h - nvcuda::experimental::pipeline. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

class pipeline {
    size_t current_ = 0;

public:
    pipeline() = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;
    THREELANE_INLINE size_t commit()
    {
        threelane_copy_commit();
        return current_++;
    }
    THREELANE_INLINE void commit_and_wait()
    {
        (void)commit();
        wait_prior<0>();
    }
    THREELANE_INLINE void wait(size_t batch) { __pipeline_wait_prior(current_ > batch ? current_ - batch : 0); }
    template <unsigned PRIOR> THREELANE_INLINE void wait_prior() { __pipeline_wait_prior(PRIOR); }
    THREELANE_INLINE void arrive_on(awbarrier &b, THREELANE_AT) { threelane_copy_arrive(&b.barrier, 0, file, line); }
    /* cuda::barrier<cuda::thread_scope_block> */
    template <class Barrier> THREELANE_INLINE void arrive_on(Barrier &b, THREELANE_AT)
    {
        threelane_copy_arrive(b.threelane_word(), 0, file, line);
    }
};

template <size_t N, class T> THREELANE_INLINE auto segment(T *at) -> T (*)[N] { return (T(*)[N])at; }

template <class T> THREELANE_INLINE void memcpy_async(T &to, const T &from, pipeline &, THREELANE_AT)
{
    if constexpr (__is_trivially_copyable(T))
        ::tl::copy<alignof(T)>(::tl::OneThread(), (void *)&to, (const void *)&from, sizeof(T), 0, file, line);
    else to = from;
}
template <class T, size_t TO, size_t FROM>
THREELANE_INLINE void memcpy_async(T (*to)[TO], const T (*from)[FROM], pipeline &)
{
    static_assert(sizeof *to == 4 || sizeof *to == 8 || sizeof *to == 16, "Unsupported copy size.");
    static_assert(sizeof *from <= sizeof *to, "Source size must be less than or equal to destination size.");
    if (__is_trivially_copyable(T) && threelane_is_shared(*to) && threelane_is_global(*from))
        threelane_copy_async((void *)*to, (const void *)*from, sizeof *to, sizeof *from);
    else
        for (size_t i = 0; i < TO; i++) (*to)[i] = i < FROM ? (*from)[i] : T();
}
}
}
#endif
