/* dispatch.c - engines: who may start, who runs, who ends.
 *
 * A group is a pool of work and the engines that serve it. Serial groups (copy engines, the driver
 * thread) serve one op per engine. The compute group lets kernels share the device: a kernel starts
 * when a grid slot is free and at least one block fits; as many blocks as fit go in together and
 * leave together (a batch), and freed room goes to the first in line, so a kernel's blocks are all
 * in before a later one of the same priority gets any. The free group has no engine: markers, and
 * copies from host to host.
 */
#include "sim/engine/engine_internal.h"
#include <string.h>

static bool push(Engine *e, Heap *heap, uint64_t key, uint32_t id, uint32_t count)
{
    if (heap_push(heap, key, id, count)) return true;
    e->failed = true;
    return false;
}

/* Whether its first is to happen by now. */
static bool due(const Engine *e, const Heap *heap)
{
    const HeapItem *first = heap_first(heap);
    return first && first->key <= e->now;
}

/* ---- when does something happen next ---- */

static Server *free_server(Group *g)
{
    Server *best = NULL;
    if (g->n_servers == 1) return g->servers[0].op ? NULL : &g->servers[0];
    for (uint32_t i = 0; i < g->n_servers; i++)
        if (!g->servers[i].op && (!best || g->servers[i].free_ns < best->free_ns))
            best = &g->servers[i];
    return best;
}

void engine_group_next(Engine *e, uint32_t group)
{
    Group *g = &e->groups[group];
    uint64_t next = ENGINE_NEVER;
    Server *server;

    if (g->type == GROUP_SERIAL) {
        const HeapItem *ready = heap_first(&g->ready), *future = heap_first(&g->future);
        for (uint32_t i = 0; i < g->n_servers; i++)
            if (g->servers[i].op && g->servers[i].end_ns < next) next = g->servers[i].end_ns;
        if ((future || ready || g->servers[0].follow) && (server = free_server(g))) {
            uint64_t start = ready || server->follow ? e->now : future->key;
            if (start < server->free_ns) start = server->free_ns;
            if (start < next) next = start;
        }
    } else {
        const HeapItem *future = heap_first(&g->future), *end = heap_first(&g->ends);
        if (g->changed) next = e->now;
        if (future && future->key < next) next = future->key;
        if (end && end->key < next) next = end->key;
    }
    e->group_next[group] = next;
    if (next < e->next_ns) e->next_ns = next;
}

/* ---- becoming ready ---- */

/* What is more urgent first; then what was ready first, or, with a seed, anyone. */
static uint64_t rank(const Engine *e, const Group *g, uint32_t id)
{
    const Op *op = op_at(e, id);
    uint64_t order =
        e->seed && !g->by_issue ? chance(e->seed, CHANCE_RANK, id) >> 16 : op->ready_ns;
    uint64_t most = ((uint64_t)1 << 48) - 1;
    int priority = op->kind == TRACE_KERNEL ? op->priority : 0;

    if (order > most) order = most;
    return g->type == GROUP_COMPUTE ? (uint64_t)(priority + 0x4000) << 48 | order : order;
}

void engine_pass_on(Engine *e, Group *g)
{
    while (g->fifo_n) {
        uint32_t id = g->fifo[g->fifo_head];
        Op *op = op_at(e, id);
        if (op->state != OP_READY) return;
        if (op->ready_ns < g->fed_ns) { /* it had to let an earlier one go first */
            engine_wait_ended(e, op, op->ready_engine ? TRACE_BY_ENGINE : TRACE_BY_LATENCY,
                              op->ready_by, op->ready_ns);
            op->ready_ns = g->fed_ns;
            op->ready_by = g->fed;
            op->ready_engine = true;
        }
        g->fed_ns = op->ready_ns;
        g->fed = id;
        g->fifo_head = (g->fifo_head + 1) % g->fifo_room;
        g->fifo_n--;
        push(e, &g->future, op->ready_ns, id, 0);
    }
}

/* An explored schedule: how much later than it could the device comes to it. */
static uint64_t start_up_ns(const Engine *e, const Op *op, uint32_t id)
{
    enum { QUICK = 50000 };
    uint64_t most = e->model.stage_ns ? e->model.stage_ns : QUICK;
    if (e->model.exact && !op->open && op->work_ns > most) most = op->work_ns;
    return chance_delay(e->seed, CHANCE_LATENCY, id, most);
}

/* Whether an engine that stays with a stream takes this op before all others: the next of the
 * stream whose copy it has just done, and ready as soon as the engine is. */
