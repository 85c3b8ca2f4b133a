/* launch_attributes.c - see launch_attributes.h.
 *
 * Some attributes say how a launch goes; they become LaunchAttributes. The others are hints (where
 * the cache should keep what, which multiprocessors a cluster goes to, which barriers order which
 * kernel's memory): their values are checked, and nothing that a program can see follows. */
#include "sim/launch/launch_attributes.h"
#include <string.h>

/* Where an attribute may stand. */
enum { LAUNCH = 1 << LAUNCH_OF_LAUNCH, STREAM = 1 << LAUNCH_OF_STREAM, NODE = 1 << LAUNCH_OF_NODE };

static unsigned places_of(cudaLaunchAttributeID id)
{
    switch (id) {
    case cudaLaunchAttributeIgnore: return LAUNCH;
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling: return LAUNCH | STREAM | NODE;
    case cudaLaunchAttributeSynchronizationPolicy: return STREAM;
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePreferredClusterDimension:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
    case cudaLaunchAttributePreferredSharedMemoryCarveout: return LAUNCH | NODE;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent: return LAUNCH;
    }
    return 0;
}

static bool is_window(const struct cudaAccessPolicyWindow *window)
{
    return window->hitRatio >= 0 && window->hitRatio <= 1 &&
           (unsigned)window->hitProp <= cudaAccessPropertyPersisting &&
           (unsigned)window->missProp <= cudaAccessPropertyStreaming;
}

/* Some sides given, or all: "{1, 1, 1}" is a cluster of one block. */
static cudaError_t take_cluster(unsigned x, unsigned y, unsigned z, TraceDim *to)
{
    if (!x || !y || !z) return cudaErrorInvalidClusterSize;
    *to = (TraceDim){x, y, z};
    return cudaSuccess;
}

/* The event of an attribute: of the device that the call is for, without timing, within this
 * process. */
