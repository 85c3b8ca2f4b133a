// Cooperative groups: ranks and sizes of tiles, of groups by label and by answer, of what is left of a warp; what their
// collectives give; tiles of more than a warp. By the headers of CUDA 13.
// flags: -std=c++17
// out: ok groups
#include "conformance.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

#define THAT(CONDITION)                                                                            \
    do {                                                                                           \
        if (!(CONDITION)) atomicMax(line, __LINE__);                                               \
    } while (0)

struct Four {
    int a, b, c, d;
};

__global__ void ranks(int *line)
{
    cg::thread_block block = cg::this_thread_block();
    THAT(block.size() == 128 && block.num_threads() == 128);
    THAT(block.thread_rank() == threadIdx.x + 16 * threadIdx.y);
    THAT(block.thread_index().y == threadIdx.y && block.dim_threads().x == 16);
    THAT(block.group_index().x == blockIdx.x && block.group_dim().y == 8);

    auto tile = cg::tiled_partition<8>(block);
    THAT(tile.size() == 8 && tile.thread_rank() == block.thread_rank() % 8);
    THAT(tile.meta_group_rank() == block.thread_rank() / 8 && tile.meta_group_size() == 16);
    auto within = cg::tiled_partition<4>(tile);
    THAT(within.meta_group_rank() == tile.thread_rank() / 4 && within.meta_group_size() == 2);
    cg::thread_block_tile<8> any = tile;
    THAT(any.meta_group_rank() == tile.meta_group_rank());
    THAT(cg::this_thread().size() == 1 && cg::this_thread().thread_rank() == 0);

    cg::thread_group of = cg::tiled_partition(block, 16);
    THAT(of.size() == 16 && of.thread_rank() == block.thread_rank() % 16);
    cg::thread_group half = cg::tiled_partition(of, 8);
    THAT(half.size() == 8);
    THAT(cg::group_size(tile) == 8 && cg::thread_rank(tile) == tile.thread_rank());

    THAT(tile.shfl((int)threadIdx.x, 3) == (int)(threadIdx.x & ~7u) + 3);
    THAT(tile.shfl_up(tile.thread_rank(), 1) == (tile.thread_rank() ? tile.thread_rank() - 1 : 0));
    THAT(tile.shfl_down(tile.thread_rank(), 2) == (tile.thread_rank() < 6 ? tile.thread_rank() + 2 : tile.thread_rank()));
    THAT(tile.shfl_xor(tile.thread_rank(), 5) == (tile.thread_rank() ^ 5));
    THAT(tile.ballot(tile.thread_rank() > 5) == 0xc0);
    THAT(tile.any(tile.thread_rank() == 2) && !tile.all(tile.thread_rank() == 2));
    THAT(tile.match_any(tile.thread_rank() / 4) == (tile.thread_rank() < 4 ? 0x0fu : 0xf0u));
    int same;
    THAT(tile.match_all(7, same) == 0xff && same);
    THAT(tile.match_all(tile.thread_rank(), same) == 0 && !same);
    Four four = {(int)tile.thread_rank(), 1, 2, 3};
    THAT(tile.shfl(four, 5).a == 5 && tile.shfl(four, 5).d == 3);

    cg::grid_group grid = cg::this_grid();
    THAT(!grid.is_valid());
    THAT(grid.size() == 256 && grid.num_blocks() == 2 && grid.block_rank() == blockIdx.x);
    THAT(grid.thread_rank() == blockIdx.x * 128 + block.thread_rank());
    THAT(grid.dim_blocks().x == 2 && grid.block_index().x == blockIdx.x);
    THAT(grid.dim_threads().x == 32 && grid.thread_index().x == blockIdx.x * 16 + threadIdx.x);
}

