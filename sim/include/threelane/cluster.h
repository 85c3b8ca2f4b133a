/* threelane/cluster.h - thread block clusters, for device code: what cooperative_groups/cluster.h and CUDA's built-in
 * functions of clusters are made of. C and C++; the executor (sim/exec/cluster.c) has the functions. */
#ifndef THREELANE_DEVICE_CLUSTER_H
#define THREELANE_DEVICE_CLUSTER_H

typedef enum ThreelaneClusterFact {
    THREELANE_CLUSTER_DIM,       /* blocks along a side of a cluster */
    THREELANE_CLUSTER_INDEX,     /* of the block's cluster in the grid */
    THREELANE_CLUSTER_GRID,      /* clusters along a side of the grid */
    THREELANE_CLUSTER_BLOCK,     /* of the block in its cluster */
    THREELANE_CLUSTER_RANK,      /* the same as one number: x first */
    THREELANE_CLUSTER_BLOCKS,    /* in a cluster */
    THREELANE_CLUSTER_EXPLICIT   /* was the kernel launched with clusters? */
} ThreelaneClusterFact;

#ifdef __cplusplus
extern "C" {
#endif
/* side: 0, 1, 2 for x, y, z, where there is one. */
unsigned threelane_cluster_fact(ThreelaneClusterFact what, unsigned side);
/* Every thread of the cluster that has not ended arrives, and may go on when all have. */
void threelane_cluster_arrive(const char *file, int line);
void threelane_cluster_wait(const char *file, int line);
/* What lies at this address of the own shared memory, in the shared memory of another block of the cluster; and whose
 * shared memory an address is. */
void *threelane_cluster_map(const void *address, unsigned rank, const char *file, int line);
unsigned threelane_cluster_rank_of(const void *address);
#ifdef __cplusplus
}

#include "threelane/device.h"

/* CUDA's own names. */
namespace tl {
THREELANE_DEVICE dim3 cluster_three(ThreelaneClusterFact what)
{
    return dim3(threelane_cluster_fact(what, 0), threelane_cluster_fact(what, 1), threelane_cluster_fact(what, 2));
}
}
THREELANE_DEVICE unsigned __clusterDimIsSpecified() { return threelane_cluster_fact(THREELANE_CLUSTER_EXPLICIT, 0); }
THREELANE_DEVICE dim3 __clusterDim() { return tl::cluster_three(THREELANE_CLUSTER_DIM); }
THREELANE_DEVICE dim3 __clusterRelativeBlockIdx() { return tl::cluster_three(THREELANE_CLUSTER_BLOCK); }
THREELANE_DEVICE dim3 __clusterGridDimInClusters() { return tl::cluster_three(THREELANE_CLUSTER_GRID); }
THREELANE_DEVICE dim3 __clusterIdx() { return tl::cluster_three(THREELANE_CLUSTER_INDEX); }
THREELANE_DEVICE unsigned __clusterRelativeBlockRank() { return threelane_cluster_fact(THREELANE_CLUSTER_RANK, 0); }
THREELANE_DEVICE unsigned __clusterSizeInBlocks() { return threelane_cluster_fact(THREELANE_CLUSTER_BLOCKS, 0); }
THREELANE_DEVICE void __cluster_barrier_arrive(THREELANE_AT) { threelane_cluster_arrive(file, line); }
THREELANE_DEVICE void __cluster_barrier_arrive_relaxed(THREELANE_AT) { threelane_cluster_arrive(file, line); }
THREELANE_DEVICE void __cluster_barrier_wait(THREELANE_AT) { threelane_cluster_wait(file, line); }
THREELANE_DEVICE void *__cluster_map_shared_rank(const void *address, unsigned rank, THREELANE_AT)
{
    return threelane_cluster_map(address, rank, file, line);
}
THREELANE_DEVICE unsigned __cluster_query_shared_rank(const void *address)
{
    return threelane_cluster_rank_of(address);
}

/* What tlcc makes of inline PTX: shared addresses may have been cut to 32 bits. */
namespace tl {
namespace ptx {
THREELANE_DEVICE unsigned long long mapa(unsigned long long address, unsigned rank, THREELANE_AT)
{
    return (unsigned)(unsigned long long)threelane_cluster_map(threelane_shared_at(address), rank, file, line);
}
THREELANE_DEVICE unsigned long long mapa_generic(unsigned long long address, unsigned rank, THREELANE_AT)
{
    return (unsigned long long)threelane_cluster_map((const void *)address, rank, file, line);
}
THREELANE_DEVICE unsigned getctarank(unsigned long long address)
{
    return threelane_cluster_rank_of(threelane_shared_at(address));
}
}
}
#endif
#endif
