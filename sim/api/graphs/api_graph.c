/* api_graph.c - graphs as such: making and copying them, their nodes and edges, and what keeps
 * things alive with them. */
#include "sim/api/graphs/api_graph.h"
#include "sim/graph/condition.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

API(cudaGraphCreate, 0, (cudaGraph_t * pGraph, unsigned flags), (pGraph, flags))
{
    if (!pGraph || flags) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    Graph *graph = graph_new(call->site);
    *pGraph = graph_handle(graph);
    return graph ? cudaSuccess : cudaErrorMemoryAllocation;
}

API(cudaGraphDestroy, 0, (cudaGraph_t handle), (handle))
{
    Graph *graph = graph_find(call, handle);
    /* what is inside another one belongs to it, and what is captured to its capture */
    if (!graph || graph->owner) return cudaErrorInvalidValue;
    if (graph->capturing) return cudaErrorIllegalState;
    call_spend(call->costs->other);
    graph_free(graph, call->site);
    return cudaSuccess;
}

bool node_is_conditional(const GraphNode *node, const void *unused)
{
    (void)unused;
    return node->params.type == cudaGraphNodeTypeConditional;
}

bool node_has_memory(const GraphNode *node, const void *unused)
{
    (void)unused;
    return node->params.type == cudaGraphNodeTypeMemAlloc ||
           node->params.type == cudaGraphNodeTypeMemFree;
}

API(cudaGraphClone, 0, (cudaGraph_t * pGraphClone, cudaGraph_t originalGraph),
    (pGraphClone, originalGraph))
{
    Graph *graph = graph_find(call, originalGraph);
    if (!pGraphClone || !graph) return cudaErrorInvalidValue;
    if (graph_search(graph, node_is_conditional, NULL) ||
        graph_search(graph, node_has_memory, NULL))
        return cudaErrorNotSupported;
    call_spend(call->costs->other);
    Graph *copy = graph_copy(graph, false, call->site);
    *pGraphClone = graph_handle(copy);
    return copy ? cudaSuccess : cudaErrorMemoryAllocation;
}

API(cudaGraphNodeFindInClone, 0,
    (cudaGraphNode_t * pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph),
    (pNode, originalNode, clonedGraph))
{
    const GraphNode *node = graph_node(call, originalNode);
    const Graph *copy = graph_find(call, clonedGraph);
    if (!pNode || !node || !copy) return cudaErrorInvalidValue;
    GraphNode *found = graph_copy_of(copy, node->id);
    if (!found) return cudaErrorInvalidValue;
    *pNode = graph_node_handle(found);
    return cudaSuccess;
}

/* ---- asking ---- */

API(cudaGraphNodeGetType, 0, (cudaGraphNode_t node, enum cudaGraphNodeType *pType), (node, pType))
{
    const GraphNode *found = graph_node(call, node);
    if (!found || !pType) return cudaErrorInvalidValue;
    *pType = found->params.type;
    return cudaSuccess;
}

/* Lists are given out as far as there is room for them; what is left of it is filled with NULL. */
static void give_nodes(const Graph *graph, bool roots, cudaGraphNode_t *to, size_t *n)
{
    size_t have = 0;
    for (const GraphNode *node = graph->nodes; node; node = node->next) {
        if (roots && node->before.n) continue;
        if (to && have < *n) to[have] = graph_node_handle(node);
        have++;
    }
    for (size_t i = have; to && i < *n; i++) to[i] = NULL;
    if (!to || have < *n) *n = have;
}

API(cudaGraphGetNodes, 0, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes),
    (graph, nodes, numNodes))
{
    const Graph *found = graph_find(call, graph);
    if (!found || !numNodes) return cudaErrorInvalidValue;
    give_nodes(found, false, nodes, numNodes);
    return cudaSuccess;
}

API(cudaGraphGetRootNodes, 0,
    (cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes),
    (graph, pRootNodes, pNumRootNodes))
{
    const Graph *found = graph_find(call, graph);
    if (!found || !pNumRootNodes) return cudaErrorInvalidValue;
    give_nodes(found, true, pRootNodes, pNumRootNodes);
    return cudaSuccess;
}

static bool is_annotated(const cudaGraphEdgeData *data)
{
    return data->from_port || data->to_port || data->type;
}

