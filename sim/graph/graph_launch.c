/* graph_launch.c - a launch: the nodes of an executable graph, submitted in an order in which each
 * comes behind those that it depends on.
 *
 * A node without an operation (an empty one, or one that is switched off) is stood for by what is
 * before it. A node that has graphs inside is an operation of its own that lasts as long as they
 * do; what a conditional node does is decided when it begins, and, of a loop, whenever its body has
 * ended.
 */
#include "sim/graph/condition.h"
#include "sim/graph/graph_exec.h"
#include <stdlib.h>

typedef struct Launch {
    GraphExec *exec;
    Call *call;
    const Stream *stream;
} Launch;

static void run_graph(const Launch *, Graph *, EngineOp into);

static void *or_die(const Call *call, void *memory)
{
    if (!memory) host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for graphs");
    return memory;
}

/* ---- what a node waits for ---- */

static void list_add(const Call *call, OpList *list, EngineOp op)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->items[i] == op) return;
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 4;
        list->items = or_die(call, realloc(list->items, list->room * sizeof *list->items));
    }
    list->items[list->n++] = op;
}

static void list_add_all(const Call *call, OpList *list, const OpList *more)
{
    for (uint32_t i = 0; i < more->n; i++) list_add(call, list, more->items[i]);
}

/* What the node at hand waits for besides its ends: kernels of which it is enough that their blocks
 * have begun, then those that have to trigger; what its cudaGridDependencySynchronize() waits for,
 * and what is behind that (operation.h). */
static OpList triggers, direct, behind;
static uint32_t n_begun;

/* A node that comes after what its edges come from, none of which comes after another one. */
static bool joins(const GraphNode *node)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < node->before.n; i++) {
        bool last = true;
        for (uint32_t k = 0; k < node->before.n && last; k++)
            last = k == i || !graph_reaches(node->before.items[i].node, node->before.items[k].node);
        n += last;
    }
    return n > 1;
}

/* What an edge says about a node that is something. The device completes a kernel that began early
 * when it has completed what that depends on (seen on an H200). */
static void gather_one(const Call *call, GraphNode *node, const GraphEdge *edge)
{
    const GraphNode *from = edge->node;
    bool begun = edge->data.from_port == cudaGraphKernelNodePortLaunchCompletion;
    if (edge->data.type == cudaGraphDependencyTypeProgrammatic) {
        list_add(call, begun ? &node->begun : &node->early, from->op);
        list_add(call, &direct, from->op);
        list_add_all(call, &behind, &from->ends);
    } else if (begun) {
        list_add(call, &node->begun, from->op);
    } else {
        list_add_all(call, &node->ends, &from->ends);
    }
}

/* Until it has been submitted: what it comes after. A node that is nothing (an empty one, one that
 * is switched off) has what it came after itself. */
static void gather(const Call *call, GraphNode *node)
{
    node->op = 0;
    node->ends.n = node->begun.n = node->early.n = direct.n = behind.n = triggers.n = 0;
    for (uint32_t i = 0; i < node->before.n; i++) {
        const GraphEdge *edge = &node->before.items[i];
        const GraphNode *from = edge->node;
        if (from->op) {
            gather_one(call, node, edge);
            continue;
        }
        bool early = edge->data.type == cudaGraphDependencyTypeProgrammatic;
        list_add_all(call, &node->ends, &from->ends);
        list_add_all(call, &node->begun, &from->begun);
        list_add_all(call, early ? &node->early : &node->ends, &from->early);
        if (early) list_add_all(call, &direct, &from->early);
    }
    list_add_all(call, &triggers, &node->begun);
    n_begun = triggers.n;
    list_add_all(call, &triggers, &node->early);
}

/* Submits the operation as that of a node; it then stands for the node. It runs on the node's
 * device, wherever the graph is launched. */
static EngineOp submit(const Launch *launch, GraphNode *node, Operation *operation)
{
    uint32_t n_direct = direct.n;
    operation->device = 1 + node->device;
    operation->early = triggers.items;
    operation->n_early = (int)triggers.n;
    operation->n_begun = (int)n_begun;
    operation->serial = direct.n && joins(node);
    list_add_all(launch->call, &direct, &behind);
    operation->direct = direct.items;
    operation->n_direct = (int)n_direct;
    operation->n_behind = (int)(direct.n - n_direct);
    cudaError_t error = operation_submit(launch->call, launch->stream, operation, node->ends.items,
                                         (int)node->ends.n);
    if (error)
        host_fatal(HOST_STATUS_CRASH, launch->call->site, "out of memory for pending operations");
    node->ends.n = node->begun.n = node->early.n = 0;
    node->op = launch->call->op;
    list_add(launch->call, &node->ends, node->op);
    list_add_all(launch->call, &node->ends, &direct);
    return node->op;
}

