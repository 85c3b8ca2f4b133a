/* api_graph_nodes.c - what a node's parameters mean: the same as the call of the same purpose,
 * which checks them; and putting nodes into graphs. */
#include "sim/api/api_copy.h"
#include "sim/api/api_launch.h"
#include "sim/api/graphs/api_graph.h"
#include "sim/graph/condition.h"
#include "sim/graph/graph_alloc.h"
#include "sim/graph/graph_exec.h"
#include <stdlib.h>
#include <string.h>

/* ---- from parameters to an operation ---- */

/* A stream that leads into a node. */
typedef struct Sink {
    StreamKeeper keeper; /* first */
    Stream stream;
    Operation operation;
    bool has;
} Sink;

static cudaError_t keep(StreamKeeper *keeper, Call *call, const Stream *stream,
                        Operation *operation)
{
    Sink *sink = (Sink *)keeper;
    (void)call, (void)stream;
    sink->has = operation_keep(&sink->operation, operation);
    return sink->has ? cudaSuccess : cudaErrorMemoryAllocation;
}

static void open_sink(Sink *sink)
{
    *sink = (Sink){.keeper = {keep},
                   .stream = {.device = call_device(), .flavour = TRACE_STREAM_NONBLOCKING}};
    sink->stream.keeper = &sink->keeper;
}

static _Noreturn void refuse(const Call *call, const char *what)
{
    host_fatal(HOST_STATUS_UNSUPPORTED, call->site, "%s: %s; the program ends here", call->name,
               what);
}

static cudaError_t describe_kernel(Call *call, Sink *sink, const struct cudaKernelNodeParamsV2 *p)
{
    if (p->kernelParams && p->extra) return cudaErrorInvalidValue;
    if (p->extra)
        refuse(call, "arguments packed into one buffer (extra) are not simulated: give them as "
                     "kernelParams");
    cudaError_t error = launch_describe(call, &sink->stream, p->func, p->gridDim, p->blockDim,
                                        p->kernelParams, p->sharedMemBytes);
    return error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error;
}

static char *at(const struct cudaPitchedPtr *memory, const struct cudaPos *pos)
{
    return (char *)memory->ptr + (pos->z * memory->ysize + pos->y) * memory->pitch + pos->x;
}

static cudaError_t describe_copy(Call *call, Sink *sink, const struct cudaMemcpy3DParms *p)
{
    const struct cudaExtent *extent = &p->extent;
    if (p->srcArray || p->dstArray) refuse(call, "copies of CUDA arrays are not simulated");
    if (!extent->width || !extent->height || !extent->depth) return cudaErrorInvalidValue;
    if (!p->srcPtr.ptr || !p->dstPtr.ptr) return cudaErrorInvalidValue;
    bool flat = extent->height == 1 && extent->depth == 1;
    return copy_run(call, &(Copy){.to = at(&p->dstPtr, &p->dstPos),
                                  .from = at(&p->srcPtr, &p->srcPos),
                                  .to_pitch = flat ? 0 : p->dstPtr.pitch,
                                  .from_pitch = flat ? 0 : p->srcPtr.pitch,
                                  .width = extent->width,
                                  .height = extent->height,
                                  .depth = extent->depth,
                                  .to_slice = p->dstPtr.pitch * p->dstPtr.ysize,
                                  .from_slice = p->srcPtr.pitch * p->srcPtr.ysize,
                                  .kind = p->kind,
                                  .async = true,
                                  .pitched = !flat,
                                  .stream = &sink->stream});
}

static cudaError_t describe_set(Call *call, Sink *sink, const struct cudaMemsetParamsV2 *p)
{
    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        return cudaErrorInvalidValue;
    if (!p->width || !p->height || !p->dst || p->width > SIZE_MAX / p->elementSize)
        return cudaErrorInvalidValue;
    return set_run(call, &(Set){.to = p->dst,
                                .value = p->value,
                                .element = p->elementSize,
                                .pitch = p->pitch,
                                .width = p->width * p->elementSize,
                                .height = p->height,
                                .async = true,
                                .stream = &sink->stream});
}

