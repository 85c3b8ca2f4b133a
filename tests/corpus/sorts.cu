// Sorting: bitonic in shared memory and in global memory, odd and even, ranks, one merge.
// variant: -DSTYLE=1 -DTYPE=int
// variant: -DSTYLE=1 -DTYPE=float -DERRORS=3
// variant: -DSTYLE=2 -DTYPE=int
// variant: -DSTYLE=2 -DTYPE=double
// variant: -DSTYLE=3 -DTYPE=int
// variant: -DSTYLE=4 -DTYPE=int -DERRORS=2
// variant: -DSTYLE=5 -DTYPE=int
// variant: -DSTYLE=1 -DTYPE=float -DERRORS=3 -O0
// variant: -DSTYLE=2 -DTYPE=double -std=c++20 -O3
// variant: -DSTYLE=4 -DTYPE=int -DERRORS=2 -G
// variant: -DSTYLE=1 -DTYPE=int -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DTYPE=int -DWRONG=1 = shared-race
// wrong: -DSTYLE=3 -DTYPE=int -DWRONG=1 = shared-race
// wrong: -DSTYLE=2 -DTYPE=int -DWRONG=1 = global-race
// wrong: -DSTYLE=4 -DTYPE=int -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=5 -DTYPE=int -DWRONG=1 = global-race
#include "helper.h"
#include <algorithm>
enum { N = 256 };
__device__ inline void order(T &a, T &b, bool up)
{
    if ((a > b) == up) { T t = a; a = b; b = t; }
}
__global__ void in_shared(T *p)
{
    __shared__ T s[N];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
#if STYLE == 1
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t) order(s[t], s[other], (t & k) == 0);
            if (WRONG != 1) __syncthreads();
        }
#else
    for (int round = 0; round < N; round++) {
        int i = 2 * t + round % 2;
        if (i + 1 < N) order(s[i], s[i + 1], true);
        if (WRONG != 1) __syncthreads();
    }
#endif
    p[t] = s[t];
}
__global__ void bitonic_step(T *p, int j, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (WRONG == 1 || other > i) order(p[i], p[other], (i & k) == 0);
}
__global__ void rank(const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, before = 0;
    for (int k = 0; k < N; k++) before += in[k] < in[i] || (in[k] == in[i] && k < i);
    out[before + WRONG] = in[i];
}
__global__ void compact(const T *in, T *out, int *n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = (int)in[i] % 2 == 0;
    unsigned mask = __ballot_sync(~0u, keep);
    int lane = threadIdx.x % 32, base = 0;
    if (lane == 0) {
        if (WRONG) base = *n, *n = base + __popc(mask);
        else base = atomicAdd(n, __popc(mask));
    }
    base = __shfl_sync(~0u, base, 0);
    if (keep) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}
int main()
{
    std::vector<T> h(N), got(N), wanted;
    for (int i = 0; i < N; i++) h[i] = i * 97 % 101;
    wanted = h;
    std::sort(wanted.begin(), wanted.end());
    T *p, *q;
    int *n, kept = N;
    CHECK(cudaMalloc(&p, N * sizeof(T)));
    CHECK(cudaMalloc(&q, N * sizeof(T)));
    CHECK(cudaMalloc(&n, sizeof *n));
    CHECK(cudaMemset(n, 0, sizeof *n));
    CHECK(cudaMemcpy(p, h.data(), N * sizeof(T), cudaMemcpyHostToDevice));
#if STYLE == 1 || STYLE == 3
    in_shared<<<1, N>>>(p);
#elif STYLE == 2
    for (int k = 2; k <= N; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) bitonic_step<<<4, N / 4>>>(p, j, k);
#elif STYLE == 4
    rank<<<2, N / 2>>>(p, q);
#else
    compact<<<4, N / 4>>>(p, q, n);
    CHECK(cudaMemcpy(&kept, n, sizeof kept, cudaMemcpyDeviceToHost));
    wanted.erase(std::remove_if(wanted.begin(), wanted.end(), [](T x) { return (int)x % 2; }), wanted.end());
#endif
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(got.data(), STYLE >= 4 ? q : p, kept * sizeof(T), cudaMemcpyDeviceToHost));
    got.resize(kept);
    if (STYLE == 5) std::sort(got.begin(), got.end());
    CHECK(cudaFree(p));
    CHECK(cudaFree(q));
    CHECK(cudaFree(n));
    return verdict(got == wanted);
}
