// Barriers with phases, by the headers of CUDA 13: what a phase counts, what a token stands for, arrivals that drop out,
// parities, a completion function, the functions of C, barriers in global memory; latches, semaphores, atomics.
// flags: -std=c++17
// out: ok arrive_wait
#include "conformance.h"
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda_awbarrier.h>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

#define THAT(CONDITION)                                                                            \
    do {                                                                                           \
        if (!(CONDITION)) atomicMax(line, __LINE__);                                               \
    } while (0)

__global__ void phases(int *line)
{
    __shared__ barrier all, few, rest;
    __shared__ int seen;
    if (threadIdx.x == 0) {
        init(&all, blockDim.x);
        init(&few, 3);
        init(&rest, 64);
        seen = 0;
    }
    __syncthreads();
    THAT(barrier::max() == (1 << 20) - 1);
    THAT(sizeof(barrier) == 8);
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x == 40) seen = i + 1;
        barrier::arrival_token token = all.arrive();
        all.wait(std::move(token));
        THAT(seen == i + 1);
        all.arrive_and_wait();
    }

    // several arrivals by one thread; a token of a phase that is over passes at once; parity 1 is the phase before
    if (threadIdx.x == 0) {
        few.wait_parity(true);
        barrier::arrival_token early = few.arrive(2);
        THAT(!few.try_wait_for(std::move(early), cuda::std::chrono::nanoseconds(10)));
        barrier::arrival_token last = few.arrive();
        few.wait(std::move(last));
        few.wait_parity(false);
        THAT(!few.try_wait_parity_for(true, cuda::std::chrono::nanoseconds(10)));
        THAT(few.try_wait_parity_for(false, cuda::std::chrono::nanoseconds(10)));
    }

    // who drops out arrives, and is not counted any more
    if (threadIdx.x < 64) {
        if (threadIdx.x < 32) {
            rest.arrive_and_drop();
        } else {
            for (int i = 0; i < 3; i++) rest.arrive_and_wait();
        }
    }
}

__global__ void in_c(int *line)
{
    __shared__ __mbarrier_t b;
    __shared__ nvcuda::experimental::awbarrier aw;
    if (threadIdx.x == 0) {
        __mbarrier_init(&b, blockDim.x);
        init(&aw, blockDim.x);
    }
    __syncthreads();
    __mbarrier_token_t mine = 0;
    if (threadIdx.x == 0) {
        mine = __mbarrier_arrive(&b);
        THAT(__mbarrier_token_pending_count(mine) == blockDim.x);
        THAT(!__mbarrier_test_wait(&b, mine));
        THAT(!__mbarrier_test_wait_parity(&b, false));
        THAT(__mbarrier_test_wait_parity(&b, true));
    }
    __syncthreads();
    if (threadIdx.x) mine = __mbarrier_arrive(&b);
    while (!__mbarrier_try_wait(&b, mine, 1000)) {}
    THAT(__mbarrier_test_wait_parity(&b, false));
    aw.arrive_and_wait();
    nvcuda::experimental::awbarrier::arrival_token token = aw.arrive();
    aw.wait(token);
    __syncthreads();
    if (threadIdx.x == 0) __mbarrier_inval(&b);
}

__global__ void across(int *line, cuda::barrier<cuda::thread_scope_device> *b, int *data)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0) data[4 * i + blockIdx.x] = i + 1;
        b->arrive_and_wait();
        int sum = 0;
        for (unsigned k = 0; k < gridDim.x; k++) sum += data[4 * i + k];
        THAT(sum == (i + 1) * (int)gridDim.x);
    }
}

struct Count {
    int *n;
    __host__ __device__ void operator()() noexcept { ++*n; }
};

__global__ void others(int *line, int *n, cuda::barrier<cuda::thread_scope_device, Count> *counts,
                       cuda::latch<cuda::thread_scope_device> *latch,
                       cuda::binary_semaphore<cuda::thread_scope_device> *lock)
{
    for (int i = 0; i < 5; i++) {
        counts->arrive_and_wait();
        THAT(*n == i + 1);
        counts->arrive_and_wait();      // all have looked
        if (threadIdx.x == 0) --*n;
        __syncthreads();
    }
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(n[1]);
    THAT(sum.fetch_add(2, cuda::memory_order_relaxed) >= 0);
    lock->acquire();
    n[2]++;
    lock->release();
    latch->arrive_and_wait();
    THAT(latch->try_wait());
    THAT(sum.load() == 2 * (int)blockDim.x);
    THAT(n[2] == (int)blockDim.x);
    int expected = -1;
    THAT(!sum.compare_exchange_strong(expected, 5) && expected == 2 * (int)blockDim.x);
}

int main()
{
    int *line;
    OK(cudaMallocManaged(&line, 64 * sizeof *line));
    memset(line, 0, 64 * sizeof *line);
    phases<<<2, 96>>>(line);
    OK(cudaDeviceSynchronize());
    CHECK(line[0] == 0);
    in_c<<<1, 64>>>(line);
    OK(cudaDeviceSynchronize());
    CHECK(line[0] == 0);

    cuda::barrier<cuda::thread_scope_device> *b;
    OK(cudaMallocManaged(&b, sizeof *b));
    init(b, 3 * 32);
    across<<<3, 32>>>(line, b, line + 16);
    OK(cudaDeviceSynchronize());
    CHECK(line[0] == 0);

    char *raw;
    OK(cudaMallocManaged(&raw, 256));
    auto *counts = (cuda::barrier<cuda::thread_scope_device, Count> *)raw;
    init(counts, 32, Count{line + 32});
    auto *latch = new (raw + 64) cuda::latch<cuda::thread_scope_device>(32);
    auto *lock = new (raw + 128) cuda::binary_semaphore<cuda::thread_scope_device>(1);
    others<<<1, 32>>>(line, line + 32, counts, latch, lock);
    OK(cudaDeviceSynchronize());
    CHECK(line[0] == 0);
    if (line[0]) printf("line %d\n", line[0]);
    return finish("arrive_wait");
}
