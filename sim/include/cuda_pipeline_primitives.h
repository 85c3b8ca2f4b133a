/* cuda_pipeline_primitives.h - a thread's asynchronous copies to shared memory, as functions of C. */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_
#include "cuda_awbarrier_primitives.h"

/* bytes: 4, 8 or 16; the last zeros of them are not read, but set to 0. */
THREELANE_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) __trap();
    threelane_copy_async(to, from, (unsigned)bytes, (unsigned)(bytes - zeros));
}
THREELANE_DEVICE void __pipeline_commit() { threelane_copy_commit(); }
THREELANE_DEVICE void __pipeline_wait_prior(size_t prior) { threelane_copy_wait(prior < 8 ? (unsigned)prior : 8); }
THREELANE_DEVICE void __pipeline_arrive_on(__mbarrier_t *at, THREELANE_AT) { threelane_copy_arrive(at, 0, file, line); }
#endif
