/* api_graph_exec.c - executable graphs: making, launching, changing them. */
#include "sim/api/graphs/api_graph.h"
#include "sim/graph/capture.h"
#include "sim/graph/graph_exec.h"
#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

static cudaError_t instantiate(Call *call, cudaGraphExec_t *to, cudaGraph_t handle,
                               unsigned long long flags, unsigned long long known,
                               GraphFault *fault)
{
    const Graph *graph = graph_find(call, handle);
    unsigned long long both =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch;
    *fault = (GraphFault){.result = cudaGraphInstantiateError};
    if (!to || !graph || graph->owner || graph->capturing || flags & ~known ||
        (flags & both) == both)
        return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site,
                   "%s: graphs that device code launches (cudaGraphInstantiateFlagDeviceLaunch) "
                   "are not simulated by this virtual GPU; the program ends here",
                   call->name);
    call_spend(model_graph_instantiate_ns(call->costs, graph->n_nodes));
    GraphExec *exec = graph_exec_new(call, graph, flags, fault);
    if (!exec && fault->out_of_reach) return cudaErrorInvalidValue;
    if (!exec && fault->result == cudaGraphInstantiateError) return cudaErrorNotSupported;
    if (!exec) return fault->result ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
    *to = graph_exec_handle(exec);
    return cudaSuccess;
}

enum {
    FLAGS = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch |
            cudaGraphInstantiateFlagUseNodePriority
};

API(cudaGraphInstantiate, CALL_UNSAFE,
    (cudaGraphExec_t * pGraphExec, cudaGraph_t graph, unsigned long long flags),
    (pGraphExec, graph, flags))
{
    GraphFault fault;
    return instantiate(call, pGraphExec, graph, flags, FLAGS, &fault);
}

API(cudaGraphInstantiateWithFlags, CALL_UNSAFE,
    (cudaGraphExec_t * pGraphExec, cudaGraph_t graph, unsigned long long flags),
    (pGraphExec, graph, flags))
{
    GraphFault fault;
    return instantiate(call, pGraphExec, graph, flags, FLAGS, &fault);
}

API_STREAM(cudaGraphInstantiateWithParams, CALL_UNSAFE,
           (cudaGraphExec_t * pGraphExec, cudaGraph_t graph, cudaGraphInstantiateParams *p),
           (pGraphExec, graph, p))
{
    GraphFault fault;
    if (!p) return cudaErrorInvalidValue;
    if (p->flags & cudaGraphInstantiateFlagUpload) stream_of(call, p->uploadStream);
    cudaError_t error = instantiate(call, pGraphExec, graph, p->flags,
                                    FLAGS | cudaGraphInstantiateFlagUpload, &fault);
    p->result_out = error ? fault.result : cudaGraphInstantiateSuccess;
    p->errNode_out = graph_node_handle(fault.node);
    return error;
}

API(cudaGraphExecGetFlags, 0, (cudaGraphExec_t graphExec, unsigned long long *flags),
    (graphExec, flags))
{
    const GraphExec *exec = graph_exec_find(call, graphExec);
    if (!exec || !flags) return cudaErrorInvalidValue;
    *flags = exec->flags & ~(unsigned long long)cudaGraphInstantiateFlagUseNodePriority;
    return cudaSuccess;
}

API(cudaGraphExecDestroy, CALL_UNSAFE, (cudaGraphExec_t handle), (handle))
{
    GraphExec *exec = graph_exec_find(call, handle);
    if (!exec) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    graph_exec_destroy(exec, call->site);
    return cudaSuccess;
}

/* ---- launching ---- */

static void spend_upload(const Call *call, GraphExec *exec)
{
    if (!exec->uploaded) call_spend(exec->graph->n_nodes * call->costs->graph_upload_per_node);
    exec->uploaded = true;
}

static void spend_launch(const Call *call, GraphExec *exec)
{
    uint64_t others = 0;
    for (const GraphNode *node = exec->graph->nodes; node; node = node->next)
        others += node->operation.kind != TRACE_KERNEL && node->operation.kind != TRACE_D2D;
    call_spend(model_graph_launch_ns(call->costs, exec->graph->n_nodes, others));
    spend_upload(call, exec);
}

API_STREAM(cudaGraphLaunch, 0, (cudaGraphExec_t graphExec, cudaStream_t handle),
           (graphExec, handle))
{
    GraphExec *exec = graph_exec_find(call, graphExec);
    const Stream *stream = stream_of(call, handle);
    if (!exec) return cudaErrorInvalidValue;
    if (capture_has(stream))
        return capture_refuse(call, stream,
                              "a launch of a graph cannot be captured: add the graph to the one "
                              "that is being made (cudaGraphAddChildGraphNode)");
    spend_launch(call, exec);
    return graph_launch(call, exec, stream);
}

API_STREAM(cudaGraphUpload, 0, (cudaGraphExec_t graphExec, cudaStream_t handle),
           (graphExec, handle))
{
    GraphExec *exec = graph_exec_find(call, graphExec);
    const Stream *stream = stream_of(call, handle);
    if (!exec) return cudaErrorInvalidValue;
    if (capture_has(stream)) return CAPTURE_RULE(ask, call, stream);
    call_spend(call->costs->other);
    spend_upload(call, exec);
    return cudaSuccess;
}

/* ---- changing ---- */

