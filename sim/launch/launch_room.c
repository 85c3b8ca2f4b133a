/* launch_room.c - see launch_room.h. */
#include "sim/launch/launch_room.h"

/* A GPC of the cards that know clusters has at most nine pairs of multiprocessors; where nothing
 * was measured, what a card has is dealt out evenly (132: six GPCs of 16 and two of 18). Where it
 * was, a GPC took no cluster of more blocks than it has multiprocessors, and no more blocks of
 * clusters than eight on each. */
enum { MOST_PAIRS = 9, FIRST_WITH_CLUSTERS = 9, MOST_PER_SM = 8 };

cudaError_t launch_check_shape(const Model *model, const LaunchShape *shape)
{
    TraceDim grid = shape->grid, block = shape->block;
    uint32_t most = (uint32_t)model->max_threads_per_block;
    bool fits = grid.x && grid.y && grid.z && block.x && block.y && block.z &&
                grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535 && block.x <= most &&
                block.y <= most && block.z <= 64 && launch_volume(block) <= most &&
                shape->shared <= model->shared_per_block_optin;
    return fits ? cudaSuccess : (cudaError_t)model->invalid_configuration_code;
}

/* The multiprocessors of the i-th GPC of those of which nothing was measured. */
static uint64_t dealt(const Model *model, uint64_t i)
{
    uint64_t pairs = ((uint64_t)model->sm_count + 1) / 2, n = (pairs + MOST_PAIRS - 1) / MOST_PAIRS;
    return i < n ? 2 * (pairs / n + (i < pairs % n)) : 0;
}

uint64_t launch_clusters_at_once(const Model *model, int per_sm, uint64_t blocks)
{
    const char *measured = model->gpc_sms;
    bool known = *measured != '\0';
    uint64_t clusters = 0, each = (uint64_t)per_sm, sms;
    if (per_sm < 1 || !blocks || model->major < FIRST_WITH_CLUSTERS) return 0;

    if (known && each > MOST_PER_SM) each = MOST_PER_SM;
    for (uint64_t i = 0; (sms = known ? (uint64_t)model_next_gpc(&measured) : dealt(model, i)); i++)
        if (!known || blocks <= sms || blocks == 1) clusters += sms * each / blocks;

    return clusters;
}

uint64_t launch_largest_cluster(const Model *model, int per_sm)
{
    if (per_sm < 1) return 0;
    if (model->major < FIRST_WITH_CLUSTERS) return 1;
    uint64_t blocks = LAUNCH_LARGEST_CLUSTER;
    while (blocks > 1 && !launch_clusters_at_once(model, per_sm, blocks)) blocks--;
    return blocks;
}

static bool divides(TraceDim part, TraceDim whole)
{
    return part.x && part.y && part.z && whole.x % part.x == 0 && whole.y % part.y == 0 &&
           whole.z % part.z == 0;
}

static cudaError_t check_cluster(const Model *model, const LaunchFunction *function,
                                 const LaunchShape *shape, const LaunchAttributes *attributes,
                                 TraceDim cluster)
{
    uint64_t most = function->non_portable ? LAUNCH_LARGEST_CLUSTER : LAUNCH_PORTABLE_CLUSTER;
    uint64_t blocks = launch_volume(cluster);
    if (model->major < FIRST_WITH_CLUSTERS) return cudaErrorInvalidClusterSize;
    if (!divides(cluster, shape->grid) || blocks > most) return cudaErrorInvalidClusterSize;

    TraceDim larger = attributes->preferred_cluster;
    if (larger.x && (!divides(cluster, larger) || !divides(larger, shape->grid) ||
                     larger.z != cluster.z || launch_volume(larger) > most))
        return cudaErrorInvalidClusterSize;

    return cudaSuccess;
}

cudaError_t launch_check(const Model *model, const LaunchFunction *function,
                         const LaunchShape *shape, const LaunchAttributes *attributes,
                         TraceDim *cluster, int *per_sm)
{
    *per_sm = model_blocks_per_sm(model, (uint32_t)launch_volume(shape->block), shape->shared);
    if (!launch_function_cluster(function, attributes->cluster, cluster))
        return cudaErrorInvalidClusterSize;
    if (shape->shared > launch_function_shared(function, model)) return cudaErrorInvalidValue;
    if (*per_sm < 1) return cudaErrorLaunchOutOfResources;

    uint64_t room = (uint64_t)*per_sm * (uint64_t)model->sm_count;
    if (cluster->x) {
        cudaError_t error = check_cluster(model, function, shape, attributes, *cluster);
        if (error) return error;
        uint64_t blocks = launch_volume(*cluster);
        room = launch_clusters_at_once(model, *per_sm, blocks) * blocks;
        if (!room) return cudaErrorLaunchOutOfResources;
    }

    if (attributes->cooperative && launch_volume(shape->grid) > room)
        return cudaErrorCooperativeLaunchTooLarge;

    return cudaSuccess;
}

void launch_groups(const Model *model, uint64_t blocks, Operation *operation)
{
    uint64_t cluster = operation->launch.cluster.x ? launch_volume(operation->launch.cluster) : 0;
    int per_sm = (int)operation->blocks_per_sm;
    operation->together = (uint32_t)cluster;
    operation->groups_at_once =
        cluster ? (uint32_t)launch_clusters_at_once(model, per_sm, cluster) : 0;
    if (!operation->launch.cooperative) return;
    operation->together = (uint32_t)blocks; /* it has been looked at whether they fit */
    operation->groups_at_once = 0;
}

cudaError_t launch_settle(const Model *model, Operation *operation)
{
    ExecLaunch *launch = &operation->effect.kernel->launch;
    LaunchShape shape = {launch->grid, launch->block, launch->shared_bytes};
    TraceDim cluster;
    int per_sm;
    cudaError_t error = launch_check(model, launch_function(launch->run_block, launch->device),
                                     &shape, &operation->launch, &cluster, &per_sm);
    if (error) return error;

    operation->launch.cluster = launch->cluster = cluster;
    launch->cooperative = operation->launch.cooperative;
    launch_groups(model, launch_volume(launch->grid), operation);

    return cudaSuccess;
}
