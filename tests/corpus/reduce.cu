// Sums, in the styles of a decade: interleaved, sequential, unrolled last warp, shuffles, cooperative groups, atomics.
// variant: -DSTYLE=1
// variant: -DSTYLE=2 -DTYPE=int
// variant: -DSTYLE=3 -DERRORS=3
// variant: -DSTYLE=3 -DTYPE=int -DBLOCK=512
// variant: -DSTYLE=4
// variant: -DSTYLE=4 -DTYPE=double -DERRORS=2
// variant: -DSTYLE=5 -DTYPE=int
// variant: -DSTYLE=6
// variant: -DSTYLE=6 -DTYPE=int -DBLOCK=64 -DERRORS=5
// variant: -DSTYLE=7 -DTYPE=int
// variant: -DSTYLE=8 -DTYPE=unsigned
// variant: -DSTYLE=9 -DTYPE=int
// variant: -DSTYLE=10 -DTYPE=int
// variant: -DSTYLE=2 -DTYPE=double -DBLOCK=256 -DERRORS=4
// variant: -DSTYLE=2 -DTYPE=int -O0
// variant: -DSTYLE=3 -DTYPE=int -DBLOCK=512 -std=c++20 -O3
// variant: -DSTYLE=4 -DTYPE=double -DERRORS=2 -G
// variant: -DSTYLE=6 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = shared-race
// wrong: -DSTYLE=2 -DWRONG=1 = shared-race
// wrong: -DSTYLE=3 -DWRONG=1 = shared-race
// wrong: -DSTYLE=3 -DWRONG=2 = shared-race
// wrong: -DSTYLE=5 -DTYPE=int -DWRONG=1 = global-race
// wrong: -DSTYLE=6 -DWRONG=1 = shared-race
// wrong: -DSTYLE=4 -DWRONG=1 = shared-race
// wrong: -DSTYLE=9 -DTYPE=int -DWRONG=1 = shared-race
// wrong: -DSTYLE=10 -DTYPE=int -DWRONG=1 = global-race
// wrong: -DSTYLE=2 -DTYPE=int -DWRONG=3 = uninitialised,out-of-bounds
// wrong: -DSTYLE=5 -DTYPE=int -DWRONG=4 = uninitialised
#include "helper.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#ifndef BLOCK
#define BLOCK 128
#endif
enum { N = 1 << 12 };

__device__ T warp_sum(T v)
{
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}
#if STYLE == 3
__device__ void warpReduce(volatile T *sdata, int tid)
{
    for (int s = 32; s > 0; s >>= 1) {
        T other = sdata[tid + s];
        if (WRONG != 2) __syncwarp();
        sdata[tid] += other;
        if (WRONG != 2) __syncwarp();
    }
}
#endif

__global__ void reduce(const T *in, T *out, int n)
{
    __shared__ T s[BLOCK + 32];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    T v = i < n + (WRONG == 3) * 4096 ? in[i] : 0;
    (void)s, (void)v;
#if STYLE == 1
    s[t] = v;
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        if (WRONG != 1) __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
#elif STYLE == 2
    s[t] = v;
    if (WRONG != 1) __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
#elif STYLE == 3
    s[t] = v;
    if (t < 32) s[BLOCK + t] = 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 32; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        if (WRONG != 1) __syncthreads();
    }
    if (t < 32) warpReduce(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
#elif STYLE == 4
    v = warp_sum(v);
    if (t % 32 == 0) s[t / 32] = v;
    if (WRONG != 1) __syncthreads();
    if (t < 32) {
        v = t < (int)blockDim.x / 32 ? s[t] : 0;
        v = warp_sum(v);
        if (t == 0) out[blockIdx.x] = v;
    }
#elif STYLE == 5
    if (WRONG == 1) out[0] += v;
    else atomicAdd(out, v);
#elif STYLE == 6
    cg::thread_block block = cg::this_thread_block();
    s[block.thread_rank()] = v;
    if (WRONG != 1) cg::sync(block);
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    T mine = 0;
    for (unsigned k = tile.thread_rank() + 32 * (t / 32) * 0; k < block.size(); k += 32) mine += s[k];
    for (int o = tile.size() / 2; o > 0; o /= 2) mine += tile.shfl_down(mine, o);
    if (block.thread_rank() == 0) out[blockIdx.x] = mine;
#elif STYLE == 7
    v = warp_sum(v);
    if (t % 32 == 0) atomicAdd(out, v);
#elif STYLE == 8
    unsigned w = __reduce_add_sync(0xffffffff, v);
    if ((t & 31) == 0) atomicAdd(out, w);
#elif STYLE == 9
    __shared__ T sum;
    if (t == 0) sum = 0;
    __syncthreads();
    if (WRONG == 1) sum += v;
    else atomicAdd(&sum, v);
    __syncthreads();
    if (t == 0) out[blockIdx.x] = sum;
#else
    // a grid-stride sum of each thread's own, then one atomic operation a block
    T mine = 0;
    for (int k = i; k < n; k += blockDim.x * gridDim.x) mine += in[k];
    s[t] = mine;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) {
        if (WRONG == 1) *out += s[0];
        else atomicAdd(out, s[0]);
    }
#endif
}

int main()
{
    const int blocks = STYLE == 10 ? 8 : N / BLOCK;
    std::vector<T> h(N), partial(N / BLOCK);
    for (int i = 0; i < N; i++) h[i] = i % 5;
    T *in, *out;
    CHECK(cudaMalloc(&in, N * sizeof(T)));
    CHECK(cudaMalloc(&out, N / BLOCK * sizeof(T)));
    CHECK(cudaMemcpy(in, h.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    if (WRONG != 4) CHECK(cudaMemset(out, 0, N / BLOCK * sizeof(T)));
    reduce<<<blocks + (WRONG == 3), BLOCK>>>(in, out, N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(partial.data(), out, partial.size() * sizeof(T), cudaMemcpyDeviceToHost));
    T sum = 0, wanted = 0;
    for (T p : partial) sum += p;
    for (T x : h) wanted += x;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(sum == wanted);
}
