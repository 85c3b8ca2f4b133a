/* api_graph_kinds.c - a call for each kind of node: adding one, and its parameters. */
#include "sim/api/graphs/api_graph.h"
#include "sim/graph/graph.h"
#include "sim/launch/launch_attributes.h"
#include "sim/launch/launch_room.h"
#include <string.h>

/* ---- adding ---- */

#define BEHIND                                                                            \
    cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, \
        size_t numDependencies
#define GIVEN pGraphNode, graph, pDependencies, numDependencies

static cudaError_t add(Call *call, BEHIND, struct cudaGraphNodeParams params)
{
    return add_node(call, pGraphNode, graph, pDependencies, NULL, numDependencies, &params);
}

API(cudaGraphAddKernelNode, 0, (BEHIND, const struct cudaKernelNodeParams *p), (GIVEN, p))
{
    return p ? add(call, GIVEN, params_of_kernel(p)) : cudaErrorInvalidValue;
}

API(cudaGraphAddMemcpyNode, 0, (BEHIND, const struct cudaMemcpy3DParms *p), (GIVEN, p))
{
    return p ? add(call, GIVEN, params_of_copy(p)) : cudaErrorInvalidValue;
}

API(cudaGraphAddMemcpyNode1D, 0,
    (BEHIND, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind),
    (GIVEN, dst, src, count, kind))
{
    return add(call, GIVEN, params_of_flat(dst, src, count, kind));
}

API(cudaGraphAddMemcpyNodeToSymbol, 0,
    (BEHIND, const void *symbol, const void *src, size_t count, size_t offset,
     enum cudaMemcpyKind kind),
    (GIVEN, symbol, src, count, offset, kind))
{
    void *to;
    cudaError_t error = symbol_place(symbol, count, offset, kind, true, &to);
    return error ? error : add(call, GIVEN, params_of_flat(to, src, count, kind));
}

API(cudaGraphAddMemcpyNodeFromSymbol, 0,
    (BEHIND, void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind),
    (GIVEN, dst, symbol, count, offset, kind))
{
    void *from;
    cudaError_t error = symbol_place(symbol, count, offset, kind, false, &from);
    return error ? error : add(call, GIVEN, params_of_flat(dst, from, count, kind));
}

API(cudaGraphAddMemsetNode, 0, (BEHIND, const struct cudaMemsetParams *p), (GIVEN, p))
{
    return p ? add(call, GIVEN, params_of_set(p)) : cudaErrorInvalidValue;
}

API(cudaGraphAddHostNode, 0, (BEHIND, const struct cudaHostNodeParams *p), (GIVEN, p))
{
    return p ? add(call, GIVEN, params_of_function(p)) : cudaErrorInvalidValue;
}

API(cudaGraphAddChildGraphNode, 0, (BEHIND, cudaGraph_t childGraph), (GIVEN, childGraph))
{
    return add(call, GIVEN,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeGraph, .graph = {childGraph}});
}

API(cudaGraphAddEmptyNode, 0, (BEHIND), (GIVEN))
{
    return add(call, GIVEN, (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEmpty});
}

API(cudaGraphAddEventRecordNode, 0, (BEHIND, cudaEvent_t event), (GIVEN, event))
{
    return add(call, GIVEN,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEventRecord,
                                            .eventRecord = {event}});
}

API(cudaGraphAddEventWaitNode, 0, (BEHIND, cudaEvent_t event), (GIVEN, event))
{
    return add(call, GIVEN,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeWaitEvent,
                                            .eventWait = {event}});
}

API(cudaGraphAddMemAllocNode, 0, (BEHIND, struct cudaMemAllocNodeParams *p), (GIVEN, p))
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemAlloc};
    if (!p) return cudaErrorInvalidValue;
    memcpy(&params.alloc, p, sizeof *p);
    cudaError_t error =
        add_node(call, pGraphNode, graph, pDependencies, NULL, numDependencies, &params);
    if (!error) p->dptr = params.alloc.dptr;
    return error;
}

API(cudaGraphAddMemFreeNode, 0, (BEHIND, void *dptr), (GIVEN, dptr))
{
    return add(call, GIVEN,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemFree, .free = {dptr}});
}

API(cudaGraphAddNode, 0,
    (cudaGraphNode_t * pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
     const cudaGraphEdgeData *dependencyData, size_t numDependencies,
     struct cudaGraphNodeParams *nodeParams),
    (pGraphNode, graph, pDependencies, dependencyData, numDependencies, nodeParams))
{
    return nodeParams ? add_node(call, pGraphNode, graph, pDependencies, dependencyData,
                                 numDependencies, nodeParams)
                      : cudaErrorInvalidValue;
}

/* ---- parameters ---- */

/* NULL: not of that kind. */
static const struct cudaGraphNodeParams *of_kind(const Call *call, cudaGraphNode_t node,
                                                 enum cudaGraphNodeType type)
{
    const GraphNode *found = graph_node(call, node);
    return found && found->params.type == type ? &found->params : NULL;
}

