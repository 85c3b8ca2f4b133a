/* graph.c - see graph.h. */
#include "sim/graph/graph.h"
#include "sim/runtime/handle.h"
#include <stdlib.h>
#include <string.h>

/* ---- edges ---- */

static const cudaGraphEdgeData whole; /* the one behind comes after the end */

bool edges_add(GraphEdges *edges, GraphNode *node, const cudaGraphEdgeData *data)
{
    for (uint32_t i = 0; i < edges->n; i++)
        if (edges->items[i].node == node) return true;
    if (edges->n == edges->room) {
        uint32_t room = edges->room ? 2 * edges->room : 4;
        GraphEdge *more = realloc(edges->items, room * sizeof *more);
        if (!more) return false;
        edges->items = more;
        edges->room = room;
    }
    edges->items[edges->n++] = (GraphEdge){node, data ? *data : whole};
    return true;
}

static bool edges_remove(GraphEdges *edges, const GraphNode *node)
{
    for (uint32_t i = 0; i < edges->n; i++)
        if (edges->items[i].node == node) {
            memmove(edges->items + i, edges->items + i + 1,
                    (--edges->n - i) * sizeof *edges->items);
            return true;
        }
    return false;
}

const GraphEdge *graph_edge(const GraphNode *from, const GraphNode *to)
{
    for (uint32_t i = 0; i < to->before.n; i++)
        if (to->before.items[i].node == from) return &to->before.items[i];
    return NULL;
}

bool graph_link(GraphNode *from, GraphNode *to, const cudaGraphEdgeData *data)
{
    if (!edges_add(&from->behind, to, data)) return false;
    if (edges_add(&to->before, from, data)) return true;
    edges_remove(&from->behind, to);
    return false;
}

bool graph_unlink(GraphNode *from, GraphNode *to, const cudaGraphEdgeData *data)
{
    const GraphEdge *edge = graph_edge(from, to);
    if (!edge || memcmp(&edge->data, data ? data : &whole, sizeof whole) != 0) return false;
    edges_remove(&from->behind, to);
    return edges_remove(&to->before, from);
}

/* ---- graphs and nodes ---- */

static uint32_t next_number(HandleKind kind) { return handle_end(kind) ? handle_end(kind) : 1; }

Graph *graph_new(TraceSite made)
{
    Graph *graph = calloc(1, sizeof *graph);
    if (!graph) return NULL;
    graph->id = next_number(HANDLE_GRAPH);
    graph->end = &graph->nodes;
    graph->made = made;
    if (handle_add(HANDLE_GRAPH, graph->id, graph)) return graph;
    free(graph);
    return NULL;
}

cudaGraph_t graph_handle(const Graph *graph)
{
    return graph ? handle_make(HANDLE_GRAPH, graph->id) : NULL;
}

cudaGraphNode_t graph_node_handle(const GraphNode *node)
{
    return node ? handle_make(HANDLE_NODE, node->id) : NULL;
}

Graph *graph_find(const Call *call, cudaGraph_t handle)
{
    if (!handle) return NULL;
    Graph *graph = handle_find(HANDLE_GRAPH, handle);
    if (!graph) handle_refuse(HANDLE_GRAPH, handle, call->name, call->site);
    return graph;
}

GraphNode *graph_node(const Call *call, cudaGraphNode_t handle)
{
    if (!handle) return NULL;
    GraphNode *node = handle_find(HANDLE_NODE, handle);
    if (!node) handle_refuse(HANDLE_NODE, handle, call->name, call->site);
    return node;
}

static void free_node(GraphNode *node, TraceSite gone)
{
    handle_close(HANDLE_NODE, node->id, gone);
    operation_release(&node->operation);
    if (node->memory) graph_memory_let_go(node->memory, gone);
    for (uint32_t i = 0; i < node->n_inside; i++) graph_free(node->inside[i], gone);
    free(node->inside);
    free(node->given);
    free(node->before.items);
    free(node->behind.items);
    free(node->ends.items);
    free(node->begun.items);
    free(node->early.items);
    free(node);
}

void graph_free(Graph *graph, TraceSite gone)
{
    if (!graph) return;
    for (GraphNode *node = graph->nodes, *next; node; node = next) {
        next = node->next;
        free_node(node, gone);
    }
    free(graph->order);
    user_objects_leave(&graph->objects, gone);
    handle_close(HANDLE_GRAPH, graph->id, gone);
    free(graph);
}

