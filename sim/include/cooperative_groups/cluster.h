/* cooperative_groups/cluster.h - the group of all threads of a cluster; part of cooperative_groups.h. */
#ifndef THREELANE_COOPERATIVE_GROUPS_CLUSTER_H
#define THREELANE_COOPERATIVE_GROUPS_CLUSTER_H
#include "threelane/cluster.h"
#include "threelane/device.h"

namespace cooperative_groups {

class cluster_group {
    static inline __attribute__((always_inline)) dim3 three(ThreelaneClusterFact what)
    {
        return dim3(threelane_cluster_fact(what, 0), threelane_cluster_fact(what, 1), threelane_cluster_fact(what, 2));
    }
    static inline __attribute__((always_inline)) unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }

public:
    struct arrival_token {};
    static inline void sync(THREELANE_AT)
    {
        threelane_cluster_arrive(file, line);
        threelane_cluster_wait(file, line);
    }
    static inline arrival_token barrier_arrive(THREELANE_AT)
    {
        threelane_cluster_arrive(file, line);
        return arrival_token();
    }
    static inline void barrier_wait(THREELANE_AT) { threelane_cluster_wait(file, line); }
    static inline void barrier_wait(arrival_token &&, THREELANE_AT) { threelane_cluster_wait(file, line); }

    static inline unsigned query_shared_rank(const void *address) { return threelane_cluster_rank_of(address); }
    template <class T> static inline T *map_shared_rank(T *address, int rank, THREELANE_AT)
    {
        return (T *)threelane_cluster_map((const void *)address, (unsigned)rank, file, line);
    }

    static inline dim3 block_index() { return three(THREELANE_CLUSTER_BLOCK); }
    static inline unsigned block_rank() { return threelane_cluster_fact(THREELANE_CLUSTER_RANK, 0); }
    static inline dim3 dim_blocks() { return three(THREELANE_CLUSTER_DIM); }
    static inline unsigned num_blocks() { return threelane_cluster_fact(THREELANE_CLUSTER_BLOCKS, 0); }
    static inline dim3 thread_index()
    {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    static inline unsigned thread_rank() { return block_rank() * block_size() + threelane_rank(); }
    static inline dim3 dim_threads()
    {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static inline unsigned num_threads() { return num_blocks() * block_size(); }
    static inline unsigned size() { return num_threads(); }
};
inline cluster_group this_cluster() { return cluster_group(); }

}
#endif