#define GET(NAME, TYPE, KIND, FROM)                                                         \
    API(NAME, 0, (cudaGraphNode_t node, TYPE * to), (node, to))                             \
    {                                                                                       \
        const struct cudaGraphNodeParams *p = of_kind(call, node, cudaGraphNodeType##KIND); \
        if (!p || !to) return cudaErrorInvalidValue;                                        \
        memcpy(to, &p->FROM, sizeof *to);                                                   \
        return cudaSuccess;                                                                 \
    }

GET(cudaGraphKernelNodeGetParams, struct cudaKernelNodeParams, Kernel, kernel)
GET(cudaGraphMemcpyNodeGetParams, struct cudaMemcpy3DParms, Memcpy, memcpy.copyParams)
GET(cudaGraphMemsetNodeGetParams, struct cudaMemsetParams, Memset, memset)
GET(cudaGraphHostNodeGetParams, struct cudaHostNodeParams, Host, host)
GET(cudaGraphChildGraphNodeGetGraph, cudaGraph_t, Graph, graph.graph)
GET(cudaGraphEventRecordNodeGetEvent, cudaEvent_t, EventRecord, eventRecord.event)
GET(cudaGraphEventWaitNodeGetEvent, cudaEvent_t, WaitEvent, eventWait.event)

GET(cudaGraphMemAllocNodeGetParams, struct cudaMemAllocNodeParams, MemAlloc, alloc)
API(cudaGraphMemFreeNodeGetParams, 0, (cudaGraphNode_t node, void *dptr_out), (node, dptr_out))
{
    const struct cudaGraphNodeParams *p = of_kind(call, node, cudaGraphNodeTypeMemFree);
    if (!p || !dptr_out) return cudaErrorInvalidValue;
    memcpy(dptr_out, &p->free.dptr, sizeof p->free.dptr);
    return cudaSuccess;
}


static cudaError_t set(Call *call, cudaGraphNode_t node, struct cudaGraphNodeParams params)
{
    return set_node(call, graph_node(call, node), &params, false);
}

API(cudaGraphKernelNodeSetParams, 0, (cudaGraphNode_t node, const struct cudaKernelNodeParams *p),
    (node, p))
{
    return p ? set(call, node, params_of_kernel(p)) : cudaErrorInvalidValue;
}

API(cudaGraphMemcpyNodeSetParams, 0, (cudaGraphNode_t node, const struct cudaMemcpy3DParms *p),
    (node, p))
{
    return p ? set(call, node, params_of_copy(p)) : cudaErrorInvalidValue;
}

API(cudaGraphMemcpyNodeSetParams1D, 0,
    (cudaGraphNode_t node, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind),
    (node, dst, src, count, kind))
{
    return set(call, node, params_of_flat(dst, src, count, kind));
}

API(cudaGraphMemcpyNodeSetParamsToSymbol, 0,
    (cudaGraphNode_t node, const void *symbol, const void *src, size_t count, size_t offset,
     enum cudaMemcpyKind kind),
    (node, symbol, src, count, offset, kind))
{
    void *to;
    cudaError_t error = symbol_place(symbol, count, offset, kind, true, &to);
    return error ? error : set(call, node, params_of_flat(to, src, count, kind));
}

API(cudaGraphMemcpyNodeSetParamsFromSymbol, 0,
    (cudaGraphNode_t node, void *dst, const void *symbol, size_t count, size_t offset,
     enum cudaMemcpyKind kind),
    (node, dst, symbol, count, offset, kind))
{
    void *from;
    cudaError_t error = symbol_place(symbol, count, offset, kind, false, &from);
    return error ? error : set(call, node, params_of_flat(dst, from, count, kind));
}

API(cudaGraphMemsetNodeSetParams, 0, (cudaGraphNode_t node, const struct cudaMemsetParams *p),
    (node, p))
{
    return p ? set(call, node, params_of_set(p)) : cudaErrorInvalidValue;
}

API(cudaGraphHostNodeSetParams, 0, (cudaGraphNode_t node, const struct cudaHostNodeParams *p),
    (node, p))
{
    return p ? set(call, node, params_of_function(p)) : cudaErrorInvalidValue;
}

API(cudaGraphEventRecordNodeSetEvent, 0, (cudaGraphNode_t node, cudaEvent_t event), (node, event))
{
    return set(call, node,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEventRecord,
                                            .eventRecord = {event}});
}

API(cudaGraphEventWaitNodeSetEvent, 0, (cudaGraphNode_t node, cudaEvent_t event), (node, event))
{
    return set(call, node,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeWaitEvent,
                                            .eventWait = {event}});
}

static bool may_be_set(enum cudaGraphNodeType type)
{
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
           type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeHost ||
           type == cudaGraphNodeTypeEventRecord || type == cudaGraphNodeTypeWaitEvent;
}

