/* graph_update.c - an executable graph takes over the parameters of a graph of the same shape.
 *
 * Nodes are paired as the driver pairs them: those that nothing comes after, in the order in which
 * they were made; then, from each pair, what they depend on, in the order of the edges. Nothing is
 * changed unless all can be.
 */
#include "sim/graph/graph_exec.h"
#include <stdlib.h>
#include <string.h>

typedef struct Pairing {
    GraphNode **of; /* by the rank of a node of `from`: the one that it is paired with */
    cudaGraphExecUpdateResultInfo *info;
} Pairing;

static bool fails(Pairing *p, enum cudaGraphExecUpdateResult result, const GraphNode *node,
                  const GraphNode *before)
{
    *p->info =
        (cudaGraphExecUpdateResultInfo){result, graph_node_handle(node), graph_node_handle(before)};
    return false;
}

static bool pair(Pairing *p, GraphNode *to, const GraphNode *from)
{
    if (p->of[from->rank]) return p->of[from->rank] == to;
    if (to->rank != UINT32_MAX) return false; /* it has another one */
    p->of[from->rank] = to;
    to->rank = from->rank;
    if (to->before.n != from->before.n)
        return fails(p, cudaGraphExecUpdateErrorTopologyChanged, from, NULL);
    for (uint32_t i = 0; i < to->before.n; i++) {
        const GraphNode *before = from->before.items[i].node;
        bool same = !memcmp(&to->before.items[i].data, &from->before.items[i].data,
                            sizeof(cudaGraphEdgeData));
        if (same && pair(p, to->before.items[i].node, before)) continue;
        if (p->info->result == cudaGraphExecUpdateSuccess)
            fails(p, cudaGraphExecUpdateErrorTopologyChanged, from, before);
        return false;
    }
    return true;
}

static bool pair_all(Pairing *p, Graph *to, const Graph *from)
{
    uint32_t n = 0;
    for (GraphNode *node = from->nodes; node; node = node->next) node->rank = n++;
    for (GraphNode *node = to->nodes; node; node = node->next) node->rank = UINT32_MAX;
    if (to->n_nodes != from->n_nodes)
        return fails(p, cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
    GraphNode *other = to->nodes;
    for (GraphNode *node = from->nodes; node; node = node->next) {
        if (node->behind.n) continue;
        while (other && other->behind.n) other = other->next;
        if (!other) return fails(p, cudaGraphExecUpdateErrorTopologyChanged, node, NULL);
        if (!pair(p, other, node)) {
            if (p->info->result == cudaGraphExecUpdateSuccess)
                fails(p, cudaGraphExecUpdateErrorTopologyChanged, node, NULL);
            return false;
        }
        other = other->next;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!p->of[i]) return fails(p, cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
    return true;
}

bool graph_same_place(TraceMemory a, TraceMemory b)
{
    bool host = a == TRACE_MEM_PINNED || a == TRACE_MEM_PAGEABLE;
    return a == b || (host && (b == TRACE_MEM_PINNED || b == TRACE_MEM_PAGEABLE));
}

/* What may not change; success: nothing that does. */
static enum cudaGraphExecUpdateResult differs(const GraphNode *to, const GraphNode *from)
{
    const Operation *a = &to->operation, *b = &from->operation;
    if (to->params.type != from->params.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    switch (to->params.type) {
    case cudaGraphNodeTypeMemcpy:
        return graph_same_place(a->from, b->from) && graph_same_place(a->to, b->to)
                   ? cudaGraphExecUpdateSuccess
                   : cudaGraphExecUpdateErrorParametersChanged;
    case cudaGraphNodeTypeMemset: {
        bool flat = a->effect.set.height == 1 && b->effect.set.height == 1;
        bool same = a->effect.set.height == b->effect.set.height &&
                    a->effect.set.width == b->effect.set.width &&
                    a->effect.set.pitch == b->effect.set.pitch;
        return a->to != b->to || (!flat && !same) ? cudaGraphExecUpdateErrorParametersChanged
                                                  : cudaGraphExecUpdateSuccess;
    }
    case cudaGraphNodeTypeMemAlloc:
        return to->params.alloc.bytesize != from->params.alloc.bytesize ||
                       to->params.alloc.dptr != from->params.alloc.dptr
                   ? cudaGraphExecUpdateErrorParametersChanged
                   : cudaGraphExecUpdateSuccess;
    case cudaGraphNodeTypeConditional:
        return to->params.conditional.type != from->params.conditional.type ||
                       to->n_inside != from->n_inside
                   ? cudaGraphExecUpdateErrorParametersChanged
                   : cudaGraphExecUpdateSuccess;
    default: return cudaGraphExecUpdateSuccess;
    }
}

/* look: nothing is changed yet. */
static bool update(Graph *to, const Graph *from, bool look, cudaGraphExecUpdateResultInfo *info)
{
    Pairing p = {calloc(from->n_nodes + 1, sizeof(GraphNode *)), info};
    bool good = p.of && pair_all(&p, to, from);
    for (GraphNode *node = from->nodes; node && good; node = node->next) {
        GraphNode *mine = p.of[node->rank];
        enum cudaGraphExecUpdateResult wrong = differs(mine, node);
        if (wrong) good = fails(&p, wrong, node, NULL);
        for (uint32_t i = 0; i < mine->n_inside && good; i++)
            good = update(mine->inside[i], node->inside[i], look, info);
        if (!good || look || mine->n_inside) continue;
        if (mine->operation.effect.kind == EFFECT_NONE) {
            mine->operation = node->operation;
            mine->params = node->params;
        } else {
            good = graph_node_take(mine, node);
        }
    }
    free(p.of);
    return good;
}

bool graph_update(Graph *to, const Graph *from, cudaGraphExecUpdateResultInfo *info)
{
    *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateSuccess};
    if (update(to, from, true, info) && update(to, from, false, info)) return false;
    if (info->result == cudaGraphExecUpdateSuccess) info->result = cudaGraphExecUpdateError;
    return true;
}