/* The executable node that was made of a node of the graph; NULL: none. */
static GraphNode *made_of(const Call *call, cudaGraphExec_t handle, cudaGraphNode_t node)
{
    const GraphExec *exec = graph_exec_find(call, handle);
    const GraphNode *of = graph_node(call, node);
    return exec && of ? graph_copy_of(exec->graph, of->id) : NULL;
}

static cudaError_t set(Call *call, cudaGraphExec_t exec, cudaGraphNode_t node,
                       struct cudaGraphNodeParams params)
{
    return set_node(call, made_of(call, exec, node), &params, true);
}

API(cudaGraphExecKernelNodeSetParams, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *p),
    (exec, node, p))
{
    return p ? set(call, exec, node, params_of_kernel(p)) : cudaErrorInvalidValue;
}

API(cudaGraphExecMemcpyNodeSetParams, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *p),
    (exec, node, p))
{
    return p ? set(call, exec, node, params_of_copy(p)) : cudaErrorInvalidValue;
}

API(cudaGraphExecMemcpyNodeSetParams1D, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src, size_t count,
     enum cudaMemcpyKind kind),
    (exec, node, dst, src, count, kind))
{
    return set(call, exec, node, params_of_flat(dst, src, count, kind));
}

API(cudaGraphExecMemcpyNodeSetParamsToSymbol, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol, const void *src, size_t count,
     size_t offset, enum cudaMemcpyKind kind),
    (exec, node, symbol, src, count, offset, kind))
{
    void *to;
    cudaError_t error = symbol_place(symbol, count, offset, kind, true, &to);
    return error ? error : set(call, exec, node, params_of_flat(to, src, count, kind));
}

API(cudaGraphExecMemcpyNodeSetParamsFromSymbol, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
     size_t offset, enum cudaMemcpyKind kind),
    (exec, node, dst, symbol, count, offset, kind))
{
    void *from;
    cudaError_t error = symbol_place(symbol, count, offset, kind, false, &from);
    return error ? error : set(call, exec, node, params_of_flat(dst, from, count, kind));
}

API(cudaGraphExecMemsetNodeSetParams, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemsetParams *p), (exec, node, p))
{
    return p ? set(call, exec, node, params_of_set(p)) : cudaErrorInvalidValue;
}

API(cudaGraphExecHostNodeSetParams, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaHostNodeParams *p),
    (exec, node, p))
{
    return p ? set(call, exec, node, params_of_function(p)) : cudaErrorInvalidValue;
}

API(cudaGraphExecEventRecordNodeSetEvent, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event), (exec, node, event))
{
    return set(call, exec, node,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEventRecord,
                                            .eventRecord = {event}});
}

API(cudaGraphExecEventWaitNodeSetEvent, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event), (exec, node, event))
{
    return set(call, exec, node,
               (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeWaitEvent,
                                            .eventWait = {event}});
}

static cudaError_t set_child(Call *call, cudaGraphExec_t handle, cudaGraphNode_t at,
                             cudaGraph_t child)
{
    GraphNode *node = made_of(call, handle, at);
    const Graph *from = graph_find(call, child);
    cudaGraphExecUpdateResultInfo info;
    if (!node || node->params.type != cudaGraphNodeTypeGraph || !from) return cudaErrorInvalidValue;
    return graph_update(node->inside[0], from, &info) ? cudaErrorInvalidValue : cudaSuccess;
}

API(cudaGraphExecChildGraphNodeSetParams, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t childGraph), (exec, node, childGraph))
{
    return set_child(call, exec, node, childGraph);
}

API(cudaGraphExecNodeSetParams, 0,
    (cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *p), (exec, node, p))
{
    if (!p) return cudaErrorInvalidValue;
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeHost:
    case cudaGraphNodeTypeEventRecord:
    case cudaGraphNodeTypeWaitEvent: return set(call, exec, node, *p);
    case cudaGraphNodeTypeGraph: return set_child(call, exec, node, p->graph.graph);
    default: return cudaErrorInvalidValue;
    }
}

API(cudaGraphExecUpdate, 0,
    (cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphExecUpdateResultInfo *resultInfo),
    (hGraphExec, hGraph, resultInfo))
{
    const GraphExec *exec = graph_exec_find(call, hGraphExec);
    const Graph *from = graph_find(call, hGraph);
    cudaGraphExecUpdateResultInfo untold;
    if (!resultInfo) resultInfo = &untold;
    *resultInfo = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateError};
    if (!exec || !from || from->capturing) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    return graph_update(exec->graph, from, resultInfo) ? cudaErrorGraphExecUpdateFailure
                                                       : cudaSuccess;
}

static bool can_be_disabled(const GraphNode *node)
{
    return node->params.type == cudaGraphNodeTypeKernel ||
           node->params.type == cudaGraphNodeTypeMemset ||
           node->params.type == cudaGraphNodeTypeMemcpy;
}

API(cudaGraphNodeSetEnabled, 0,
    (cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned isEnabled),
    (hGraphExec, hNode, isEnabled))
{
    GraphNode *node = made_of(call, hGraphExec, hNode);
    if (!node || !can_be_disabled(node)) return cudaErrorInvalidValue;
    node->disabled = !isEnabled;
    return cudaSuccess;
}

API(cudaGraphNodeGetEnabled, 0,
    (cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned *isEnabled),
    (hGraphExec, hNode, isEnabled))
{
    const GraphNode *node = made_of(call, hGraphExec, hNode);
    if (!node || !isEnabled || !can_be_disabled(node)) return cudaErrorInvalidValue;
    *isEnabled = !node->disabled;
    return cudaSuccess;
}
