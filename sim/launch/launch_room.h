/* launch_room.h - how many blocks, and how many clusters of blocks, a device has room for at once,
 * and which shapes of launches it refuses. */
#ifndef THREELANE_LAUNCH_ROOM_H
#define THREELANE_LAUNCH_ROOM_H
#include "sim/include/driver_types.h"
#include "sim/launch/launch_function.h"
#include "sim/model/model.h"
#include "sim/runtime/operation.h"
#include "timeline/trace/trace.h"

/* A launch, as far as room matters. */
typedef struct LaunchShape {
    TraceDim grid, block;
    uint64_t shared; /* dynamic */
} LaunchShape;

static inline uint64_t launch_volume(TraceDim dim) { return (uint64_t)dim.x * dim.y * dim.z; }

/* What a launch of this shape is refused with before anything is known of its kernel. */
cudaError_t launch_check_shape(const Model *, const LaunchShape *);

/* What a launch of this kernel with these attributes is refused with; then *cluster is what it is
 * made of (x 0: no clusters), and *per_sm how many of its blocks a multiprocessor holds. */
cudaError_t launch_check(const Model *, const LaunchFunction *, const LaunchShape *,
                         const LaunchAttributes *, TraceDim *cluster, int *per_sm);

/* How a kernel's blocks start, by its attributes and its shape: Operation.together and
 * groups_at_once, from its cluster and blocks_per_sm. */
void launch_groups(const Model *, uint64_t blocks, Operation *);
/* The attributes of a kept kernel have changed: what follows from them, or what it is refused with;
 * then nothing has changed but they. */
cudaError_t launch_settle(const Model *, Operation *);

/* How many clusters of so many blocks are there at once, of blocks of which per_sm fit into one
 * multiprocessor: a cluster lies in one GPC, whose multiprocessors come in pairs. */
uint64_t launch_clusters_at_once(const Model *, int per_sm, uint64_t blocks);
/* The largest cluster of such blocks that there is room for; 0: not even one block. */
uint64_t launch_largest_cluster(const Model *, int per_sm);
#endif
