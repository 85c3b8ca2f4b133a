/* waits.c - dependencies between operations, and the causes that come of them.
 *
 * A dependency is a node in the list of the op that is waited for. When that op ends, the same node
 * moves to the list of the op that waited and keeps the time; when that one starts, its nodes
 * become its causes. So a wait needs no memory beyond the causes once it is over.
 *
 * Markers (record, wait, alloc, free) take no time, so nobody waits for a marker itself: what
 * waited for one gets the causes for which the marker had to wait.
 */
#include "sim/engine/engine_internal.h"

enum { AT_START = 0x100 };    /* in a node's kind: an edge from the start of an op */
enum { MOST_INHERITED = 16 }; /* a chain of n markers would otherwise hold n * n causes */

static uint32_t node_new(Engine *e)
{
    uint32_t node = e->free_node;
    if (node) {
        e->free_node = e->nodes[node].next;
        return node;
    }
    if (!engine_grow(e, &e->nodes, e->n_nodes, &e->node_room, sizeof *e->nodes)) return 0;
    return e->n_nodes++;
}

void engine_link(Engine *e, uint32_t id, uint32_t for_, uint32_t kind)
{
    Op *before = op_at(e, for_);
    uint32_t node;

    if (before->state == OP_DONE || (kind & EARLY && before->triggered)) return;
    if (kind & BEGUN && before->state == OP_RUNNING && !before->blocks) return;
    if (!(node = node_new(e))) return;
    e->nodes[node] = (Node){.op = id, .next = before->edges, .kind = kind};
    before->edges = node;
    op_at(e, id)->pending++;
}

void engine_link_start(Engine *e, uint32_t id, uint32_t for_)
{
    Op *before = op_at(e, for_);
    uint32_t node;

    if (before->state >= OP_RUNNING || !(node = node_new(e))) return;
    e->nodes[node] = (Node){.op = id, .next = before->edges, .kind = TRACE_BY_GRAPH | AT_START};
    before->edges = node;
    op_at(e, id)->pending++;
}

/* A copy over a link runs on the device that it comes from: in a stream of another one, that has to
 * tell it when to begin, and is told when it has ended. */
static bool is_fetched(const Engine *e, const Op *op)
{
    const Group *g = &e->groups[op->group];
    return op->kind == TRACE_P2P && g->link && g->device != e->streams[op->stream].device;
}
static uint64_t fetched_gap(const Engine *e, const Op *by, const Op *op)
{
    const Model *m = &e->model;
    int n = is_fetched(e, by) + is_fetched(e, op);
    return n == 2 ? m->gap_p2p_target_next : n == 1 ? m->gap_p2p_target : 0;
}

/* How long after the end of `by` the device needs to start `op`. */
static uint64_t gap_ns(const Engine *e, const Op *by, const Op *op, TraceCauseKind kind)
{
    enum { COPY, COMPUTE, HOST, MARKER };
    static const uint8_t sort[TRACE_OP_KINDS] = {
        [TRACE_H2D] = COPY,       [TRACE_D2H] = COPY,     [TRACE_H2H] = COPY,
        [TRACE_P2P] = COPY,       [TRACE_D2D] = COMPUTE,  [TRACE_MEMSET] = COMPUTE,
        [TRACE_KERNEL] = COMPUTE, [TRACE_HOSTFN] = HOST,  [TRACE_RECORD] = MARKER,
        [TRACE_WAIT] = MARKER,    [TRACE_ALLOC] = MARKER, [TRACE_FREE] = MARKER,
        [TRACE_GRAPH] = MARKER,
    };
    const Model *m = &e->model;
    uint8_t from = sort[by->kind], to = sort[op->kind];
    uint64_t gap;

    if (op->kind == TRACE_GRAPH && by->node && !op->node)
        return m->gap_graph_graph ? m->gap_graph_graph : m->gap_kernel_kernel;
    if (op->kind == TRACE_RECORD && is_fetched(e, by)) return m->gap_p2p_target;
    if (to == MARKER || from == MARKER) return 0;
    if (kind == TRACE_BY_TRIGGER) return m->gap_trigger;
    if (kind == TRACE_BY_GRAPH && from == COMPUTE && to == COMPUTE && m->gap_graph_node)
        return m->gap_graph_node;
    if (from == HOST) gap = to == HOST ? m->gap_host_fn_host_fn : m->gap_after_host_fn;
    else if (to == HOST) gap = m->gap_host_fn;
    else if (from == COPY && to == COPY)
        gap = by->group == op->group || by->kind == op->kind ? m->gap_copy_copy : m->gap_copy_turn;
    else if (from == COPY) gap = m->gap_copy_kernel;
    else gap = to == COPY ? m->gap_kernel_copy : m->gap_kernel_kernel;
    uint64_t least = fetched_gap(e, by, op);
    if (gap < least) gap = least;
    if (kind == TRACE_BY_STREAM || kind == TRACE_BY_GRAPH) return gap;
    if (gap < m->gap_event) gap = m->gap_event;
    if (gap < m->gap_event_peer && e->streams[by->stream].device != e->streams[op->stream].device)
        gap = m->gap_event_peer;
    return gap;
}

