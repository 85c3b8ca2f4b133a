// out: all as expected
// Warp primitives: every kind of shuffle, votes, matches, reductions, masks, lanes that have left, groups.
#include <cstdio>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu

__device__ int wrong;
#define EXPECT(X)                                                                                  \
    do if (!(X)) {                                                                                 \
        printf("line %d, thread %d: %s\n", __LINE__, (int)threadIdx.x, #X);                        \
        atomicAdd(&wrong, 1);                                                                      \
    } while (0)

__global__ void shuffles()
{
    int lane = threadIdx.x % 32;
    EXPECT(__shfl_sync(FULL, lane * 2, 5) == 10);
    EXPECT(__shfl_sync(FULL, lane, 3, 8) == (lane & ~7) + 3);
    EXPECT(__shfl_sync(FULL, lane, 37) == 5);
    EXPECT(__shfl_up_sync(FULL, lane, 1) == (lane ? lane - 1 : 0));
    EXPECT(__shfl_up_sync(FULL, lane, 2, 4) == (lane % 4 < 2 ? lane : lane - 2));
    EXPECT(__shfl_down_sync(FULL, lane, 16) == (lane < 16 ? lane + 16 : lane));
    EXPECT(__shfl_xor_sync(FULL, lane, 31) == 31 - lane);
    EXPECT(__shfl_sync(FULL, 0.5 * lane, 9) == 4.5);
    EXPECT(__shfl_sync(FULL, 1ull << lane, 20) == 1ull << 20);
    EXPECT(__shfl_down_sync(FULL, (float)lane, 1) == (lane < 31 ? lane + 1.0f : 31.0f));
    int sum = lane;
    for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(FULL, sum, k);
    EXPECT(sum == 31 * 16);
    if (lane < 16) {                  // half a warp each, at the same time
        EXPECT(__shfl_sync(0x0000ffffu, lane, 15) == 15);
    } else {
        EXPECT(__shfl_sync(0xffff0000u, lane, 16) == 16);
    }
    __syncwarp();
}

__global__ void votes()
{
    int lane = threadIdx.x % 32;
    EXPECT(__ballot_sync(FULL, lane % 3 == 0) == 0x49249249u);
    EXPECT(__any_sync(FULL, lane == 31) && !__any_sync(FULL, 0));
    EXPECT(__all_sync(FULL, 1) && !__all_sync(FULL, lane));
    EXPECT(__match_any_sync(FULL, lane % 4) == 0x11111111u << lane % 4);
    int same;
    EXPECT(__match_all_sync(FULL, 7.5, &same) == FULL && same);
    EXPECT(__match_all_sync(FULL, lane / 31, &same) == 0 && !same);
    EXPECT(__reduce_add_sync(FULL, (unsigned)lane) == 496);
    EXPECT(__reduce_min_sync(FULL, 5 - lane) == -26 && __reduce_max_sync(FULL, 5 - lane) == 5);
    EXPECT(__reduce_max_sync(FULL, (unsigned)(5 - lane)) == (unsigned)-1);
    EXPECT(__reduce_or_sync(FULL, 1u << lane) == FULL && __reduce_and_sync(FULL, ~(1u << lane)) == 0);
    EXPECT(__reduce_xor_sync(FULL, 3u) == 0);
}

__global__ void leavers()            // 40 threads, one lane in four of which leaves
{
    int lane = threadIdx.x % 32;
    if (lane % 4 == 1) return;
    unsigned there = __ballot_sync(FULL, 1);
    EXPECT(there == (threadIdx.x < 32 ? 0xddddddddu : 0xddu));
    EXPECT(__activemask() == there);
    if (lane & 2) EXPECT(__popc(__activemask()) == (threadIdx.x < 32 ? 16 : 4));
}

__global__ void groups(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    EXPECT(block.size() == 64 && block.thread_rank() == threadIdx.x && warp.meta_group_size() == 2);
    EXPECT(quad.thread_rank() == threadIdx.x % 4 && quad.meta_group_rank() == threadIdx.x % 32 / 4);
    int v = quad.shfl(threadIdx.x, 2);
    EXPECT(v == (int)(threadIdx.x & ~3u) + 2);
    EXPECT(quad.shfl_down((int)threadIdx.x, 1) == (int)(threadIdx.x % 4 == 3 ? threadIdx.x : threadIdx.x + 1));
    EXPECT(quad.ballot(quad.thread_rank() == 1) == 2 && quad.any(1) && !quad.all(quad.thread_rank()));
    EXPECT(cg::reduce(warp, (int)warp.thread_rank(), cg::plus<int>()) == 496);
    EXPECT(cg::reduce(quad, (int)quad.thread_rank(), cg::greater<int>()) == 3);
    if (threadIdx.x % 2) {
        cg::coalesced_group odd = cg::coalesced_threads();
        EXPECT(odd.size() == 16 && odd.thread_rank() == threadIdx.x % 32 / 2);
        EXPECT(odd.shfl((int)threadIdx.x, 3) == (int)(threadIdx.x & ~31u) + 7);
        if (odd.thread_rank() == 0) atomicAdd(out, (int)odd.size());
    }
    block.sync();
}

int main()
{
    int *out, total = 0, bad;
    cudaMalloc(&out, 4);
    cudaMemset(out, 0, 4);
    shuffles<<<2, 64>>>();
    votes<<<1, 96>>>();
    leavers<<<1, 40>>>();
    groups<<<1, 64>>>(out);
    cudaMemcpy(&total, out, 4, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&bad, wrong, sizeof bad);
    if (cudaGetLastError() != cudaSuccess || total != 32) return 1;
    if (!bad) printf("all as expected\n");
    return bad;
}