API(cudaGraphGetEdges, 0,
    (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
     size_t *numEdges),
    (graph, from, to, edgeData, numEdges))
{
    const Graph *found = graph_find(call, graph);
    size_t have = 0;
    if (!found || !numEdges || !from != !to || (edgeData && !from)) return cudaErrorInvalidValue;
    for (const GraphNode *node = found->nodes; node; node = node->next)
        for (uint32_t i = 0; i < node->behind.n; i++, have++) {
            const GraphEdge *edge = &node->behind.items[i];
            if (!from || have >= *numEdges) continue;
            if (!edgeData && is_annotated(&edge->data)) return cudaErrorLossyQuery;
            from[have] = graph_node_handle(node);
            to[have] = graph_node_handle(edge->node);
            if (edgeData) edgeData[have] = edge->data;
        }
    for (size_t i = have; from && i < *numEdges; i++) from[i] = to[i] = NULL;
    if (!from || have < *numEdges) *numEdges = have;
    return cudaSuccess;
}

static cudaError_t give_neighbours(const GraphEdges *edges, cudaGraphNode_t *to,
                                   cudaGraphEdgeData *data, size_t *n)
{
    if (!n || (data && !to)) return cudaErrorInvalidValue;
    for (uint32_t i = 0; to && !data && i < edges->n && i < *n; i++)
        if (is_annotated(&edges->items[i].data)) return cudaErrorLossyQuery;
    for (uint32_t i = 0; to && i < edges->n && i < *n; i++) {
        to[i] = graph_node_handle(edges->items[i].node);
        if (data) data[i] = edges->items[i].data;
    }
    for (size_t i = edges->n; to && i < *n; i++) to[i] = NULL;
    if (!to || edges->n < *n) *n = edges->n;
    return cudaSuccess;
}

API(cudaGraphNodeGetDependencies, 0,
    (cudaGraphNode_t node, cudaGraphNode_t *pDependencies, cudaGraphEdgeData *edgeData,
     size_t *pNumDependencies),
    (node, pDependencies, edgeData, pNumDependencies))
{
    const GraphNode *found = graph_node(call, node);
    if (!found) return cudaErrorInvalidValue;
    return give_neighbours(&found->before, pDependencies, edgeData, pNumDependencies);
}

API(cudaGraphNodeGetDependentNodes, 0,
    (cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes, cudaGraphEdgeData *edgeData,
     size_t *pNumDependentNodes),
    (node, pDependentNodes, edgeData, pNumDependentNodes))
{
    const GraphNode *found = graph_node(call, node);
    if (!found) return cudaErrorInvalidValue;
    return give_neighbours(&found->behind, pDependentNodes, edgeData, pNumDependentNodes);
}

/* ---- edges ---- */

bool edge_is_valid(const cudaGraphEdgeData *data, const GraphNode *from, const GraphNode *to)
{
    for (size_t i = 0; i < sizeof data->reserved; i++)
        if (data->reserved[i]) return false;
    if (data->to_port || data->type > cudaGraphDependencyTypeProgrammatic) return false;
    bool kernel = from->params.type == cudaGraphNodeTypeKernel,
         kernels = kernel && (!to || to->params.type == cudaGraphNodeTypeKernel);
    if (data->type == cudaGraphDependencyTypeProgrammatic)
        return kernels && (data->from_port == cudaGraphKernelNodePortProgrammatic ||
                           data->from_port == cudaGraphKernelNodePortLaunchCompletion);
    return data->from_port == cudaGraphKernelNodePortDefault ||
           (data->from_port == cudaGraphKernelNodePortLaunchCompletion && kernel);
}

cudaError_t nodes_listed(const Call *call, const Graph *graph, const cudaGraphNode_t *nodes,
                         const cudaGraphEdgeData *data, size_t n, GraphEdges *list)
{
    if (n && !nodes) return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++) {
        GraphNode *node = graph_node(call, nodes[i]);
        if (!node || node->graph != graph) return cudaErrorInvalidValue;
        if (data && !edge_is_valid(&data[i], node, NULL)) return cudaErrorInvalidValue;
        if (!edges_add(list, node, data ? &data[i] : NULL)) return cudaErrorMemoryAllocation;
        if (list->n != i + 1) return cudaErrorInvalidValue; /* it is there twice */
    }
    return cudaSuccess;
}

/* Memory that a graph allocates or frees fixes who comes before whom there. */
static bool is_fixed(const GraphNode *from, const GraphNode *to)
{
    return node_has_memory(from, NULL) || node_has_memory(to, NULL);
}

