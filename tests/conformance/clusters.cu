// Thread block clusters: who is where, shared memory of other blocks, which launches are refused.
// run: THREELANE_MODEL=h200
// out: ok clusters
#include <cooperative_groups.h>
#include "conformance.h"
namespace cg = cooperative_groups;

struct Place {
    unsigned rank, blocks, x, y, z, dim_x, dim_y, dim_z, thread_rank, threads, rank_of_mine, rank_of_next, next;
};

__global__ void where(Place *to)
{
    __shared__ unsigned mine;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    if (threadIdx.x == 0) mine = 1000 + block;
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    unsigned *there = cluster.map_shared_rank(&mine, (int)next);
    if (threadIdx.x == 1) {
        dim3 at = cluster.block_index(), dim = cluster.dim_blocks();
        to[block] = Place{cluster.block_rank(), cluster.num_blocks(), at.x, at.y, at.z, dim.x, dim.y, dim.z,
                          cluster.thread_rank(), cluster.num_threads(), cluster.query_shared_rank(&mine),
                          cluster.query_shared_rank(there), *there};
    }
    cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) declared(int *to)
{
    to[blockIdx.x] = (int)(10 * cg::this_cluster().num_blocks() + cg::this_cluster().block_rank());
}

// Arriving and waiting apart; threads that have ended need not come.
__global__ void apart(int *to)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = (int)cluster.block_rank();
    if (threadIdx.x >= 32) return;
    auto token = cluster.barrier_arrive();
    int work = (int)threadIdx.x;
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    if (threadIdx.x == 0) atomicAdd(cluster.map_shared_rank(&sum, 0), 100 + work);
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0) to[blockIdx.x / cluster.num_blocks()] = sum;
}

static cudaError_t in_clusters(const void *kernel, void **arguments, dim3 grid, int threads, dim3 cluster)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    config.gridDim = grid;
    config.blockDim = dim3((unsigned)threads);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaError_t error = cudaLaunchKernelExC(&config, kernel, arguments);
    cudaGetLastError();
    return error;
}

int main()
{
    static Place h[48];
    Place *d;
    int *ints, got[8], yes;
    warm_up();
    OK(cudaDeviceGetAttribute(&yes, cudaDevAttrClusterLaunch, 0));
    CHECK(yes == 1);
    OK(cudaMalloc(&d, sizeof h));
    OK(cudaMalloc(&ints, sizeof got));

    // Clusters of 2 x 3 x 1 blocks in a grid of 4 x 6 x 2: ranks count x first.
    void *arguments[] = {&d};
    IS(cudaSuccess, in_clusters((const void *)where, arguments, dim3(4, 6, 2), 64, dim3(2, 3, 1)));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 48; i++) {
        unsigned x = i % 4, y = i / 4 % 6, z = i / 24, rank = x % 2 + 2 * (y % 3);
        unsigned next = (rank + 1) % 6;
        CHECK(h[i].rank == rank && h[i].blocks == 6);
        CHECK(h[i].x == x % 2 && h[i].y == y % 3 && h[i].z == 0);
        CHECK(h[i].dim_x == 2 && h[i].dim_y == 3 && h[i].dim_z == 1);
        CHECK(h[i].thread_rank == rank * 64 + 1 && h[i].threads == 6 * 64);
        CHECK(h[i].rank_of_mine == rank && h[i].rank_of_next == next);
        CHECK(h[i].next == 1000 + (x - x % 2 + next % 2) + 4 * (y - y % 3 + next / 2 + 6 * z));
    }

    // A launch without clusters has clusters of one block.
    where<<<dim3(4, 6, 2), 64>>>(d);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[5].rank == 0 && h[5].blocks == 1 && h[5].next == 1005);

    // What the kernel itself says.
    declared<<<8, 32>>>(ints);
    OK(cudaGetLastError());
    OK(cudaMemcpy(got, ints, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 20 && got[1] == 21 && got[6] == 20 && got[7] == 21);
    cudaFuncAttributes about;
    OK(cudaFuncGetAttributes(&about, declared));
    CHECK(about.requiredClusterWidth == 2 && about.requiredClusterHeight == 1 && about.requiredClusterDepth == 1);
    IS(cudaErrorInvalidValue, cudaFuncSetAttribute(declared, cudaFuncAttributeRequiredClusterWidth, 4));
    cudaGetLastError();
    void *of_ints[] = {&ints};
    IS(cudaSuccess, in_clusters((const void *)declared, of_ints, dim3(8), 32, dim3(2, 1, 1)));
    IS(cudaErrorInvalidClusterSize, in_clusters((const void *)declared, of_ints, dim3(8), 32, dim3(4, 1, 1)));
    declared<<<7, 32>>>(ints);
    IS(cudaErrorInvalidClusterSize, cudaGetLastError());

    IS(cudaSuccess, in_clusters((const void *)apart, of_ints, dim3(8), 64, dim3(4, 1, 1)));
    OK(cudaMemcpy(got, ints, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 400 && got[1] == 400);

    // Sizes: 8 blocks everywhere, 16 where the kernel was allowed it.
    IS(cudaSuccess, in_clusters((const void *)where, arguments, dim3(16), 64, dim3(8, 1, 1)));
    IS(cudaErrorInvalidClusterSize, in_clusters((const void *)where, arguments, dim3(16), 64, dim3(16, 1, 1)));
    OK(cudaFuncSetAttribute(where, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    IS(cudaSuccess, in_clusters((const void *)where, arguments, dim3(16), 64, dim3(16, 1, 1)));
    OK(cudaDeviceSynchronize());
    OK(cudaFuncSetAttribute(where, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));

    // A graph keeps what a launch was asked for with.
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t node;
    cudaKernelNodeAttrValue of_node;
    size_t nodes = 1;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    declared<<<8, 32, 0, stream>>>(ints);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, &node, &nodes));
    memset(&of_node, 0, sizeof of_node);
    of_node.clusterDim.x = 3;
    of_node.clusterDim.y = of_node.clusterDim.z = 1;
    CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &of_node) != cudaSuccess);
    cudaGetLastError();
    OK(cudaMemset(ints, 0, sizeof got));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphInstantiate(&executable, graph, 0));
    OK(cudaGraphLaunch(executable, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(got, ints, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 20 && got[7] == 21);
    OK(cudaGraphExecDestroy(executable));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));

    // How large a cluster may be, and how many there is room for.
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    int size = 0, clusters = 0, blocks = 0, sms = 0;
    config.gridDim = dim3(64);
    config.blockDim = dim3(1024);
    OK(cudaOccupancyMaxPotentialClusterSize(&size, where, &config));
    CHECK(size == 8);
    OK(cudaOccupancyMaxPotentialClusterSize(&size, declared, &config));
    CHECK(size == 8); // whatever the kernel says of itself
    OK(cudaOccupancyMaxActiveClusters(&clusters, where, &config));
    CHECK(clusters == 0); // none were asked for
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaOccupancyMaxActiveClusters(&clusters, where, &config));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, where, 1024, 0));
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(clusters >= 1 && clusters * 4 <= blocks * sms);
    cudaGetLastError();

    return finish("clusters");
}