/* Kinds of nodes whose operation happens where the node says, not in the stream of the launch. */
static void take(GraphNode *node, const struct cudaGraphNodeParams *params, Operation *operation)
{
    node->params = *params;
    if (operation) node->operation = *operation;
    const Kernel *kernel =
        node->operation.effect.kind == EFFECT_KERNEL ? node->operation.effect.kernel : NULL;
    if (!kernel) return;
    const ExecLaunch *launch = &kernel->launch;
    struct cudaKernelNodeParamsV2 *k = &node->params.kernel;
    *k = (struct cudaKernelNodeParamsV2){
        .func = kernel->arguments ? (void *)(uintptr_t)kernel->arguments->func : NULL,
        .gridDim = {launch->grid.x, launch->grid.y, launch->grid.z},
        .blockDim = {launch->block.x, launch->block.y, launch->block.z},
        .sharedMemBytes = (unsigned)launch->shared_bytes,
        .kernelParams = kernel->arguments && kernel->arguments->n ? kernel->arguments->at : NULL};
}

GraphNode *graph_add(Graph *graph, const struct cudaGraphNodeParams *params, Operation *operation,
                     TraceSite site)
{
    GraphNode *node = calloc(1, sizeof *node);
    if (!node) return NULL;
    node->id = next_number(HANDLE_NODE);
    node->graph = graph;
    node->site = site;
    node->device = call_device();
    if (!handle_add(HANDLE_NODE, node->id, node)) {
        free(node);
        return NULL;
    }
    take(node, params, operation);
    *graph->end = node;
    graph->end = &node->next;
    graph->n_nodes++;
    return node;
}

void graph_node_set(GraphNode *node, const struct cudaGraphNodeParams *params, Operation *operation)
{
    TraceDim declared = operation->launch.cluster;
    operation->launch = node->operation.launch; /* attributes stay the node's */
    if (!operation->launch.cluster.x) operation->launch.cluster = declared;
    if (operation->effect.kind == EFFECT_KERNEL) {
        operation->effect.kernel->launch.cluster = operation->launch.cluster;
        operation->effect.kernel->launch.cooperative = node->operation.launch.cooperative;
    }
    operation->site = node->site; /* and so does where it comes from */
    operation->captured = node->operation.captured;
    operation_release(&node->operation);
    take(node, params, operation);
}

void graph_remove(GraphNode *node, TraceSite gone)
{
    Graph *graph = node->graph;
    GraphNode **link = &graph->nodes;
    while (*link != node) link = &(*link)->next;
    *link = node->next;
    if (graph->end == &node->next) graph->end = link;
    graph->n_nodes--;
    for (uint32_t i = 0; i < node->before.n; i++)
        edges_remove(&node->before.items[i].node->behind, node);
    for (uint32_t i = 0; i < node->behind.n; i++)
        edges_remove(&node->behind.items[i].node->before, node);
    free_node(node, gone);
}

/* ---- order ---- */

GraphNode **graph_order(const Graph *graph, bool *circle)
{
    GraphNode **order = malloc((graph->n_nodes + 1) * sizeof(GraphNode *));
    uint32_t n = 0, done = 0;
    *circle = false;
    if (!order) return NULL;
    /* as they were made, where that keeps all edges: of a capture always */
    for (GraphNode *node = graph->nodes; node; node = node->next) node->rank = UINT32_MAX;
    for (GraphNode *node = graph->nodes; node; node = node->next) {
        bool there = true;
        for (uint32_t i = 0; i < node->before.n && there; i++)
            there = node->before.items[i].node->rank != UINT32_MAX;
        if (!there) break;
        node->rank = n;
        order[n++] = node;
    }
    if (n == graph->n_nodes) return order;

    /* rank: how many of those before it are not yet there */
    n = 0;
    for (GraphNode *node = graph->nodes; node; node = node->next)
        if (!(node->rank = node->before.n)) order[n++] = node;
    for (; done < n; done++)
        for (uint32_t i = 0; i < order[done]->behind.n; i++)
            if (--order[done]->behind.items[i].node->rank == 0)
                order[n++] = order[done]->behind.items[i].node;
    for (uint32_t i = 0; i < n; i++) order[i]->rank = i;
    if (n == graph->n_nodes) return order;
    *circle = true;
    free(order);
    return NULL;
}

