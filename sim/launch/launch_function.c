/* launch_function.c - see launch_function.h. */
#include "sim/launch/launch_function.h"
#include <stdlib.h>
#include "sim/host/host.h"

/* In chains by hash, so that one stays where it is. */
typedef struct Known {
    LaunchFunction function;
    struct Known *next;
} Known;
enum { BUCKETS = 256 };
static Known *buckets[BUCKETS];

LaunchFunction *launch_function(LaunchKernelId kernel, int device)
{
    uintptr_t address = (uintptr_t)kernel;
    Known **bucket = &buckets[(address >> 4 ^ address >> 12) % BUCKETS];
    for (Known *known = *bucket; known; known = known->next)
        if (known->function.kernel == kernel && known->function.device == device)
            return &known->function;

    Known *made = calloc(1, sizeof *made);
    if (!made) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory");
    made->function.kernel = kernel;
    made->function.device = device;
    made->function.carveout = cudaSharedmemCarveoutDefault;
    made->next = *bucket;
    *bucket = made;

    return &made->function;
}

uint64_t launch_function_shared(const LaunchFunction *function, const Model *model)
{
    return function->shared_given ? function->shared : model->shared_per_block;
}

cudaError_t launch_function_set(LaunchFunction *function, const Model *model,
                                enum cudaFuncAttribute attribute, int value)
{
    uint32_t *side = NULL;
    switch ((int)attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || (uint64_t)value > model->shared_per_block_optin)
            return cudaErrorInvalidValue;
        function->shared = (uint64_t)value;
        function->shared_given = true;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return cudaErrorInvalidValue;
        function->carveout = value;
        return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth: side = &function->required.x; break;
    case cudaFuncAttributeRequiredClusterHeight: side = &function->required.y; break;
    case cudaFuncAttributeRequiredClusterDepth: side = &function->required.z; break;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        function->non_portable = value != 0;
        return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        if (value < cudaClusterSchedulingPolicyDefault ||
            value > cudaClusterSchedulingPolicyLoadBalancing)
            return cudaErrorInvalidValue;
        function->policy = value;
        return cudaSuccess;
    default: return cudaErrorInvalidValue; /* the others can only be read */
    }

    if (function->declared.x || value < 0) return cudaErrorInvalidValue;
    *side = (uint32_t)value;

    return cudaSuccess;
}

static bool same(TraceDim a, TraceDim b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool launch_function_cluster(const LaunchFunction *function, TraceDim attribute, TraceDim *cluster)
{
    TraceDim own = function->declared.x ? function->declared : function->required;
    bool none = !own.x && !own.y && !own.z;
    *cluster = none ? attribute : own;

    /* set at run time, side by side: all of them, or none */
    if (!none && !(own.x && own.y && own.z)) return false;
    return none || !attribute.x || same(own, attribute);
}
