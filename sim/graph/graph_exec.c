/* graph_exec.c - executable graphs, their making and their end; launching is graph_launch.c. */
#include "sim/graph/graph_exec.h"
#include "sim/graph/condition.h"
#include "sim/runtime/handle.h"
#include "sim/runtime/place.h"
#include <stdlib.h>

static GraphExec *execs; /* all there are, the destroyed ones that still run as well */

cudaGraphExec_t graph_exec_handle(const GraphExec *exec)
{
    return handle_make(HANDLE_EXEC, exec->id);
}

GraphExec *graph_exec_find(const Call *call, cudaGraphExec_t handle)
{
    if (!handle) return NULL;
    GraphExec *exec = handle_find(HANDLE_EXEC, handle);
    if (!exec) handle_refuse(HANDLE_EXEC, handle, call->name, call->site);
    return exec;
}

void graph_execs_each(void (*visit)(const GraphExec *))
{
    for (const GraphExec *exec = execs; exec; exec = exec->next)
        if (!exec->gone) visit(exec);
}

/* The order of all that is in it; false: a circle, or no memory. */
static bool arrange(Graph *graph, GraphFault *fault)
{
    bool circle;
    graph->order = graph_order(graph, &circle);
    if (circle) {
        fault->result = cudaGraphInstantiateInvalidStructure;
        for (const GraphNode *node = graph->nodes; node; node = node->next)
            if (node->rank) fault->node = node; /* one that was never reached */
    }
    for (uint32_t i = 0; graph->order && i < graph->n_nodes; i++)
        for (uint32_t k = 0; k < graph->order[i]->n_inside; k++)
            if (!arrange(graph->order[i]->inside[k], fault)) return false;
    return graph->order != NULL;
}

/* Those that were destroyed while they ran, and do so no longer. */
static void sweep(void)
{
    for (GraphExec **link = &execs, *exec; (exec = *link);) {
        if (exec->gone && engine_op_ended(runtime.engine, exec->last)) {
            *link = exec->next;
            graph_free(exec->graph, exec->made);
            free(exec);
        } else {
            link = &exec->next;
        }
    }
}

static bool wants_one(const GraphNode *node, const void *unused)
{
    (void)unused;
    return node->memory || node->params.type == cudaGraphNodeTypeConditional;
}

/* A graph whose memory, or whose conditions, an executable graph of it is using can have no other
 * one. */
static bool is_taken(const Graph *graph)
{
    if (!graph_search(graph, wants_one, NULL)) return false;
    for (const GraphExec *exec = execs; exec; exec = exec->next)
        if (!exec->gone && exec->graph->source == graph->id) return true;
    return false;
}

static bool is_in_body(const Graph *graph)
{
    for (; graph->owner; graph = graph->owner->graph)
        if (graph->owner->params.type == cudaGraphNodeTypeConditional) return true;
    return false;
}

/* Kinds of nodes that may be added to the body of a condition, but do not run there. */
static bool does_not_fit(const GraphNode *node, const void *unused)
{
    (void)unused;
    switch (node->params.type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeConditional: return false;
    default: return is_in_body(node->graph);
    }
}

/* A captured set needs access to memory of another device, and that is asked when the graph is
 * instantiated; one that was added by hand needs none (measured on H200s). */
static bool is_out_of_reach(const GraphNode *node, const void *unused)
{
    (void)unused;
    return node->captured && node->params.type == cudaGraphNodeTypeMemset &&
           !place_is_reached(node->device, node->operation.effect.set.to);
}

GraphExec *graph_exec_new(Call *call, const Graph *graph, unsigned long long flags,
                          GraphFault *fault)
{
    *fault = (GraphFault){.result = cudaGraphInstantiateSuccess};
    sweep();
    if (!conditions_are_used(graph->id)) {
        fault->result = cudaGraphInstantiateConditionalHandleUnused;
        return NULL;
    }
    if (graph_search(graph, is_out_of_reach, NULL)) {
        *fault = (GraphFault){cudaGraphInstantiateError, NULL, true};
        return NULL;
    }
    if ((fault->node = graph_search(graph, does_not_fit, NULL))) {
        fault->result = cudaGraphInstantiateInvalidStructure;
        return NULL;
    }
    if (is_taken(graph)) {
        fault->result = cudaGraphInstantiateError;
        return NULL;
    }
    GraphExec *exec = calloc(1, sizeof *exec);
    Graph *copy = graph_copy(graph, true, call->site);
    uint32_t id = handle_end(HANDLE_EXEC) ? handle_end(HANDLE_EXEC) : 1;
    if (!exec || !copy || !arrange(copy, fault) || !handle_add(HANDLE_EXEC, id, exec)) {
        uint32_t wrong = fault->node ? fault->node->source : 0;
        fault->node = NULL;
        for (const GraphNode *node = graph->nodes; node && wrong; node = node->next)
            if (node->id == wrong) fault->node = node;
        graph_free(copy, call->site);
        free(exec);
        return NULL;
    }
    *exec = (GraphExec){.id = id, .graph = copy, .flags = flags, .made = call->site, .next = execs};
    return execs = exec;
}

void graph_exec_destroy(GraphExec *exec, TraceSite site)
{
    handle_close(HANDLE_EXEC, exec->id, site);
    exec->gone = true;
    sweep();
}