static bool follows(const Engine *e, const Group *g, const Op *op)
{
    const Server *server = &g->servers[0];
    return g->by_stream && g->n_servers == 1 && !server->op && !server->follow && server->last &&
           op->stream == op_at(e, server->last)->stream && op->ready_ns <= server->free_ns;
}

void engine_enqueue(Engine *e, uint32_t id)
{
    Op *op = op_at(e, id);
    Group *g = &e->groups[op->group];

    op->state = OP_READY;
    op->in_flight = 0;
    if (op->ready_ns < e->now) op->ready_ns = e->now;
    if (__builtin_expect(e->seed != 0, 0) && op->kind < TRACE_RECORD)
        op->ready_ns += start_up_ns(e, op, id);
    if (g->by_issue) {
        if (op->node)
            engine_join_fifo(e, g, id); /* a node's turn to be issued is when it is ready */
        engine_pass_on(e, g);
    } else if (follows(e, g, op)) g->servers[0].follow = id;
    else if (g->ranked && op->ready_ns == e->now) push(e, &g->ready, rank(e, g, id), id, 0);
    else push(e, &g->future, op->ready_ns, id, 0);
    /* It is in the driver's hands now: what comes behind it in the hardware queue may go on. */
    if (op->kind == TRACE_HOSTFN) engine_dispatched(e, id);
    if (g->type == GROUP_COMPUTE && op->ready_ns == e->now) g->changed = true;
    if (e->in_round && op->ready_ns == e->now) {
        e->woken = true;
        e->group_next[op->group] = e->now; /* the round looks at it again */
    } else {
        engine_group_next(e, op->group);
    }
}

void engine_dispatched(Engine *e, uint32_t id)
{
    Op *op = op_at(e, id);
    uint32_t behind = op->node ? 0 : op->queue_next;

    op->dispatched = true;
    if (!op->node) op->queue_next = 0;
    if (!behind) return;
    engine_wait_ended(e, op_at(e, behind), TRACE_BY_QUEUE, id, e->now);
    if (--op_at(e, behind)->pending == 0) engine_enqueue(e, behind);
}

/* The next of a serial or compute group that is ready now, or 0; it stays where it is. */
static uint32_t first_ready(Engine *e, Group *g)
{
    const HeapItem *first;

    if (!g->ranked) return due(e, &g->future) ? heap_first(&g->future)->op : 0;
    while (due(e, &g->future)) {
        uint32_t id = heap_pop(&g->future).op;
        push(e, &g->ready, rank(e, g, id), id, 0);
    }
    return (first = heap_first(&g->ready)) ? first->op : 0;
}

/* ---- starting ---- */

static void in_this_moment(Engine *e, uint32_t id)
{
    if (engine_grow(e, &e->moment, e->n_moment, &e->moment_room, sizeof *e->moment))
        e->moment[e->n_moment++] = id;
}

static void started(Engine *e, uint32_t id)
{
    Op *op = op_at(e, id);
    op->state = OP_RUNNING;
    op->start_ns = e->now;
    in_this_moment(e, id);
    if (!op->dispatched) {
        op->dispatched = true;
        if (!op->node && op->queue_next) engine_dispatched(e, id);
    }
}

/* A copy's direction where copies of both directions slow each other down, else -1. */
static int direction(const Op *op)
{
    return op->kind == TRACE_H2D ? 0 : op->kind == TRACE_D2H ? 1 : -1;
}

static void set_rate(Server *server, uint64_t now, uint64_t rate)
{
    unsigned __int128 done = (unsigned __int128)(now - server->since_ns) * server->rate;
    server->left = server->left > done ? server->left - done : 0;
    server->since_ns = now;
    server->rate = rate;
    server->end_ns = now + (uint64_t)((server->left + rate - 1) / rate);
}

/* A copy of the other direction runs beside this one (of direction own). */
static void slow_down(const Engine *e, const Group *g, Server *server, int own)
{
    if (!server->beside)
        server->left += (unsigned __int128)FULL_RATE *
                        (own ? e->model.duplex_fixed_d2h : e->model.duplex_fixed_h2d);
    server->beside = true;
    set_rate(server, e->now, e->devices[g->device].slow_rate[own]);
}

