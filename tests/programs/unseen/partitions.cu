// Groups of the threads that agree: cooperative_groups' binary_partition and labeled_partition.
// out: odd 16 sum 256, even 16 sum 240
// out: of three labels 11 11 10, ranks right
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__managed__ int count[2], sum[2], labels[3], wrong;

__global__ void halves()
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int value = threadIdx.x, odd = value & 1;
    auto half = cg::binary_partition(tile, odd);
    int total = cg::reduce(half, value, cg::plus<int>());
    if (half.thread_rank() == 0) {
        count[odd] = half.size();
        sum[odd] = total;
    }
}
__global__ void thirds()
{
    cg::coalesced_group active = cg::coalesced_threads();
    auto mine = cg::labeled_partition(active, threadIdx.x % 3);
    if (mine.thread_rank() == 0) labels[threadIdx.x % 3] = mine.size();
    if (mine.thread_rank() != threadIdx.x / 3) wrong = 1;
}
int main()
{
    halves<<<1, 32>>>();
    thirds<<<1, 32>>>();
    cudaDeviceSynchronize();
    printf("odd %d sum %d, even %d sum %d\n", count[1], sum[1], count[0], sum[0]);
    printf("of three labels %d %d %d, ranks %s\n", labels[0], labels[1], labels[2], wrong ? "wrong" : "right");
    return 0;
}