static cudaError_t describe_function(Call *call, Sink *sink, const struct cudaHostNodeParamsV2 *p)
{
    if (!p->fn) return cudaErrorInvalidValue;
    Operation operation = {.kind = TRACE_HOSTFN,
                           .work_ns = ENGINE_OPEN,
                           .site = call->site,
                           .effect = {EFFECT_FUNCTION,
                                      .function = {.fn = p->fn,
                                                   .data = p->userData,
                                                   .student = host_student(),
                                                   .token =
                                                       call_log ? call_log->take_token() : 0}}};
    return operation_submit(call, &sink->stream, &operation, NULL, 0);
}

cudaError_t describe_node(Call *call, const struct cudaGraphNodeParams *params,
                          Operation *operation)
{
    Sink sink;
    cudaError_t error = cudaSuccess;
    open_sink(&sink);
    switch (params->type) {
    case cudaGraphNodeTypeKernel: error = describe_kernel(call, &sink, &params->kernel); break;
    case cudaGraphNodeTypeMemcpy:
        error = describe_copy(call, &sink, &params->memcpy.copyParams);
        break;
    case cudaGraphNodeTypeMemset: error = describe_set(call, &sink, &params->memset); break;
    case cudaGraphNodeTypeHost: error = describe_function(call, &sink, &params->host); break;
    case cudaGraphNodeTypeEventRecord:
    case cudaGraphNodeTypeWaitEvent: {
        bool records = params->type == cudaGraphNodeTypeEventRecord;
        const Event *event =
            event_of(call, records ? params->eventRecord.event : params->eventWait.event);
        if (!event) return cudaErrorInvalidValue;
        *operation = (Operation){.kind = records ? TRACE_RECORD : TRACE_WAIT,
                                 .event = event->id,
                                 .site = call->site};
        return cudaSuccess;
    }
    default: break;
    }
    *operation = sink.has ? sink.operation : (Operation){.kind = TRACE_GRAPH};
    return error;
}

/* ---- CUDA's several words for the same ---- */

struct cudaGraphNodeParams params_of_kernel(const struct cudaKernelNodeParams *p)
{
    struct cudaGraphNodeParams to = {.type = cudaGraphNodeTypeKernel};
    to.kernel = (struct cudaKernelNodeParamsV2){p->func,           p->gridDim,      p->blockDim,
                                                p->sharedMemBytes, p->kernelParams, p->extra};
    return to;
}

struct cudaGraphNodeParams params_of_copy(const struct cudaMemcpy3DParms *p)
{
    struct cudaGraphNodeParams to = {.type = cudaGraphNodeTypeMemcpy};
    to.memcpy.copyParams = *p;
    return to;
}

struct cudaGraphNodeParams params_of_flat(void *to, const void *from, size_t bytes,
                                          enum cudaMemcpyKind kind)
{
    return params_of_copy(
        &(struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                    .dstPtr = {to, bytes, bytes, 1},
                                    .extent = {bytes, 1, 1},
                                    .kind = kind});
}

struct cudaGraphNodeParams params_of_set(const struct cudaMemsetParams *p)
{
    struct cudaGraphNodeParams to = {.type = cudaGraphNodeTypeMemset};
    to.memset = (struct cudaMemsetParamsV2){p->dst,         p->pitch, p->value,
                                            p->elementSize, p->width, p->height};
    return to;
}

struct cudaGraphNodeParams params_of_function(const struct cudaHostNodeParams *p)
{
    struct cudaGraphNodeParams to = {.type = cudaGraphNodeTypeHost};
    to.host = (struct cudaHostNodeParamsV2){p->fn, p->userData};
    return to;
}