__global__ void parts(int *line)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned lane = warp.thread_rank();

    auto label = cg::labeled_partition(warp, lane % 3);
    THAT(label.size() == (lane % 3 == 2 ? 10 : 11) && label.thread_rank() == lane / 3);
    THAT(label.meta_group_size() == 3 && label.meta_group_rank() == lane % 3);
    THAT(label.shfl((int)lane, 2) == (int)(6 + lane % 3));
    THAT(label.ballot(lane < 6) == 3);

    auto answer = cg::binary_partition(warp, lane >= 20);
    THAT(answer.size() == (lane >= 20 ? 12 : 20) && answer.meta_group_size() == 2);
    THAT(answer.meta_group_rank() == (lane >= 20));
    auto all = cg::binary_partition(warp, true);
    THAT(all.size() == 32 && all.meta_group_size() == 1 && all.meta_group_rank() == 0);

    if (lane % 2) {
        cg::coalesced_group odd = cg::coalesced_threads();
        THAT(odd.size() == 16 && odd.thread_rank() == lane / 2);
        THAT(odd.meta_group_size() == 1);
        auto few = cg::tiled_partition(odd, 4);
        THAT(few.size() == 4 && few.thread_rank() == lane / 2 % 4);
        THAT(few.meta_group_size() == 4 && few.meta_group_rank() == lane / 8);
        THAT(odd.shfl_up((int)lane, 1) == (lane > 1 ? (int)lane - 2 : (int)lane));
        THAT(odd.shfl_down((int)lane, 3) == (lane < 26 ? (int)lane + 6 : (int)lane));
        THAT(cg::reduce(odd, (int)lane, cg::plus<int>()) == 256);
    }
    warp.sync();

    THAT(cg::reduce(warp, (int)lane, cg::plus<int>()) == 496);
    THAT(cg::reduce(warp, (int)lane, cg::less<int>()) == 0);
    THAT(cg::reduce(warp, (int)lane, cg::greater<int>()) == 31);
    THAT(cg::reduce(warp, lane, cg::bit_or<unsigned>()) == 31);
    THAT(cg::reduce(warp, 1.5f, [](float a, float b) { return a + b; }) == 48.f);
    THAT(cg::inclusive_scan(warp, 1) == (int)lane + 1);
    THAT(cg::exclusive_scan(warp, 2) == 2 * (int)lane);
    THAT(cg::inclusive_scan(warp, lane, cg::greater<unsigned>()) == lane);
    THAT(cg::exclusive_scan(warp, lane + 1, cg::greater<unsigned>()) == lane);
    THAT(cg::inclusive_scan(label, 1) == (int)label.thread_rank() + 1);

    int calls = 0;
    cg::invoke_one(warp, [&] { calls = 1; });
    THAT(cg::reduce(warp, calls, cg::plus<int>()) == 1);
    THAT(cg::invoke_one_broadcast(warp, [] { return 7; }) == 7);
}

__global__ void large(int *line, int *sums)
{
    __shared__ cg::block_tile_memory<256> scratch;
    __shared__ int left[256];
    cg::thread_block block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<128>(block);
    unsigned rank = tile.thread_rank();
    THAT(tile.size() == 128 && rank == threadIdx.x % 128);
    THAT(tile.meta_group_rank() == threadIdx.x / 128 && tile.meta_group_size() == 2);
    left[threadIdx.x] = (int)threadIdx.x;
    tile.sync();
    THAT(left[threadIdx.x / 128 * 128 + 127 - rank] == (int)(threadIdx.x / 128 * 128 + 127 - rank));
    THAT(tile.shfl((int)threadIdx.x, 100) == (int)(threadIdx.x / 128 * 128 + 100));
    THAT(tile.any(rank == 77) && !tile.all(rank == 77) && tile.all(rank < 128) && !tile.any(rank == 128));
    if (tile.meta_group_rank() == 0) tile.sync();       // the other one need not
    THAT(cg::reduce(tile, (int)rank, cg::plus<int>()) == 8128);
    THAT(cg::reduce(tile, (int)rank, cg::greater<int>()) == 127);
    THAT(cg::inclusive_scan(tile, 1) == (int)rank + 1);
    THAT(cg::exclusive_scan(tile, 3) == 3 * (int)rank);
    THAT(cg::exclusive_scan(tile, rank + 1, cg::greater<unsigned>()) == rank);
    cg::reduce_store_async(tile, &sums[tile.meta_group_rank()], (int)threadIdx.x, cg::plus<int>());
    auto warps = cg::tiled_partition<32>(tile);
    THAT(warps.meta_group_rank() == rank / 32 && warps.meta_group_size() == 4);
}


int main()
{
    int *line;
    OK(cudaMallocManaged(&line, 3 * sizeof *line));
    line[0] = line[1] = line[2] = 0;
    ranks<<<2, dim3(16, 8)>>>(line);
    OK(cudaDeviceSynchronize());
    CHECK(*line == 0);
    parts<<<1, 32>>>(line);
    OK(cudaDeviceSynchronize());
    CHECK(*line == 0);
    large<<<1, 256>>>(line, line + 1);
    OK(cudaDeviceSynchronize());
    CHECK(*line == 0);
    CHECK(line[1] == 8128 && line[2] == 8128 + 128 * 128);
    if (*line) printf("line %d\n", *line);
    return finish("groups");
}
