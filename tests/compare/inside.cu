// inside PLAN NUMBER - kernels whose length is decided inside them. clusters: clusters of NUMBER blocks that pass a ring of
// values on through each other's shared memory; more of them than there is room for. tiles: blocks that load one tile
// while they work on another, NUMBER of them, with a pipeline of two stages; grids: cooperative, with NUMBER grid barriers.
#include "compare.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

enum { THREADS = 256, TILE = 4 * THREADS };

__device__ static void pass(long long ns)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}

__global__ void ring(int *to, int rounds, long long ns)
{
    __shared__ int box[2];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
    if (threadIdx.x == 0) box[0] = (int)rank;
    cluster.sync();
    for (int i = 0; i < rounds; i++) {
        if (threadIdx.x == 0) {
            pass(ns);
            cluster.map_shared_rank(box, next)[(i + 1) % 2] = box[i % 2] + 1;
        }
        cluster.sync();
    }
    if (threadIdx.x == 0) to[blockIdx.x] = box[rounds % 2];
}

__global__ void tiled(const int *from, int *to, int tiles, long long ns)
{
    __shared__ int tile[2][TILE];
    auto pipe = cuda::make_pipeline();
    const int *mine = from + (size_t)blockIdx.x * tiles * TILE;
    int sum = 0;
    auto load = [&](int i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[i % 2][4 * threadIdx.x], &mine[i * TILE + 4 * threadIdx.x], cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();
    };
    load(0);
    for (int i = 0; i < tiles; i++) {
        if (i + 1 < tiles) {
            load(i + 1);
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
        sum += tile[i % 2][(4 * threadIdx.x + 4) % TILE];
        pass(ns);
        __syncthreads();
        pipe.consumer_release();
    }
    to[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void steps(int *to, int rounds, long long ns)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = 0; i < rounds; i++) {
        pass(ns);
        if (threadIdx.x == 0) to[(blockIdx.x + i) % gridDim.x] += 1;
        grid.sync();
    }
}

int main(int argc, char **argv)
{
    const char *plan = argc > 1 ? argv[1] : "clusters";
    int number = argc > 2 ? atoi(argv[2]) : 4;
    const int blocks = 132, tiles = !strcmp(plan, "tiles") ? number : 1;
    int *from, *to;
    cudaStream_t s;
    CHECK(cudaMalloc(&from, (size_t)blocks * tiles * TILE * sizeof *from));
    CHECK(cudaMalloc(&to, blocks * 16 * THREADS * sizeof *to));
    CHECK(cudaMemset(from, 0, (size_t)blocks * tiles * TILE * sizeof *from));
    CHECK(cudaMemset(to, 0, blocks * 16 * THREADS * sizeof *to));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3(1024);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (!strcmp(plan, "clusters")) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = number;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        config.gridDim = dim3(400 / number * number);
        measure([&] {
            for (int i = 0; i < 6; i++) CHECK(cudaLaunchKernelEx(&config, ring, to, 5, 5000LL));
        });
    } else if (!strcmp(plan, "tiles")) {
        measure([&] {
            for (int i = 0; i < 6; i++) tiled<<<blocks, THREADS, 0, s>>>(from, to, tiles, 2000);
        });
    } else if (!strcmp(plan, "grids")) {
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(THREADS);
        measure([&] {
            for (int i = 0; i < 6; i++) CHECK(cudaLaunchKernelEx(&config, steps, to, number, 5000LL));
        });
    } else {
        fprintf(stderr, "no plan %s\n", plan);
        return 2;
    }
    return 0;
}
