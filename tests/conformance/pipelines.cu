// Pipelines count threads; copies are over when somebody has waited for them. By the headers of CUDA 13.
// flags: -std=c++17
// out: ok pipelines
#include "conformance.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;
enum { N = 2048, T = 64 };

__global__ void unified(const int *in, int *out)
{
    auto block = cg::this_thread_block();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int buffer[2][T];
    auto pipe = cuda::make_pipeline(block, &state);
    for (int i = 0, ahead = 0; i < N / T; i++) {
        for (; ahead < N / T && ahead < i + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[ahead % 2], in + ahead * T, sizeof(int) * T, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[i * T + threadIdx.x] = buffer[i % 2][T - 1 - threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void counted(const int *in, int *out)
{
    auto block = cg::this_thread_block();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    __shared__ int buffer[3][T];
    auto pipe = cuda::make_pipeline(block, &state, size_t(32));     // any 32 threads may produce
    bool produces = threadIdx.x >= T;
    for (int i = 0; i < N / T; i++) {
        if (produces) {
            pipe.producer_acquire();
            for (int k = threadIdx.x - T; k < T; k += 32) buffer[i % 3][k] = in[i * T + k];
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[i * T + threadIdx.x] = buffer[i % 3][T - 1 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    pipe.quit();
}

__global__ void of_threads(const int *in, int *out)
{
    __shared__ int4 buffer[4][T];
    auto pipe = cuda::make_pipeline();
    const int4 *from = (const int4 *)in;
    int4 *to = (int4 *)out;
    for (int i = 0, ahead = 0; i < N / 4 / T; i++) {
        for (; ahead < N / 4 / T && ahead < i + 4; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[ahead % 4][threadIdx.x], from + ahead * T + threadIdx.x,
                               cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        int4 v = buffer[i % 4][T - 1 - threadIdx.x];
        to[i * T + threadIdx.x] = v;
        __syncthreads();
        pipe.consumer_release();
    }
}

__global__ void in_c(const int *in, int *out)
{
    __shared__ int buffer[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        __pipeline_memcpy_async(&buffer[i], &in[i], sizeof(int), i == N - 1 ? 4 : 0);      // the last: zeros
        __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = buffer[i];
}

__global__ void groups(const char *in, char *out, int n)
{
    __shared__ __align__(16) char buffer[4096];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, buffer + 3, in + 3, n);             // as far as the addresses are alike
    cg::wait(block);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = buffer[3 + i];
    block.sync();
    cg::memcpy_async(block, buffer + 1, in + 2, 100);           // they are not
    cg::memcpy_async(block, (int *)(buffer + 1024), 40, (const int *)in, 50);       // 40 of them
    cg::wait_prior<1>(block);
    for (int i = threadIdx.x; i < 100; i += blockDim.x) out[n + i] = buffer[1 + i];
    cg::wait(block);
    for (int i = threadIdx.x; i < 160; i += blockDim.x) out[n + 100 + i] = buffer[1024 + i];
}

__global__ void barriers(const int *in, int *out)
{
    __shared__ __align__(16) int buffer[N];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0) init(&b, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(block, buffer, in, cuda::aligned_size_t<16>(N / 2 * 4), b);  // bulk
    cuda::memcpy_async(block, buffer + N / 2, in + N / 2, N / 4 * 4, b);            // four bytes at a time
    for (int i = 3 * N / 4 + threadIdx.x; i < N; i += blockDim.x)
        cuda::memcpy_async(&buffer[i], &in[i], sizeof(int), b);                     // a thread's own
    b.arrive_and_wait();
    for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = buffer[N - 1 - i];
}

static bool reversed(const int *out, int of)
{
    for (int i = 0; i < N; i++)
        if (out[i] != i / of * of + of - 1 - i % of) return false;
    return true;
}

int main()
{
    int *in, *out;
    OK(cudaMallocManaged(&in, N * sizeof *in));
    OK(cudaMallocManaged(&out, N * sizeof *out));
#define RUN(KERNEL, THREADS, ...)                                                                  \
    for (int i = 0; i < N; i++) in[i] = i, out[i] = -1;                                            \
    KERNEL<<<1, THREADS>>>(__VA_ARGS__);                                                           \
    OK(cudaDeviceSynchronize())
    RUN(unified, T, in, out);
    CHECK(reversed(out, T));
    RUN(counted, T + 32, in, out);
    CHECK(reversed(out, T));
    RUN(of_threads, T, in, out);
    bool good = true;
    for (int i = 0; i < N / 4; i++) good = good && out[4 * i] == 4 * (i / T * T + T - 1 - i % T);
    CHECK(good);
    RUN(in_c, T, in, out);
    good = out[N - 1] == 0;
    for (int i = 0; i < N - 1; i++) good = good && out[i] == i;
    CHECK(good);
    RUN(groups, T, (const char *)in, (char *)out, 1000);
    CHECK(!memcmp(out, (char *)in + 3, 1000) && !memcmp((char *)out + 1000, (char *)in + 2, 100) &&
          !memcmp((char *)out + 1100, in, 160));
    RUN(barriers, T, in, out);
    CHECK(reversed(out, N));
    return finish("pipelines");
}