/* ---- conditions ---- */

/* A conditional node while it runs. */
typedef struct Branch {
    GraphExec *exec;
    Stream stream; /* as it was: it may be destroyed meanwhile */
    GraphNode *node;
    Call call;
    EngineOp op;
} Branch;

static void body_over(void *of, EngineOp op);

/* The body that is to be run now; NULL: none. */
static Graph *chosen(const GraphNode *node)
{
    const struct cudaConditionalNodeParams *params = &node->params.conditional;
    unsigned value = condition_value(params->handle);
    uint32_t which = params->type == cudaGraphCondTypeSwitch ? value : value ? 0 : 1;
    return which < node->n_inside ? node->inside[which] : NULL;
}

/* The node is over: lingers_ns later what comes behind it may go on. */
static void leave(Branch *branch, uint64_t lingers_ns)
{
    engine_graph_lingers(runtime.engine, branch->op, lingers_ns);
    engine_graph_close(runtime.engine, branch->op);
    free(branch);
}

/* decides_ns: how long the device takes for it. */
static void run_body(Branch *branch, uint64_t decides_ns)
{
    Graph *body = chosen(branch->node);
    if (!body) {
        leave(branch, decides_ns);
        return;
    }
    Operation operation = {.kind = TRACE_GRAPH,
                           .name = "body",
                           .site = branch->node->site,
                           .captured = branch->node->operation.captured,
                           .graph = branch->op,
                           .work_ns = decides_ns,
                           .effect = {EFFECT_GRAPH, .graph = {NULL, body_over, branch}}};
    Launch launch = {branch->exec, &branch->call, &branch->stream};
    operation_submit(&branch->call, &branch->stream, &operation, NULL, 0);
    EngineOp op = branch->call.op;
    run_graph(&launch, body, op);
    engine_graph_close(runtime.engine, op);
}

static void body_over(void *of, EngineOp op)
{
    Branch *branch = of;
    const Model *model = device_model(branch->node->device);
    (void)op;
    if (branch->node->params.conditional.type != cudaGraphCondTypeWhile)
        leave(branch, model->gap_graph_after);
    else if (chosen(branch->node)) run_body(branch, model->gap_graph_again);
    else leave(branch, model->gap_graph_after);
}

static void branch_begins(void *of, EngineOp op)
{
    Branch *branch = of;
    branch->op = op;
    run_body(branch, device_model(branch->node->device)->gap_graph_condition);
}

/* ---- launching ---- */

static void launch_begins(void *of, EngineOp op)
{
    const GraphExec *exec = of;
    (void)op;
    conditions_begin(exec->graph->source);
}

/* What a node with graphs inside is called in pictures. */
static const char *name_of(const GraphNode *node)
{
    if (node->params.type != cudaGraphNodeTypeConditional) return "child";
    switch (node->params.conditional.type) {
    case cudaGraphCondTypeWhile: return "while";
    case cudaGraphCondTypeSwitch: return "switch";
    default: return "if";
    }
}

static void run_inside(const Launch *launch, GraphNode *node, EngineOp into)
{
    bool conditional = node->params.type == cudaGraphNodeTypeConditional;
    Operation operation = {.kind = TRACE_GRAPH,
                           .name = name_of(node),
                           .site = node->site,
                           .captured = node->operation.captured,
                           .graph = into};
    if (conditional) {
        Branch *branch = or_die(launch->call, malloc(sizeof *branch));
        *branch = (Branch){launch->exec, *launch->stream, node, *launch->call, 0};
        operation.effect = (Effect){EFFECT_GRAPH, .graph = {branch_begins, NULL, branch}};
    }
    EngineOp op = submit(launch, node, &operation);
    if (conditional) return;
    run_graph(launch, node->inside[0], op);
    engine_graph_close(runtime.engine, op);
}