static cudaError_t take_event(const Call *call, cudaEvent_t handle, int flags, cudaEvent_t *to)
{
    const Event *event = event_of(call, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    if (!(event->flags & cudaEventDisableTiming)) return cudaErrorNotSupported;
    if (flags) return cudaErrorIllegalState;
    if (event->flags & cudaEventInterprocess) return cudaErrorInvalidValue;
    *to = handle;
    return cudaSuccess;
}

cudaError_t launch_attribute_add(const Call *call, const Model *model, LaunchAttributePlace place,
                                 cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value,
                                 LaunchAttributes *to)
{
    if (!(places_of(id) & 1u << place)) return cudaErrorInvalidValue;
    bool fine = true;

    switch (id) {
    case cudaLaunchAttributeIgnore: break;
    case cudaLaunchAttributeAccessPolicyWindow: fine = is_window(&value->accessPolicyWindow); break;
    case cudaLaunchAttributeCooperative: to->cooperative = value->cooperative != 0; break;
    case cudaLaunchAttributeSynchronizationPolicy:
        fine = value->syncPolicy >= cudaSyncPolicyAuto &&
               value->syncPolicy <= cudaSyncPolicyBlockingSync;
        break;
    case cudaLaunchAttributeClusterDimension:
        return take_cluster(value->clusterDim.x, value->clusterDim.y, value->clusterDim.z,
                            &to->cluster);
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        fine = (unsigned)value->clusterSchedulingPolicyPreference <=
               cudaClusterSchedulingPolicyLoadBalancing;
        break;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
        to->overlaps = value->programmaticStreamSerializationAllowed != 0;
        break;
    case cudaLaunchAttributeProgrammaticEvent:
        to->at_block_start = value->programmaticEvent.triggerAtBlockStart != 0;
        return take_event(call, value->programmaticEvent.event, value->programmaticEvent.flags,
                          &to->programmatic_event);
    case cudaLaunchAttributePriority:
        to->own_priority = true;
        to->priority = value->priority;
        if (to->priority > model->priority_low) to->priority = model->priority_low;
        if (to->priority < model->priority_high) to->priority = model->priority_high;
        break;
    case cudaLaunchAttributeMemSyncDomainMap:
        break; /* every number is a domain: its low bits count */
    case cudaLaunchAttributeMemSyncDomain:
        fine = (unsigned)value->memSyncDomain <= cudaLaunchMemSyncDomainRemote;
        break;
    case cudaLaunchAttributePreferredClusterDimension:
        return take_cluster(value->preferredClusterDim.x, value->preferredClusterDim.y,
                            value->preferredClusterDim.z, &to->preferred_cluster);
    case cudaLaunchAttributeLaunchCompletionEvent:
        return take_event(call, value->launchCompletionEvent.event,
                          value->launchCompletionEvent.flags, &to->completion_event);
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        if (value->deviceUpdatableKernelNode.deviceUpdatable) return cudaErrorNotSupported;
        break; /* of graphs only */
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
        fine = value->sharedMemCarveout <= 100;
        break;
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        fine = value->nvlinkUtilCentricScheduling <= 1;
        break;
    }

    return fine ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t launch_attributes_read(const Call *call, const Model *model,
                                   const cudaLaunchAttribute *list, unsigned n,
                                   LaunchAttributes *to)
{
    *to = (LaunchAttributes){.cooperative = false};
    if (n > LAUNCH_MOST_ATTRIBUTES || (n && !list)) return cudaErrorInvalidValue;

    for (unsigned i = 0; i < n; i++) {
        cudaError_t error =
            launch_attribute_add(call, model, LAUNCH_OF_LAUNCH, list[i].id, &list[i].val, to);
        if (!error) continue;
        *to = (LaunchAttributes){.cooperative = false};
        return error;
    }

    return cudaSuccess;
}

/* ---- of streams ---- */

cudaError_t launch_stream_attribute(const Stream *stream, cudaLaunchAttributeID id,
                                    cudaLaunchAttributeValue *to)
{
    if (!(places_of(id) & STREAM)) return cudaErrorInvalidValue;
    memset(to, 0, sizeof *to);

    switch ((int)id) {
    case cudaLaunchAttributeAccessPolicyWindow:
        to->accessPolicyWindow = stream->hints.window;
        break;
    case cudaLaunchAttributeSynchronizationPolicy:
        to->syncPolicy = stream->hints.sync_policy;
        break;
    case cudaLaunchAttributePriority: to->priority = stream->priority; break;
    case cudaLaunchAttributeMemSyncDomainMap:
        to->memSyncDomainMap = stream->hints.domain_map;
        break;
    case cudaLaunchAttributeMemSyncDomain: to->memSyncDomain = stream->hints.domain; break;
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        to->nvlinkUtilCentricScheduling = stream->hints.nvlink_centric;
        break;
    }

    return cudaSuccess;
}

cudaError_t launch_stream_set_attribute(const Call *call, Stream *stream, cudaLaunchAttributeID id,
                                        const cudaLaunchAttributeValue *value)
{
    LaunchAttributes read = {.cooperative = false};
    cudaError_t error = launch_attribute_add(call, device_model(stream->device), LAUNCH_OF_STREAM,
                                             id, value, &read);
    if (error) return error;

    switch ((int)id) {
    case cudaLaunchAttributeAccessPolicyWindow:
        stream->hints.window = value->accessPolicyWindow;
        break;
    case cudaLaunchAttributeSynchronizationPolicy:
        stream->hints.sync_policy = value->syncPolicy;
        break;
    case cudaLaunchAttributePriority:
        stream->priority = read.priority;
        stream->priority_changed = true;
        break;
    case cudaLaunchAttributeMemSyncDomainMap:
        stream->hints.domain_map = value->memSyncDomainMap;
        break;
    case cudaLaunchAttributeMemSyncDomain: stream->hints.domain = value->memSyncDomain; break;
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
        stream->hints.nvlink_centric = value->nvlinkUtilCentricScheduling;
        break;
    }

    return cudaSuccess;
}