/* A copy has started (+1) or ended (-1): those in the other direction slow down or recover. */
static void copies_changed(Engine *e, const Group *g, const Op *op, int change)
{
    Device *device = &e->devices[g->device];
    int own = direction(op), other = !own;

    if (own < 0) return;
    device->copying[own] += (uint32_t)change;
    if (device->copying[own] != (change > 0)) return;
    for (uint32_t i = 0; i < e->n_groups; i++) {
        Group *group = &e->groups[i];
        if (group->type != GROUP_SERIAL || group->device != g->device) continue;
        for (uint32_t k = 0; k < group->n_servers; k++) {
            Server *server = &group->servers[k];
            if (!server->op || !server->rate || direction(op_at(e, server->op)) != other) continue;
            if (change > 0) slow_down(e, group, server, other);
            else set_rate(server, e->now, FULL_RATE);
        }
        if (group != g) engine_group_next(e, i);
    }
}

static bool is_staged(const Group *g, const Op *op) { return op->kind == TRACE_P2P && !g->link; }

/* A copy between devices that goes through the host has started (+1) or ended (-1): the host's
 * memory is one for all of them. */
static void staged_changed(Engine *e, int change)
{
    e->staged += (uint32_t)change;
    if (e->staged_rate == FULL_RATE || e->staged != (change > 0 ? 2 : 1)) return;
    for (uint32_t i = 0; i < e->n_groups; i++) {
        Group *g = &e->groups[i];
        for (uint32_t k = 0; g->type == GROUP_SERIAL && k < g->n_servers; k++) {
            Server *server = &g->servers[k];
            if (server->op && server->rate && is_staged(g, op_at(e, server->op)))
                set_rate(server, e->now, change > 0 ? e->staged_rate : FULL_RATE);
        }
        engine_group_next(e, i);
    }
}

static uint64_t link_rate(const Engine *e, const Group *g)
{
    uint32_t out = e->devices[g->device].sending, in = e->devices[g->link_to].receiving;
    return FULL_RATE / (out > in ? out : in);
}

static bool shares_port(const Engine *e, const Group *g)
{
    return g->link && e->model.p2p_ports && e->model.devices > 2;
}

/* A copy over a link has started (+1) or ended (-1): others that leave from the same device, or
 * arrive at the same one, have less or more of its port. */
static void links_changed(Engine *e, const Group *g, int change)
{
    e->devices[g->device].sending += (uint32_t)change;
    e->devices[g->link_to].receiving += (uint32_t)change;
    for (uint32_t i = 0; i < e->n_groups; i++) {
        Group *other = &e->groups[i];
        Server *server = &other->servers[0];
        if (!other->link || (other->device != g->device && other->link_to != g->link_to)) continue;
        if (server->op && server->rate) set_rate(server, e->now, link_rate(e, other));
        if (other != g) engine_group_next(e, i);
    }
}

/* What an engine needs between its latest copy and this one where that is more than gap_copy_copy:
 * while a copy of the other direction runs, and to turn to another stream. */
static uint64_t longer_gap(const Engine *e, const Group *g, const Server *server, uint32_t id)
{
    const Model *m = &e->model;
    const Op *op = op_at(e, id);
    int own = direction(op);
    uint64_t gap = m->gap_copy_copy;

    if (op->kind == TRACE_HOSTFN) return 0;
    if (own >= 0 && e->devices[g->device].copying[!own]) {
        uint64_t beside = own ? m->gap_copy_beside_d2h : m->gap_copy_beside_h2d;
        if (gap < beside) gap = beside;
    }
    if (op->stream != op_at(e, server->last)->stream && m->gap_copy_stream > m->gap_copy_copy)
        gap += m->gap_copy_stream - m->gap_copy_copy;
    return gap;
}

static bool start_serial(Engine *e, Group *g)
{
    Server *server = free_server(g);
    uint32_t id;
    Op *op;

    if (!server || server->free_ns > e->now) return false;
    if (!(id = server->follow ? server->follow : first_ready(e, g))) return false;
    if (server->last && server->last_end_ns + longer_gap(e, g, server, id) > e->now) {
        server->free_ns = server->last_end_ns + longer_gap(e, g, server, id);
        return false;
    }
    if (server->follow) server->follow = 0;
    else heap_pop(g->ranked ? &g->ready : &g->future);
    op = op_at(e, id);
    engine_settle(e, id, op->kind == TRACE_HOSTFN ? TRACE_BY_DRIVER : TRACE_BY_ENGINE,
                  e->now > op->ready_ns ? server->last : 0, server->last_end_ns);
    server->op = id;
    server->end_ns = ENGINE_NEVER;
    started(e, id);
    op->engine = (uint16_t)server->engine;
    server->rate = 0;
    if (!op->open) {
        int own = direction(op);
        server->end_ns = e->now + op->work_ns;
        if (g->duplex && own >= 0) {
            server->left = (unsigned __int128)op->work_ns * FULL_RATE;
            server->since_ns = e->now;
            server->rate = FULL_RATE;
            server->beside = false;
            if (e->devices[g->device].copying[!own]) slow_down(e, g, server, own);
        }
    }
    if (g->duplex) copies_changed(e, g, op, 1);
    if (is_staged(g, op)) {
        server->left = (unsigned __int128)op->work_ns * FULL_RATE;
        server->since_ns = e->now;
        server->rate = e->staged && e->staged_rate < FULL_RATE ? e->staged_rate : FULL_RATE;
        set_rate(server, e->now, server->rate);
        staged_changed(e, 1);
    }
    if (shares_port(e, g)) {
        server->left = (unsigned __int128)op->work_ns * FULL_RATE;
        server->since_ns = e->now;
        server->rate = FULL_RATE;
        links_changed(e, g, 1);
    }
    return true;
}