/* Nor for a graph itself: what had to end is its last node. */
static uint32_t last_work(const Engine *e, uint32_t id)
{
    while (op_at(e, id)->kind == TRACE_GRAPH && op_at(e, id)->last_node)
        id = op_at(e, id)->last_node;
    return id;
}

#define LIKE_KIND UINT64_MAX

/* gap: what lies between; LIKE_KIND: what is usual for such a wait. */
static void wait_over(Engine *e, Op *op, uint32_t node, TraceCauseKind kind, uint32_t by,
                      uint64_t until, uint64_t gap)
{
    uint64_t ready = until;

    if (until <= op->issued_ns || !node) { /* over before the host even asked */
        if (node) {
            e->nodes[node].next = e->free_node;
            e->free_node = node;
        }
        return;
    }
    e->nodes[node] = (Node){until, by, op->waits, kind, e->nodes[op->waits].n + 1};
    op->waits = node;
    if (kind != TRACE_BY_QUEUE && kind != TRACE_BY_LATENCY && by)
        ready += gap == LIKE_KIND ? gap_ns(e, op_at(e, by), op, kind) : gap;
    if (ready > op->ready_ns) {
        op->ready_ns = ready;
        op->ready_engine = false;
        op->ready_by = by;
    }
}

static void wait_ended(Engine *e, Op *op, uint32_t node, TraceCauseKind kind, uint32_t by,
                       uint64_t until)
{
    wait_over(e, op, node, kind, by, until, LIKE_KIND);
}

void engine_wait_ended(Engine *e, Op *op, TraceCauseKind kind, uint32_t by, uint64_t until)
{
    if (until > op->issued_ns) wait_ended(e, op, node_new(e), kind, by, until);
}

/* An event behind a copy that another device's stream asked for comes when that stream is told. */
static bool told_late(const Engine *e, const EngineCause *cause)
{
    return cause->kind == TRACE_BY_LATENCY && cause->by_op && is_fetched(e, op_at(e, cause->by_op));
}

/* Why a marker had to wait is why op had to: all of it for what follows in the stream; for others
 * only what decided, which they know as an event or the legacy stream. */
static void inherit(Engine *e, Op *op, TraceCauseKind kind, const Op *marker)
{
    uint32_t n = marker->n_causes, most = kind == TRACE_BY_STREAM ? MOST_INHERITED : 1;

    if (n && told_late(e, &e->causes[marker->causes + n - 1])) n--; /* op itself is, too */
    for (uint32_t i = n > most ? n - most : 0; i < n; i++) {
        EngineCause cause = e->causes[marker->causes + i];
        if (kind != TRACE_BY_STREAM && cause.kind != TRACE_BY_TRIGGER) cause.kind = kind;
        engine_wait_ended(e, op, cause.kind, cause.by_op, cause.until_ns);
    }
}

void engine_resolve_early(Engine *e, uint32_t id, uint32_t which)
{
    uint32_t *link = &op_at(e, id)->edges;

    while (*link) {
        uint32_t node = *link, waiting = e->nodes[node].op;
        if (!(e->nodes[node].kind & which)) {
            link = &e->nodes[node].next;
            continue;
        }
        *link = e->nodes[node].next;
        wait_ended(e, op_at(e, waiting), node, TRACE_BY_TRIGGER, id, e->now);
        if (--op_at(e, waiting)->pending == 0) engine_enqueue(e, waiting);
        link = &op_at(e, id)->edges; /* from the first again: the list may have changed */
    }
}