static void run_node(const Launch *launch, GraphNode *node, EngineOp into)
{
    gather(launch->call, node);
    if (node->disabled) return;
    switch (node->params.type) {
    case cudaGraphNodeTypeEmpty: return;
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional: run_inside(launch, node, into); return;
    default: break;
    }

    Operation operation = node->operation;
    operation.graph = into;
    operation.launch.own_priority &=
        (launch->exec->flags & cudaGraphInstantiateFlagUseNodePriority) != 0;
    if (operation.event) {
        Event *event = event_of(launch->call, node->params.eventRecord.event);
        if (operation.kind == TRACE_WAIT && event->op)
            list_add(launch->call, &node->ends, event->op);
        submit(launch, node, &operation);
        if (operation.kind == TRACE_RECORD) {
            free(event->captured);
            event->captured = NULL;
            event->op = launch->call->op;
        }
        return;
    }
    submit(launch, node, &operation);
    if (operation.kind == TRACE_ALLOC) graph_memory_allocated(node->memory, launch->exec->backing);
    if (operation.kind == TRACE_FREE) graph_memory_freed(node->memory);
}

static void run_graph(const Launch *launch, Graph *graph, EngineOp into)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) run_node(launch, graph->order[i], into);
}

/* ---- memory ---- */

static uint32_t n_launches;

/* What its nodes allocate, in graphs inside as well. What an earlier launch has left is freed
 * first, in stream order, if that is wanted. */
static cudaError_t prepare_memory(const Launch *launch, const Graph *graph, uint64_t *bytes)
{
    bool frees = (launch->exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
    for (const GraphNode *node = graph->nodes; node; node = node->next) {
        GraphMemory *memory = node->params.type == cudaGraphNodeTypeMemAlloc ? node->memory : NULL;
        if (memory && memory->live && !frees) return cudaErrorInvalidValue;
        if (memory && memory->live) {
            Operation operation = {.kind = TRACE_FREE,
                                   .bytes = memory->bytes,
                                   .from = TRACE_MEM_DEVICE,
                                   .site = launch->call->site,
                                   .effect = {EFFECT_RELEASE, .release = memory->block}};
            operation_submit(launch->call, launch->stream, &operation, NULL, 0);
            graph_memory_freed(memory);
        }
        if (memory && memory->counted != n_launches) *bytes += memory->bytes;
        if (memory) memory->counted = n_launches; /* several allocations may share an address */
        for (uint32_t i = 0; i < node->n_inside; i++) {
            cudaError_t error = prepare_memory(launch, node->inside[i], bytes);
            if (error) return error;
        }
    }
    return cudaSuccess;
}

/* May its nodes free what they free: what this launch allocates, or an earlier one has left? */
static bool can_free(const Graph *graph)
{
    for (const GraphNode *node = graph->nodes; node; node = node->next) {
        const GraphMemory *memory = node->memory;
        if (node->params.type == cudaGraphNodeTypeMemFree && memory && !memory->live &&
            memory->counted != n_launches)
            return false;
        for (uint32_t i = 0; i < node->n_inside; i++)
            if (!can_free(node->inside[i])) return false;
    }
    return true;
}

cudaError_t graph_launch(Call *call, GraphExec *exec, const Stream *stream)
{
    Launch launch = {exec, call, stream};
    uint64_t bytes = 0;
    cudaError_t error = CAPTURE_RULE(work, call, stream);
    n_launches++;
    if (!error) error = prepare_memory(&launch, exec->graph, &bytes);
    if (!error && !can_free(exec->graph)) error = cudaErrorInvalidValue;
    if (!error && bytes && !(exec->backing = graph_memory_back(exec->backing, stream, bytes)))
        error = cudaErrorMemoryAllocation;
    if (error) return error;

    Operation operation = {.kind = TRACE_GRAPH,
                           .site = call->site,
                           .effect = {EFFECT_GRAPH, .graph = {launch_begins, NULL, exec}}};
    error = operation_submit(call, stream, &operation, &exec->last, exec->last != 0);
    if (error) return error;

    EngineOp op = exec->last = call->op;
    if (bytes) graph_memory_used_by(exec->backing, stream, op);
    run_graph(&launch, exec->graph, op);
    engine_graph_close(runtime.engine, op);
    call->op = op;

    return cudaSuccess;
}