/* What a block takes, or, where they start in groups, a group. */
static uint64_t block_room(const Engine *e, uint32_t id)
{
    const Op *op = op_at(e, id);
    if (__builtin_expect(op->grouped, 0)) {
        uint32_t low = 0, high = e->n_grouped;
        while (high - low > 1) {
            uint32_t middle = low + (high - low) / 2;
            if (e->grouped[middle].op <= id) low = middle;
            else high = middle;
        }
        return e->grouped[low].room;
    }
    return op->blocks_per_sm ? ROOM_PER_SM / op->blocks_per_sm : 0;
}

void engine_add_batch(Engine *e, Group *g, uint32_t id, uint64_t end_ns, uint32_t count)
{
    push(e, &g->ends, end_ns, id, count);
}

/* The last of its blocks began at began_ns: its trigger comes. In the heap of ends it is a batch of
 * no blocks. */
void engine_add_trigger(Engine *e, Group *g, uint32_t id, uint64_t began_ns)
{
    for (uint32_t i = 0; i < e->n_triggers; i++) {
        Trigger *trigger = &e->triggers[i];
        if (trigger->op != id || trigger->at_ns != ENGINE_NEVER) continue;
        trigger->at_ns = began_ns + trigger->block_ns;
        if (trigger->at_ns < e->now) trigger->at_ns = e->now;
        engine_add_batch(e, g, id, trigger->at_ns, 0);
    }
}

/* All grid slots are taken and the first in line has none: those that have one and blocks left go
 * on all the same, or no slot would ever be free. Puts the next of them first in line by setting
 * aside who stands before it; false when there is none. */
static bool resident_first(Engine *e, Group *g)
{
    while (heap_first(&g->ready) && op_at(e, heap_first(&g->ready)->op)->state == OP_READY) {
        if (!engine_grow(e, &e->aside, e->n_aside, &e->aside_room, sizeof *e->aside)) return false;
        e->aside[e->n_aside++] = heap_pop(&g->ready);
    }
    return heap_first(&g->ready) != NULL;
}

static void start_blocks(Engine *e, Group *g)
{
    uint32_t id;

    while (!e->failed && (id = first_ready(e, g))) {
        Op *op = op_at(e, id);
        uint64_t share = block_room(e, id), fit = share ? g->room / share : 1;
        HeapItem item;
        uint32_t count;

        if (op->state == OP_DONE || (op->state == OP_RUNNING && !op->blocks)) {
            heap_pop(&g->ready); /* engine_finish ended it with blocks left */
            continue;
        }
        if (op->state == OP_READY && !g->grids) {
            g->blocked = TRACE_BY_GRIDS;
            if (!resident_first(e, g)) break;
            continue;
        }
        if (!fit || (op->state == OP_RUNNING && op->open)) { /* open: nobody knows yet how long its
                                                                blocks take */
            if (op->state == OP_RUNNING) g->room_by = id;
            if (!e->n_aside) g->blocked = TRACE_BY_ROOM;
            break;
        }
        item = heap_pop(&g->ready);
        count = fit < op->blocks ? (uint32_t)fit : op->blocks;
        g->room -= share * count;
        op->blocks -= count;
        if (op->state == OP_READY) {
            uint32_t by = g->blocked == TRACE_BY_GRIDS ? g->grid_by : g->room_by;
            engine_settle(e, id, (TraceCauseKind)g->blocked, e->now > op->ready_ns ? by : 0,
                          e->now);
            g->grids--;
            op->engine = (uint16_t)g->servers[0].engine;
            started(e, id);
        }
        op->in_flight += count;
        if (!op->open) engine_add_batch(e, g, id, e->now + op->work_ns, count);
        if (op->blocks) push(e, &g->ready, item.key, id, 0);
        else if (op->triggers) engine_add_trigger(e, g, id, e->now);
        if (!op->blocks && op->edges) engine_resolve_early(e, id, BEGUN);
    }
}