void engine_resolve(Engine *e, uint32_t id)
{
    Op *ended = op_at(e, id);
    uint32_t next;

    for (uint32_t node = ended->edges; node; node = next) {
        uint32_t waiting = e->nodes[node].op;
        bool early = e->nodes[node].kind & (EARLY | BEGUN);
        TraceCauseKind kind = (TraceCauseKind)(e->nodes[node].kind & ~(uint32_t)(EARLY | BEGUN));
        Op *op = op_at(e, waiting);

        next = e->nodes[node].next;
        if (is_marker(ended)) {
            wait_ended(e, op, node, kind, 0, 0); /* only gives the node back */
            inherit(e, op, kind, ended);
        } else {
            wait_over(e, op, node, kind, last_work(e, id), ended->end_ns,
                      early && op->kind == TRACE_KERNEL ? e->model.gap_trigger : LIKE_KIND);
        }
        if (--op->pending == 0) engine_enqueue(e, waiting);
    }
    ended->edges = 0;
}

/* Why the op could not start earlier is why its nodes could not. */
void engine_resolve_start(Engine *e, uint32_t id)
{
    uint32_t node = op_at(e, id)->edges, next, kept = 0;

    for (; node; node = next) {
        uint32_t waiting = e->nodes[node].op;
        Op *op = op_at(e, waiting);

        next = e->nodes[node].next;
        if (!(e->nodes[node].kind & AT_START)) {
            e->nodes[node].next = kept;
            kept = node;
            continue;
        }
        wait_ended(e, op, node, TRACE_BY_GRAPH, 0, 0);
        inherit(e, op, TRACE_BY_STREAM, op_at(e, id));
        if (--op->pending == 0) engine_enqueue(e, waiting);
    }
    op_at(e, id)->edges = kept;
}

void engine_decided(Engine *e, uint32_t id)
{
    Op *op = op_at(e, id);
    const Op *graph = op_at(e, op->graph);

    if (graph->state != OP_RUNNING) return;
    if (!graph->last_node) {
        inherit(e, op, TRACE_BY_STREAM, graph);
        return;
    }
    uint32_t by = last_work(e, op->graph);
    engine_wait_ended(e, op, TRACE_BY_GRAPH, by, op_at(e, by)->end_ns);
}

/* Appends a cause that ended last; one that only continues the cause before it takes its place. */
static uint32_t add(EngineCause *causes, uint32_t n, TraceCauseKind kind, uint32_t by,
                    uint64_t until)
{
    if (n && causes[n - 1].kind == kind && causes[n - 1].by_op == by) n--;
    causes[n] = (EngineCause){kind, by, until};
    return n + 1;
}

void engine_settle(Engine *e, uint32_t id, TraceCauseKind kind, uint32_t by, uint64_t until)
{
    Op *op = op_at(e, id);
    uint32_t n = e->nodes[op->waits].n, at, node, next;
    uint64_t latest = op->issued_ns;
    EngineCause *causes;

    /* host, ready, busy, gap behind busy: at most four more */
    if (!engine_region_grow(e, &e->cause_region,
                            ((size_t)e->n_causes + n + 4) * sizeof *e->causes)) {
        op->n_causes = 0;
        return;
    }
    e->causes = e->cause_region.at;
    causes = &e->causes[e->n_causes];
    /* The list is latest first, nearly always; the insertion makes it so. */
    for (node = op->waits, at = n; node; node = next) {
        Node *wait = &e->nodes[node];
        uint32_t to = --at;
        for (; to + 1 < n && causes[to + 1].until_ns < wait->until_ns; to++)
            causes[to] = causes[to + 1];
        causes[to] = (EngineCause){(TraceCauseKind)wait->kind, wait->op, wait->until_ns};
        next = wait->next;
        wait->next = e->free_node;
        e->free_node = node;
    }
    if (n) latest = causes[n - 1].until_ns;
    else if (!by && !op->ready_by) n = add(causes, n, TRACE_BY_HOST, 0, op->issued_ns);
    if (op->ready_ns > latest) {
        latest = op->ready_ns;
        n = add(causes, n, op->ready_engine ? TRACE_BY_ENGINE : TRACE_BY_LATENCY, op->ready_by,
                latest);
    }
    if (by && until > latest) n = add(causes, n, kind, by, latest = until);
    if (e->now > latest) n = add(causes, n, TRACE_BY_LATENCY, by, e->now);
    op->causes = e->n_causes;
    op->n_causes = n;
    e->n_causes += n;
}
