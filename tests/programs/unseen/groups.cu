// Groups, scans and sums of every size: tiles passed by type, coalesced threads, a grid's rank.
// flags: -std=c++17
// out: ok
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>
namespace cg = cooperative_groups;
template <int N> __device__ int tile_sum(cg::thread_block_tile<N> tile, int v)
{
    for (int by = N / 2; by; by /= 2) v += tile.shfl_xor(v, by);
    return v;
}
template <int N> __global__ void by_tiles(int *sum, const int *in, int n)
{
    auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    int i = cg::this_grid().thread_rank();
    int all = tile_sum<N>(tile, i < n ? in[i] : 0);
    if (tile.thread_rank() == 0) atomicAdd(sum, all);
}
__device__ int ranks(cg::thread_group group)
{
    group.sync();
    return group.size() * 1000 + group.thread_rank();
}
__global__ void kinds(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    out[block.thread_rank()] = ranks(block);
    if (block.thread_rank() % 4 == 1) {
        cg::coalesced_group odd = cg::coalesced_threads();
        out[block.thread_rank()] = ranks(odd);
    }
    block.sync();
    if (block.thread_rank() >= 32) out[block.thread_rank()] = ranks(cg::tiled_partition(block, 8));
}
__global__ void reduced(int *sum, const int *in, int n)
{
    auto grid = cg::this_grid();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = 0;
    for (unsigned long long i = grid.thread_rank(); i < (unsigned)n; i += grid.size()) v += in[i];
    v = cg::reduce(warp, v, cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(sum, v);
}
__global__ void kept(int *out, int *count, const int *in, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n || in[i] <= 50) return;
    auto together = cg::coalesced_threads();
    int at = 0;
    if (together.thread_rank() == 0) at = atomicAdd(count, (int)together.size());
    out[together.shfl(at, 0) + together.thread_rank()] = in[i];
}
__global__ void wscan(int *p)
{
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    p[i] = cg::inclusive_scan(w, p[i], cg::plus<int>());
    unsigned lane = threadIdx.x & 31;
    int v = 1;
    _Pragma("unroll") for (int d = 1; d < 32; d <<= 1)
    {
        int t = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += t;
    }
    if (v != (int)lane + 1) p[i] = -1;
    if (__popc(__ballot_sync(0xffffffff, lane & 1)) != 16) p[i] = -2;
    if (!__any_sync(~0u, lane == 3) || __all_sync(~0u, lane == 3)) p[i] = -3;
    if (w.any(lane > 40) || !w.all(lane < 32) || w.ballot(lane < 4) != 0xf) p[i] = -4;
    if (__shfl_xor_sync(~0u, (double)lane, 1) != (double)(lane ^ 1)) p[i] = -5;
}
int main()
{
    const int n = 1000;
    int *in, *out, *sum;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, n * 4);
    cudaMallocManaged(&sum, 4);
    std::mt19937 random(1);
    std::generate(in, in + n, [&] { return (int)(random() % 101); });
    const int expected = std::accumulate(in, in + n, 0);
    *sum = 0;
    by_tiles<32><<<8, 128>>>(sum, in, n);
    cudaDeviceSynchronize();
    if (*sum != expected) return 1;
    *sum = 0;
    by_tiles<4><<<8, 128>>>(sum, in, n);
    cudaDeviceSynchronize();
    if (*sum != expected) return 2;
    *sum = 0;
    reduced<<<3, 64>>>(sum, in, n);
    cudaDeviceSynchronize();
    if (*sum != expected) return 3;
    kinds<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    if (out[3] != 64003 || out[5] != 8001 || out[45] != 8005) return printf("%d %d %d\n", out[3], out[5], out[45]), 4;
    *sum = 0;
    kept<<<8, 128>>>(out, sum, in, n);
    cudaDeviceSynchronize();
    std::vector<int> got(out, out + *sum), want;
    std::copy_if(in, in + n, std::back_inserter(want), [](int v) { return v > 50; });
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    if (got != want) return 5;
    std::fill(out, out + 64, 2);
    wscan<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++)
        if (out[i] != 2 * (i % 32 + 1)) return 6;
    puts("ok");
}