static void start_compute(Engine *e, Group *g)
{
    g->changed = false;
    start_blocks(e, g);
    while (e->n_aside) {
        HeapItem item = e->aside[--e->n_aside];
        push(e, &g->ready, item.key, item.op, 0);
    }
}

static void start_free(Engine *e, Group *g)
{
    while (due(e, &g->future)) {
        uint32_t id = heap_pop(&g->future).op;
        Op *op = op_at(e, id);
        engine_settle(e, id, TRACE_BY_ENGINE, 0, 0);
        started(e, id);
        if (op->kind == TRACE_GRAPH) {
            engine_resolve_start(e, id);
            op = op_at(e, id);
            if (op->blocks == 0) push(e, &g->ends, e->now + op->work_ns, id, 0);
        } else if (!op->open) {
            push(e, &g->ends, e->now + op->work_ns, id, 0);
        }
    }
}

void engine_node_ended(Engine *e, uint32_t graph, uint32_t node)
{
    Op *op = op_at(e, graph);
    if (node) op->last_node = node;
    if (--op->blocks || op->state != OP_RUNNING) return;
    push(e, &e->groups[FREE_GROUP].ends, e->now + op->work_ns, graph, 0);
    engine_group_next(e, FREE_GROUP);
}

/* ---- ending ---- */

static void collect_ends(Engine *e, Group *g)
{
    if (g->type == GROUP_SERIAL) {
        for (uint32_t i = 0; i < g->n_servers; i++) {
            Server *server = &g->servers[i];
            Op *op;
            if (!server->op || server->end_ns > e->now) continue;
            op = op_at(e, server->op);
            in_this_moment(e, server->op);
            server->last = server->op;
            server->last_end_ns = e->now;
            server->free_ns = e->now + (op->kind == TRACE_HOSTFN ? 0 : e->model.gap_copy_copy);
            server->op = 0;
            if (g->duplex) copies_changed(e, g, op, -1);
            if (is_staged(g, op)) staged_changed(e, -1);
            if (shares_port(e, g)) links_changed(e, g, -1);
        }
        return;
    }
    while (due(e, &g->ends)) {
        HeapItem item = heap_pop(&g->ends);
        Op *op = op_at(e, item.op);
        if (g->type == GROUP_FREE) {
            in_this_moment(e, item.op);
            continue;
        }
        if (!item.count) {
            op->triggered = true;
            if (op->state == OP_RUNNING && op->edges) engine_resolve_early(e, item.op, EARLY);
            continue;
        }
        g->changed = true;
        g->room += block_room(e, item.op) * item.count;
        g->room_by = item.op;
        op->in_flight -= item.count;
        if (op->in_flight || op->blocks) continue;
        g->grids++;
        g->grid_by = item.op;
        in_this_moment(e, item.op);
    }
}

/* In order of submission. */
static void sort(uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint32_t id = ids[i], at = i;
        for (; at > 0 && ids[at - 1] > id; at--) ids[at] = ids[at - 1];
        ids[at] = id;
    }
}

void engine_round(Engine *e, uint64_t ns)
{
    e->now = ns;
    e->n_told = e->n_moment = 0;
    e->in_round = true;
    for (uint32_t i = 0; i < e->n_groups; i++)
        if (e->group_next[i] <= ns) collect_ends(e, &e->groups[i]);
    e->n_ended = e->n_moment;
    sort(e->moment, e->n_ended);
    for (uint32_t i = 0; i < e->n_ended; i++) {
        Op *op = op_at(e, e->moment[i]);
        op->state = OP_DONE;
        op->end_ns = ns;
        if (op->edges) engine_resolve(e, e->moment[i]);
        op = op_at(e, e->moment[i]);
        if (op->node) engine_node_ended(e, op->graph, e->moment[i]);
    }
    do {
        e->woken = false;
        e->next_ns = ENGINE_NEVER;
        for (uint32_t i = 0; i < e->n_groups; i++) {
            Group *g = &e->groups[i];
            if (e->group_next[i] > ns) {
                if (e->group_next[i] < e->next_ns) e->next_ns = e->group_next[i];
                continue;
            }
            if (g->type == GROUP_COMPUTE) start_compute(e, g);
            else if (g->type == GROUP_FREE) start_free(e, g);
            else
                while (start_serial(e, g)) {}
            engine_group_next(e, i);
        }
    } while (e->woken && !e->failed);
    e->in_round = false;
    sort(e->moment + e->n_ended, e->n_moment - e->n_ended);
}