cudaError_t symbol_place(const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
                         bool is_target, void **address)
{
    Place place;
    if (!symbol || !symbol_find(symbol, &place)) return cudaErrorInvalidSymbol;
    if (offset > place.room || count > place.room - offset) return cudaErrorInvalidValue;
    if (kind != (is_target ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost) &&
        kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    *address = (char *)(uintptr_t)symbol + offset;
    return cudaSuccess;
}

/* ---- nodes that hold graphs ---- */

/* Gives the node n graphs of its own: the child, or new ones. */
static cudaError_t put_inside(Call *call, GraphNode *node, Graph *child, uint32_t n)
{
    node->inside = calloc(n + 1, sizeof *node->inside);
    node->given = calloc(n + 1, sizeof *node->given);
    if (!node->inside || !node->given) return cudaErrorMemoryAllocation;
    for (; node->n_inside < n; node->n_inside++) {
        Graph *graph = child ? child : graph_new(call->site);
        if (!graph) return cudaErrorMemoryAllocation;
        graph->owner = node;
        node->inside[node->n_inside] = graph;
        node->given[node->n_inside] = graph_handle(graph);
    }
    return cudaSuccess;
}

/* Is a graph inside another one, or the same? */
static bool is_within(const Graph *graph, const Graph *of)
{
    while (graph && graph != of) graph = graph->owner ? graph->owner->graph : NULL;
    return graph != NULL;
}

static cudaError_t check_child(const Call *call, const Graph *graph,
                               const struct cudaChildGraphNodeParams *p, Graph **child)
{
    *child = graph_find(call, p->graph);
    if (!*child || is_within(graph, *child)) return cudaErrorInvalidValue;
    if ((unsigned)p->ownership > cudaGraphChildGraphOwnershipMove) return cudaErrorInvalidValue;
    if (graph_search(*child, node_is_conditional, NULL)) return cudaErrorNotSupported;
    if (p->ownership == cudaGraphChildGraphOwnershipMove)
        return (*child)->owner || (*child)->capturing ? cudaErrorInvalidValue : cudaSuccess;
    return graph_search(*child, node_has_memory, NULL) ? cudaErrorNotSupported : cudaSuccess;
}

static cudaError_t check_condition(const Graph *graph, const struct cudaConditionalNodeParams *p)
{
    unsigned most = p->type == cudaGraphCondTypeWhile ? 1
                    : p->type == cudaGraphCondTypeIf  ? 2
                                                      : INT32_MAX;
    if ((unsigned)p->type > cudaGraphCondTypeSwitch || !p->size || p->size > most)
        return cudaErrorInvalidValue;
    /* in the body of another condition, a handle of the whole graph is meant as well */
    while (graph->owner && !condition_is_of(p->handle, graph)) graph = graph->owner->graph;
    return condition_is_of(p->handle, graph) && condition_use(p->handle) ? cudaSuccess
                                                                         : cudaErrorInvalidValue;
}

/* ---- memory ---- */

static cudaError_t check_alloc(const struct cudaMemAllocNodeParamsV2 *p)
{
    if (!p->bytesize || p->poolProps.allocType != cudaMemAllocationTypePinned ||
        p->poolProps.location.type != cudaMemLocationTypeDevice ||
        !device_exists(p->poolProps.location.id) ||
        p->poolProps.handleTypes != cudaMemHandleTypeNone ||
        (p->accessDescCount && !p->accessDescs))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* ---- adding ---- */

static cudaError_t check_new(Call *call, Graph *graph, const struct cudaGraphNodeParams *params,
                             Graph **child)
{
    switch (params->type) {
    case cudaGraphNodeTypeGraph: return check_child(call, graph, &params->graph, child);
    case cudaGraphNodeTypeConditional: return check_condition(graph, &params->conditional);
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeHost:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord: return cudaSuccess;
    case cudaGraphNodeTypeMemAlloc: return check_alloc(&params->alloc);
    case cudaGraphNodeTypeMemFree: return graph_may_free(graph, params->free.dptr);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait: refuse(call, "external semaphores are not simulated");
    default: return cudaErrorInvalidValue;
    }
}

static cudaError_t fill(Call *call, GraphNode *node, Graph *child,
                        struct cudaGraphNodeParams *params)
{
    cudaError_t error = cudaSuccess;
    if (child) {
        bool moves = params->graph.ownership == cudaGraphChildGraphOwnershipMove;
        if (!moves) child = graph_copy(child, false, call->site);
        error = child ? put_inside(call, node, child, 1) : cudaErrorMemoryAllocation;
        if (!error) node->params.graph.graph = graph_handle(child);
    } else if (params->type == cudaGraphNodeTypeConditional) {
        error = put_inside(call, node, NULL, params->conditional.size);
        params->conditional.phGraph_out = node->params.conditional.phGraph_out = node->given;
    } else if (params->type == cudaGraphNodeTypeMemAlloc) {
        error = graph_node_allocates(call, node, &params->alloc);
    } else if (params->type == cudaGraphNodeTypeMemFree) {
        graph_node_frees(call, node, params->free.dptr);
    }
    return error;
}

cudaError_t add_node(Call *call, cudaGraphNode_t *to, cudaGraph_t handle,
                     const cudaGraphNode_t *after, const cudaGraphEdgeData *data, size_t n,
                     struct cudaGraphNodeParams *params)
{
    Graph *graph = graph_find(call, handle), *child = NULL;
    GraphEdges behind = {0};
    Operation operation = {.kind = TRACE_GRAPH};
    GraphNode *node = NULL;

    if (!to || !graph) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    cudaError_t error = nodes_listed(call, graph, after, data, n, &behind);
    for (uint32_t i = 0; i < behind.n && !error; i++)
        if (behind.items[i].data.type && params->type != cudaGraphNodeTypeKernel)
            error = cudaErrorInvalidValue;
    if (!error) error = check_new(call, graph, params, &child);
    if (!error) error = describe_node(call, params, &operation);
    if (!error && !(node = graph_add(graph, params, &operation, call->site)))
        error = cudaErrorMemoryAllocation;
    for (uint32_t i = 0; i < behind.n && !error; i++)
        if (!graph_link(behind.items[i].node, node, &behind.items[i].data))
            error = cudaErrorMemoryAllocation;
    if (!error) error = fill(call, node, child, params);
    if (error && node) graph_remove(node, call->site);
    free(behind.items);
    if (!error) *to = graph_node_handle(node);

    return error;
}

/* What an executable node may become is less: a copy stays on the same kind of memory, and both
 * stay in one dimension. */
static cudaError_t check_change(const GraphNode *node, const struct cudaGraphNodeParams *params,
                                const Operation *operation)
{
    const Operation *before = &node->operation;
    switch (params->type) {
    case cudaGraphNodeTypeMemcpy:
        if (!graph_same_place(before->from, operation->from) ||
            !graph_same_place(before->to, operation->to) || before->effect.copy.height > 1 ||
            operation->effect.copy.height > 1 || effect_slices(&before->effect) > 1 ||
            effect_slices(&operation->effect) > 1)
            return cudaErrorInvalidValue;
        return cudaSuccess;
    case cudaGraphNodeTypeMemset:
        if ((before->effect.set.height > 1 || operation->effect.set.height > 1) &&
            (before->effect.set.height != operation->effect.set.height ||
             before->effect.set.width != operation->effect.set.width ||
             before->effect.set.pitch != operation->effect.set.pitch))
            return cudaErrorInvalidValue;
        return cudaSuccess;
    default: return cudaSuccess;
    }
}

cudaError_t set_node(Call *call, GraphNode *node, const struct cudaGraphNodeParams *params,
                     bool executable)
{
    Operation operation;
    if (!node || params->type != node->params.type) return cudaErrorInvalidValue;
    call_spend(call->costs->other);
    cudaError_t error = describe_node(call, params, &operation);
    if (!error && executable) error = check_change(node, params, &operation);
    if (error) { return error; }
    graph_node_set(node, params, &operation);
    return cudaSuccess;
}