/* Adds (or removes) all edges, or none. */
static cudaError_t change_edges(Call *call, cudaGraph_t handle, const cudaGraphNode_t *from,
                                const cudaGraphNode_t *to, const cudaGraphEdgeData *data, size_t n,
                                bool add)
{
    Graph *graph = graph_find(call, handle);
    if (!graph || (n && (!from || !to))) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    for (size_t i = 0; i < n; i++) {
        GraphNode *a = graph_node(call, from[i]), *b = graph_node(call, to[i]);
        if (!a || !b || a->graph != graph || b->graph != graph || a == b)
            return cudaErrorInvalidValue;
        if (data && !edge_is_valid(&data[i], a, b)) return cudaErrorInvalidValue;
        const GraphEdge *edge = graph_edge(a, b);
        if (add ? edge != NULL : !edge) return cudaErrorInvalidValue;
        if (!add && is_annotated(&edge->data) && !data) return cudaErrorInvalidValue;
        if (!add && is_fixed(a, b)) return cudaErrorNotSupported;
        for (size_t k = 0; k < i; k++)
            if (from[k] == from[i] && to[k] == to[i]) return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < n; i++) {
        GraphNode *a = graph_node(call, from[i]), *b = graph_node(call, to[i]);
        const cudaGraphEdgeData *annotation = data ? &data[i] : NULL;
        if (add ? !graph_link(a, b, annotation) : !graph_unlink(a, b, annotation))
            return add ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

API(cudaGraphAddDependencies, 0,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
     const cudaGraphEdgeData *edgeData, size_t numDependencies),
    (graph, from, to, edgeData, numDependencies))
{
    return change_edges(call, graph, from, to, edgeData, numDependencies, true);
}

API(cudaGraphRemoveDependencies, 0,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
     const cudaGraphEdgeData *edgeData, size_t numDependencies),
    (graph, from, to, edgeData, numDependencies))
{
    return change_edges(call, graph, from, to, edgeData, numDependencies, false);
}

API(cudaGraphDestroyNode, 0, (cudaGraphNode_t handle), (handle))
{
    GraphNode *node = graph_node(call, handle);
    if (!node || node->graph->capturing) return cudaErrorInvalidValue;
    if (node_has_memory(node, NULL)) return cudaErrorNotSupported;
    call_spend(call->costs->other);
    graph_remove(node, call->site);
    return cudaSuccess;
}

/* ---- things of the program's own ---- */

API(cudaUserObjectCreate, CALL_NO_DEVICE,
    (cudaUserObject_t * object_out, void *ptr, cudaHostFn_t destroy, unsigned initialRefcount,
     unsigned flags),
    (object_out, ptr, destroy, initialRefcount, flags))
{
    if (!object_out || !destroy || !initialRefcount || initialRefcount > INT32_MAX ||
        flags != cudaUserObjectNoDestructorSync)
        return cudaErrorInvalidValue;
    UserObject *object = user_object_new(ptr, destroy, initialRefcount);
    if (!object) return cudaErrorMemoryAllocation;
    *object_out = user_object_handle(object);
    return cudaSuccess;
}

API(cudaUserObjectRetain, CALL_NO_DEVICE, (cudaUserObject_t object, unsigned count),
    (object, count))
{
    UserObject *found = user_object_find(call, object);
    if (!found || !count || count > INT32_MAX) return cudaErrorInvalidValue;
    user_object_hold(found, count);
    return cudaSuccess;
}

API(cudaUserObjectRelease, CALL_NO_DEVICE, (cudaUserObject_t object, unsigned count),
    (object, count))
{
    UserObject *found = user_object_find(call, object);
    if (!found || !count || count > INT32_MAX) return cudaErrorInvalidValue;
    return user_object_let_go(found, count, call->site) ? cudaSuccess : cudaErrorInvalidValue;
}