API(cudaGraphNodeSetParams, 0, (cudaGraphNode_t node, struct cudaGraphNodeParams *nodeParams),
    (node, nodeParams))
{
    if (!nodeParams || !may_be_set(nodeParams->type)) return cudaErrorInvalidValue;
    return set(call, node, *nodeParams);
}

/* ---- attributes of kernels ---- */

static GraphNode *kernel_node(const Call *call, cudaGraphNode_t handle)
{
    GraphNode *node = graph_node(call, handle);
    return node && node->params.type == cudaGraphNodeTypeKernel ? node : NULL;
}

API(cudaGraphKernelNodeSetAttribute, 0,
    (cudaGraphNode_t handle, enum cudaLaunchAttributeID attr,
     const cudaLaunchAttributeValue *value),
    (handle, attr, value))
{
    GraphNode *node = kernel_node(call, handle);
    if (!node || !value) return cudaErrorInvalidValue;
    if (attr == cudaLaunchAttributeDeviceUpdatableKernelNode &&
        value->deviceUpdatableKernelNode.deviceUpdatable)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: kernel nodes that device code changes are not simulated by this virtual "
                   "GPU; the program ends here",
                   call->name);
    const Model *model = device_model(node->device);
    LaunchAttributes before = node->operation.launch;
    cudaError_t error =
        launch_attribute_add(call, model, LAUNCH_OF_NODE, attr, value, &node->operation.launch);
    if (!error) error = launch_settle(model, &node->operation);
    if (error) node->operation.launch = before;
    return error;
}

API(cudaGraphKernelNodeGetAttribute, 0,
    (cudaGraphNode_t handle, enum cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value),
    (handle, attr, value))
{
    const GraphNode *node = kernel_node(call, handle);
    LaunchAttributes unused = {.cooperative = false};
    cudaLaunchAttributeValue blank;
    if (!node || !value) return cudaErrorInvalidValue;
    const LaunchAttributes *has = &node->operation.launch;
    memset(&blank, 0, sizeof blank);
    blank.clusterDim.x = blank.clusterDim.y = blank.clusterDim.z = 1; /* for the look at attr */
    cudaError_t error = launch_attribute_add(call, device_model(node->device), LAUNCH_OF_NODE, attr,
                                             &blank, &unused);
    if (error) return error;
    memset(value, 0, sizeof *value);
    if (attr == cudaLaunchAttributePriority) value->priority = has->priority;
    if (attr == cudaLaunchAttributeCooperative) value->cooperative = has->cooperative;
    if (attr == cudaLaunchAttributeClusterDimension) {
        value->clusterDim.x = has->cluster.x;
        value->clusterDim.y = has->cluster.y;
        value->clusterDim.z = has->cluster.z;
    }
    return cudaSuccess;
}

API(cudaGraphKernelNodeCopyAttributes, 0, (cudaGraphNode_t hDst, cudaGraphNode_t hSrc),
    (hDst, hSrc))
{
    GraphNode *to = kernel_node(call, hDst);
    const GraphNode *from = kernel_node(call, hSrc);
    if (!to || !from) return cudaErrorInvalidValue;
    LaunchAttributes before = to->operation.launch;
    to->operation.launch = from->operation.launch;
    cudaError_t error = launch_settle(device_model(to->device), &to->operation);
    if (error) to->operation.launch = before;
    return error;
}

/* ---- memory of graphs as a whole ---- */

API(cudaDeviceGraphMemTrim, 0, (int device), (device))
{
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    graph_memory_trim(device);
    return cudaSuccess;
}

static uint64_t *attribute(int device, enum cudaGraphMemAttributeType attr)
{
    GraphMemoryUse *use = device_exists(device) ? graph_memory_use(device) : NULL;
    switch (attr) {
    case cudaGraphMemAttrUsedMemCurrent: return use ? &use->used : NULL;
    case cudaGraphMemAttrUsedMemHigh: return use ? &use->used_high : NULL;
    case cudaGraphMemAttrReservedMemCurrent: return use ? &use->reserved : NULL;
    case cudaGraphMemAttrReservedMemHigh: return use ? &use->reserved_high : NULL;
    default: return NULL;
    }
}

API(cudaDeviceGetGraphMemAttribute, 0,
    (int device, enum cudaGraphMemAttributeType attr, void *value), (device, attr, value))
{
    const uint64_t *at = attribute(device, attr);
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (!at || !value) return cudaErrorInvalidValue;
    memcpy(value, at, sizeof *at);
    return cudaSuccess;
}

API(cudaDeviceSetGraphMemAttribute, 0,
    (int device, enum cudaGraphMemAttributeType attr, void *value), (device, attr, value))
{
    uint64_t *at = attribute(device, attr), wanted;
    if (!device_exists(device)) return cudaErrorInvalidDevice;
    if (!at || !value) return cudaErrorInvalidValue;
    memcpy(&wanted, value, sizeof wanted);
    bool high = attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
    if (!high || wanted) return cudaErrorInvalidValue;
    *at = at[-1]; /* a high mark begins anew at what there is */
    return cudaSuccess;
}