/* In a graph without a circle only; each node is looked at once. */
bool graph_reaches(const GraphNode *from, const GraphNode *to)
{
    const Graph *graph = from->graph;
    const GraphNode **stack = malloc((graph->n_nodes + 1) * sizeof *stack);
    if (!stack) return false;
    for (GraphNode *node = graph->nodes; node; node = node->next) node->rank = 0;
    uint32_t n = 0;
    bool found = false;
    stack[n++] = from;
    while (n && !found) {
        const GraphNode *node = stack[--n];
        found = node == to;
        for (uint32_t i = 0; i < node->behind.n; i++) {
            GraphNode *next = node->behind.items[i].node;
            if (next->rank) continue;
            next->rank = 1;
            stack[n++] = next;
        }
    }
    free(stack);
    return found;
}

/* ---- copies ---- */

static bool copy_inside(GraphNode *to, const GraphNode *from)
{
    to->inside = calloc(from->n_inside + 1, sizeof *to->inside);
    to->given = calloc(from->n_inside + 1, sizeof *to->given);
    if (!to->inside || !to->given) return false;
    for (; to->n_inside < from->n_inside; to->n_inside++) {
        Graph *copy = graph_copy(from->inside[to->n_inside], to->graph->executable, to->site);
        if (!copy) return false;
        copy->owner = to;
        to->inside[to->n_inside] = copy;
        to->given[to->n_inside] = graph_handle(copy);
    }
    if (to->params.type == cudaGraphNodeTypeConditional)
        to->params.conditional.phGraph_out = to->given;
    else if (to->n_inside) to->params.graph.graph = to->given[0];
    return true;
}

static bool copy_operation(GraphNode *to, GraphNode *from)
{
    bool memory = from->operation.kind == TRACE_ALLOC || from->operation.kind == TRACE_FREE;
    if (memory || (from->operation.effect.kind == EFFECT_NONE && !from->operation.kept)) {
        to->operation = from->operation;
        return true;
    }
    Operation copy;
    if (!operation_keep(&copy, &from->operation)) return false;
    if (copy.effect.kind == EFFECT_KERNEL && from->operation.effect.kernel->arguments) {
        const KernelArguments *a = from->operation.effect.kernel->arguments;
        copy.effect.kernel->arguments = kernel_arguments(a->func, a->at, a->bytes, a->n);
    }
    take(to, &from->params, &copy);
    return true;
}

bool graph_node_take(GraphNode *node, GraphNode *from)
{
    operation_release(&node->operation);
    return copy_operation(node, from);
}

Graph *graph_copy(const Graph *graph, bool executable, TraceSite site)
{
    Graph *copy = graph_new(site);
    GraphNode **of = calloc(graph->n_nodes + 1, sizeof *of);
    uint32_t n = 0;
    bool good = copy && of;
    if (good) {
        copy->executable = executable;
        copy->source = graph->id;
        for (GraphNode *node = graph->nodes; node && good; node = node->next) {
            GraphNode *to = graph_add(copy, &node->params, NULL, node->site);
            node->rank = n;
            if ((good = to && copy_operation(to, node))) {
                to->source = node->id;
                to->device = node->device;
                to->captured = node->captured;
                to->disabled = node->disabled;
                if ((to->memory = node->memory)) graph_memory_hold(to->memory);
                of[n++] = to;
                good = copy_inside(to, node);
            }
        }
        for (GraphNode *node = graph->nodes; node && good; node = node->next)
            for (uint32_t i = 0; i < node->before.n && good; i++)
                good = graph_link(of[node->before.items[i].node->rank], of[node->rank],
                                  &node->before.items[i].data);
        good = good && user_objects_copy(&copy->objects, graph->objects);
    }
    free(of);
    if (good) return copy;
    graph_free(copy, site);
    return NULL;
}

GraphNode *graph_search(const Graph *graph, bool (*visit)(const GraphNode *, const void *),
                        const void *what)
{
    for (GraphNode *node = graph->nodes; node; node = node->next) {
        if (visit(node, what)) return node;
        for (uint32_t i = 0; i < node->n_inside; i++) {
            GraphNode *found = graph_search(node->inside[i], visit, what);
            if (found) return found;
        }
    }
    return NULL;
}

static bool is_copy_of(const GraphNode *node, const void *id)
{
    return node->source == *(const uint32_t *)id;
}

GraphNode *graph_copy_of(const Graph *copy, uint32_t node)
{
    return graph_search(copy, is_copy_of, &node);
}