API(cudaGraphRetainUserObject, 0,
    (cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags),
    (graph, object, count, flags))
{
    Graph *to = graph_find(call, graph);
    UserObject *found = user_object_find(call, object);
    if (!to || !found || !count || count > INT32_MAX || flags > cudaGraphUserObjectMove)
        return cudaErrorInvalidValue;
    if (!user_objects_add(&to->objects, found, count)) return cudaErrorMemoryAllocation;
    if (flags == cudaGraphUserObjectMove && !user_object_let_go(found, count, call->site)) {
        user_objects_take(&to->objects, found, count, call->site);
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

API(cudaGraphReleaseUserObject, 0, (cudaGraph_t graph, cudaUserObject_t object, unsigned count),
    (graph, object, count))
{
    Graph *from = graph_find(call, graph);
    UserObject *found = user_object_find(call, object);
    if (!from || !found || !count || count > INT32_MAX) return cudaErrorInvalidValue;
    return user_objects_take(&from->objects, found, count, call->site) ? cudaSuccess
                                                                       : cudaErrorInvalidValue;
}

API(cudaGraphConditionalHandleCreate, 0,
    (cudaGraphConditionalHandle * pHandle_out, cudaGraph_t graph, unsigned defaultLaunchValue,
     unsigned flags),
    (pHandle_out, graph, defaultLaunchValue, flags))
{
    const Graph *of = graph_find(call, graph);
    if (!pHandle_out || !of || flags > cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
    *pHandle_out = condition_new(of, flags ? defaultLaunchValue : 0, flags != 0);
    return *pHandle_out ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* ---- a graph as a drawing ---- */

static void draw_label(FILE *out, const GraphNode *node, unsigned flags)
{
    static const char *const words[cudaGraphNodeTypeCount] =
        {[cudaGraphNodeTypeKernel] = "KERNEL",
         [cudaGraphNodeTypeMemcpy] = "MEMCPY",
         [cudaGraphNodeTypeMemset] = "MEMSET",
         [cudaGraphNodeTypeHost] = "HOST",
         [cudaGraphNodeTypeGraph] = "GRAPH",
         [cudaGraphNodeTypeEmpty] = "EMPTY",
         [cudaGraphNodeTypeWaitEvent] = "WAIT EVENT",
         [cudaGraphNodeTypeEventRecord] = "EVENT RECORD",
         [cudaGraphNodeTypeMemAlloc] = "MEM ALLOC",
         [cudaGraphNodeTypeMemFree] = "MEM FREE",
         [cudaGraphNodeTypeConditional] = "CONDITIONAL"};
    const struct cudaGraphNodeParams *p = &node->params;
    bool all = flags & cudaGraphDebugDotFlagsVerbose;

    fprintf(out, "%s", words[p->type]);
    if (p->type == cudaGraphNodeTypeKernel) {
        fprintf(out, "\\n%s", node->operation.effect.kernel->launch.name);
        if (all || flags & cudaGraphDebugDotFlagsKernelNodeParams)
            fprintf(out, "\\n<<<(%u,%u,%u), (%u,%u,%u), %u>>>", p->kernel.gridDim.x,
                    p->kernel.gridDim.y, p->kernel.gridDim.z, p->kernel.blockDim.x,
                    p->kernel.blockDim.y, p->kernel.blockDim.z, p->kernel.sharedMemBytes);
    } else if (p->type == cudaGraphNodeTypeMemcpy &&
               (all || flags & cudaGraphDebugDotFlagsMemcpyNodeParams)) {
        fprintf(out, "\\n%zu x %zu x %zu bytes", p->memcpy.copyParams.extent.width,
                p->memcpy.copyParams.extent.height, p->memcpy.copyParams.extent.depth);
    } else if (p->type == cudaGraphNodeTypeMemset &&
               (all || flags & cudaGraphDebugDotFlagsMemsetNodeParams)) {
        fprintf(out, "\\n%zu x %zu of %u", p->memset.width, p->memset.height, p->memset.value);
    }
}

static void draw(FILE *out, const Graph *graph, unsigned flags)
{
    fprintf(out, "subgraph cluster_%u {\nlabel=\"graph_%u\"\n", graph->id, graph->id);
    for (const GraphNode *node = graph->nodes; node; node = node->next) {
        fprintf(out, "\"node_%u\" [shape=\"%s\" label=\"%u: ", node->id,
                node->params.type == cudaGraphNodeTypeKernel ? "octagon" : "rectangle", node->id);
        draw_label(out, node, flags);
        fprintf(out, "\"];\n");
        for (uint32_t i = 0; i < node->n_inside; i++) draw(out, node->inside[i], flags);
    }
    for (const GraphNode *node = graph->nodes; node; node = node->next)
        for (uint32_t i = 0; i < node->behind.n; i++)
            fprintf(out, "\"node_%u\" -> \"node_%u\";\n", node->id, node->behind.items[i].node->id);
    fprintf(out, "}\n");
}

API(cudaGraphDebugDotPrint, 0, (cudaGraph_t graph, const char *path, unsigned flags),
    (graph, path, flags))
{
    const Graph *found = graph_find(call, graph);
    if (!found || !path) return cudaErrorInvalidValue;
    FILE *out = fopen(path, "w");
    if (!out) return cudaErrorOperatingSystem;
    fprintf(out, "digraph dot {\n");
    draw(out, found, flags);
    fprintf(out, "}\n");
    return fclose(out) ? cudaErrorOperatingSystem : cudaSuccess;
}
