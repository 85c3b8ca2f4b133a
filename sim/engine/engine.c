/* engine.c - the engine's interface: making one, streams, submission, steps, questions. */
#include "sim/engine/engine_internal.h"
#include <string.h>
#include <sys/mman.h>

bool engine_grow_more(Engine *e, void *array, uint32_t *room, size_t size)
{
    void *old, *new;
    uint32_t more = *room ? *room * 2 : 64;

    memcpy(&old, array, sizeof old);
    new = more > *room ? realloc(old, more * size) : NULL;
    if (!new) {
        e->failed = true;
        return false;
    }
    memcpy(array, &new, sizeof new);
    *room = more;
    return true;
}

bool engine_region_more(Engine *e, Region *region, size_t bytes)
{
    size_t whole = region->bytes ? region->bytes : 1 << 16;
    void *at;

    while (whole < bytes) whole *= 2;
    at = region->at ? mremap(region->at, region->bytes, whole, MREMAP_MAYMOVE)
                    : mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        e->failed = true;
        return false;
    }
    if (whole >= (size_t)4 << 20) madvise(at, whole, MADV_HUGEPAGE); /* only a hint */
    *region = (Region){at, whole};
    return true;
}

static int clamp(int64_t value, int least, int most)
{
    return value < least ? least : value > most ? most : (int)value;
}

/* ---- making one ---- */

static Group *add_group(Engine *e, GroupType type, int device)
{
    Group *g = &e->groups[e->n_groups++];
    g->type = type;
    g->device = (uint16_t)device;
    e->group_next[e->n_groups - 1] = ENGINE_NEVER;
    g->ranked = type == GROUP_COMPUTE || (e->seed && type == GROUP_SERIAL);
    return g;
}

static void add_device(Engine *e, int number)
{
    Device *device = &e->devices[number];
    const Model *m = &e->model;
    int of_class[TRACE_ENGINE_CLASSES];

    device->slow_rate[0] = (uint64_t)(m->duplex_factor * FULL_RATE + 0.5);
    device->slow_rate[1] = (uint64_t)(m->duplex_factor_d2h * FULL_RATE + 0.5);
    for (int i = 0; i < 2; i++)
        if (device->slow_rate[i] < 1 || device->slow_rate[i] > FULL_RATE)
            device->slow_rate[i] = FULL_RATE;
    for (int i = 0; i < TRACE_ENGINE_CLASSES; i++) of_class[i] = -1;
    for (int i = 0; i < m->n_engines; i++) {
        TraceEngineClass class_ = m->engines[i].class_;
        Group *g;
        if (of_class[class_] < 0) {
            of_class[class_] = (int)e->n_groups;
            g = add_group(e, class_ == TRACE_ENGINE_COMPUTE ? GROUP_COMPUTE : GROUP_SERIAL, number);
            g->by_issue = m->engines[i].order == MODEL_BY_ISSUE;
            g->by_stream =
                m->engines[i].order == MODEL_BY_STREAM && g->type == GROUP_SERIAL && !e->seed;
            if (g->by_issue && g->type == GROUP_SERIAL) g->ranked = false;
            g->room = g->room_total = ROOM_PER_SM * (uint64_t)m->sm_count;
            g->grids = m->resident_grids;
            g->duplex = device->slow_rate[0] != FULL_RATE || device->slow_rate[1] != FULL_RATE ||
                        m->gap_copy_beside_h2d || m->gap_copy_beside_d2h || m->duplex_fixed_h2d ||
                        m->duplex_fixed_d2h;
        }
        g = &e->groups[of_class[class_]];
        g->servers[g->n_servers++].engine = ++e->n_engines;
    }
    for (int kind = 0; kind < TRACE_OP_KINDS; kind++) {
        static const TraceEngineClass runs[] = {
            [TRACE_H2D] = TRACE_ENGINE_H2D,        [TRACE_D2H] = TRACE_ENGINE_D2H,
            [TRACE_D2D] = TRACE_ENGINE_COMPUTE,    [TRACE_H2H] = TRACE_ENGINE_HOST,
            [TRACE_P2P] = TRACE_ENGINE_D2H,        [TRACE_MEMSET] = TRACE_ENGINE_COMPUTE,
            [TRACE_KERNEL] = TRACE_ENGINE_COMPUTE,
        };
        int group = kind <= TRACE_KERNEL ? of_class[runs[kind]] : -1;
        if (group < 0 && (kind == TRACE_H2D || kind == TRACE_D2H || kind == TRACE_P2P))
            group = of_class[TRACE_ENGINE_COPY];
        device->group[kind] = (uint8_t)(group >= 0             ? group
                                        : kind == TRACE_HOSTFN ? DRIVER_GROUP
                                                               : FREE_GROUP);
    }
}

/* One path for each direction of each pair: what an NVLink was seen to be. (Through a switch, what
 * one device sends, and what it receives, shares the device's own port: p2p_ports.) */
static void add_links(Engine *e, int from)
{
    for (int to = 0; to < e->model.devices; to++) {
        if (to == from) continue;
        Group *g = add_group(e, GROUP_SERIAL, from);
        g->link = true;
        g->link_to = (uint8_t)to;
        g->servers[g->n_servers++].engine = ++e->n_engines;
        e->devices[from].link[to] = (uint16_t)(e->n_groups - 1);
    }
}

Engine *engine_new(const Model *model, const EngineConfig *config)
{
    Engine *e = calloc(1, sizeof *e);

    if (!e) return NULL;
    e->model = *model;
    e->seed = config->seed;
    e->queues =
        clamp(config->hardware_queues > 0 ? config->hardware_queues : model->hardware_queues, 1,
              QUEUES);
    e->model.devices = clamp(model->devices, 1, DEVICES_MOST);
    size_t groups = 2 + (size_t)e->model.devices * (MODEL_ENGINES + (size_t)e->model.devices - 1);
    e->groups = calloc(groups, sizeof *e->groups);
    e->group_next = calloc(groups, sizeof *e->group_next);
    if (!e->groups || !e->group_next ||
        !engine_grow(e, &e->nodes, 0, &e->node_room, sizeof *e->nodes) ||
        !engine_grow(e, &e->streams, 0, &e->stream_room, sizeof *e->streams)) {
        engine_free(e);
        return NULL;
    }
    e->next_ns = ENGINE_NEVER;
    e->n_nodes = 1; /* ids from 1: 0 is none */
    e->nodes[0] = (Node){0};
    add_group(e, GROUP_FREE, DEVICES_MOST);   /* FREE_GROUP */
    add_group(e, GROUP_SERIAL, DEVICES_MOST); /* DRIVER_GROUP */
    e->staged_rate = (uint64_t)(model->p2p_staged_factor * FULL_RATE + 0.5);
    if (e->staged_rate < 1 || e->staged_rate > FULL_RATE) e->staged_rate = FULL_RATE;
    for (int i = 0; i < e->model.devices; i++) add_device(e, i);
    for (int i = 0; i < e->model.devices; i++) add_links(e, i);
    e->groups[DRIVER_GROUP].servers[0].engine = ++e->n_engines;
    e->groups[DRIVER_GROUP].n_servers = 1;
    return e;
}

void engine_free(Engine *e)
{
    if (!e) return;
    for (uint32_t i = 0; i < e->n_groups; i++) {
        heap_free(&e->groups[i].future);
        heap_free(&e->groups[i].ready);
        heap_free(&e->groups[i].ends);
        free(e->groups[i].fifo);
    }
    for (int i = 0; i < DEVICES_MOST; i++) free(e->devices[i].since);
    for (uint32_t i = 0; i < e->n_sets; i++) free(e->sets[i].ops);
    for (uint32_t i = 1; i <= e->n_streams; i++) free(e->streams[i].early);
    if (e->op_region.at) munmap(e->op_region.at, e->op_region.bytes);
    if (e->cause_region.at) munmap(e->cause_region.at, e->cause_region.bytes);
    free(e->streams);
    free(e->groups);
    free(e->group_next);
    free(e->nodes);
    free(e->sets);
    free(e->triggers);
    free(e->grouped);
    free(e->moment);
    free(e->aside);
    free(e);
}

uint32_t engine_count(const Engine *e) { return e->n_engines; }

TraceEngine engine_describe(const Engine *e, uint32_t engine)
{
    uint32_t per_device = (uint32_t)e->model.n_engines, devices = (uint32_t)e->model.devices;
    uint32_t index = engine - 1, link = index - per_device * devices;

    if (engine == 0 || engine >= e->n_engines)
        return (TraceEngine){.class_ = TRACE_ENGINE_HOST, .name = "Host functions"};
    if (index >= per_device * devices) {
        uint32_t from = link / (devices - 1), to = link % (devices - 1);
        return (TraceEngine){.device = from + 1,
                             .class_ = TRACE_ENGINE_LINK,
                             .name = "Link",
                             .to = (to < from ? to : to + 1) + 1};
    }
    const ModelEngine *it = &e->model.engines[index % per_device];
    return (TraceEngine){.device = index / per_device + 1, .class_ = it->class_, .name = it->name};
}

/* ---- streams ---- */

EngineStream engine_stream_new(Engine *e, int device, TraceStreamFlavour flavour, int priority)
{
    Device *d;
    Stream *stream;

    if (device < 0 || device >= e->model.devices) return 0;
    if (!engine_grow(e, &e->streams, e->n_streams + 1, &e->stream_room, sizeof *e->streams))
        return 0;
    d = &e->devices[device];
    priority = clamp(priority, e->model.priority_high, e->model.priority_low);
    stream = &e->streams[++e->n_streams];
    *stream = (Stream){.priority = priority,
                       .device = (uint16_t)device,
                       .flavour = (uint8_t)flavour,
                       .queue = (uint8_t)(d->n_streams++ % (uint32_t)e->queues)};
    if (flavour == TRACE_STREAM_LEGACY) d->legacy_stream = e->n_streams;
    return e->n_streams;
}

void engine_stream_release(Engine *e, EngineStream stream)
{
    if (stream && stream <= e->n_streams) e->streams[stream].released = true;
}

static bool done(const Engine *e, uint32_t op) { return op == 0 || op_at(e, op)->told_end; }

static const OpSet *set_at(const Engine *e, EngineOp id)
{
    return id >= ENGINE_SET && id - ENGINE_SET < e->n_sets ? &e->sets[id - ENGINE_SET] : NULL;
}

/* Forgets those of the ops before a stream's last that have ended. */
static void trim_early(const Engine *e, Stream *stream)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < stream->n_early; i++)
        if (!done(e, stream->early[i])) stream->early[kept++] = stream->early[i];
    stream->n_early = kept;
}

/* Forgets the blocking streams of a device that have nothing left to do. */
static void trim_since(Engine *e, Device *device)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < device->n_since; i++) {
        Stream *stream = &e->streams[device->since[i]];
        trim_early(e, stream);
        if (done(e, stream->last) && !stream->n_early) stream->listed = false;
        else device->since[kept++] = device->since[i];
    }
    device->n_since = kept;
}

/* A handle that stands for several ops: what a stream's tail is when its last op did not wait for
 * those before it, and a legacy stream's when many blocking streams have work. Takes ops over. */
static EngineOp new_set(Engine *e, uint32_t *ops, uint32_t n)
{
    if (!ops || !engine_grow(e, &e->sets, e->n_sets, &e->set_room, sizeof *e->sets)) {
        free(ops);
        e->failed = true;
        return 0;
    }
    e->sets[e->n_sets] = (OpSet){ops, n};
    return ENGINE_SET + e->n_sets++;
}

/* Its last op, and those before it that may not have ended when that has. Returns how many. */
static uint32_t last_ones(const Engine *e, const Stream *stream, uint32_t *ops)
{
    uint32_t n = 0;
    if (ops) memcpy(ops, stream->early, stream->n_early * sizeof *ops);
    n += stream->n_early;
    if (done(e, stream->last)) return n;
    if (ops) ops[n] = stream->last;
    return n + 1;
}

static EngineOp own_tail(Engine *e, Stream *stream)
{
    if (stream->n_early) trim_early(e, stream);
    if (!stream->n_early) return stream->last;
    if (!stream->set || stream->set_at != e->n_ops) {
        uint32_t *ops = malloc((stream->n_early + 1) * sizeof *ops);
        stream->set = new_set(e, ops, ops ? last_ones(e, stream, ops) : 0);
        stream->set_at = e->n_ops;
    }
    return stream->set;
}

/* Of the legacy stream and all blocking streams of its device that have work. */
static EngineOp whole_tail(Engine *e, Device *device, const Stream *legacy)
{
    uint32_t n = last_ones(e, legacy, NULL), *ops;

    for (uint32_t i = 0; i < device->n_since; i++)
        n += last_ones(e, &e->streams[device->since[i]], NULL);
    if ((ops = malloc((n ? n : 1) * sizeof *ops))) {
        n = last_ones(e, legacy, ops);
        for (uint32_t i = 0; i < device->n_since; i++)
            n += last_ones(e, &e->streams[device->since[i]], ops + n);
    }
    device->set = new_set(e, ops, n);
    device->set_at = e->n_ops;
    return device->set;
}

EngineOp engine_stream_tail(const Engine *e_, EngineStream id)
{
    Engine *e = (Engine *)e_; /* what it remembers about sets is not part of the schedule */
    Device *device;
    Stream *stream;

    if (id == 0 || id > e->n_streams) return 0;
    stream = &e->streams[id];
    if (stream->flavour != TRACE_STREAM_LEGACY) return own_tail(e, stream);
    device = &e->devices[stream->device];
    trim_since(e, device);
    trim_early(e, stream);
    if (device->n_since == 0) return own_tail(e, stream);
    if (device->n_since == 1 && !stream->n_early && done(e, stream->last))
        return own_tail(e, &e->streams[device->since[0]]);
    if (device->set && device->set_at == e->n_ops) return device->set;
    return whole_tail(e, device, stream);
}

EngineOp engine_primary(const Engine *e, EngineStream id)
{
    return id && id <= e->n_streams ? e->streams[id].primary : 0;
}

uint32_t engine_stream_early(const Engine *e, EngineStream id, EngineOp *to, uint32_t room)
{
    const Stream *stream = &e->streams[id];
    uint32_t n = 0;
    for (; n < stream->n_early && n < room; n++) to[n] = stream->early[n];
    return n;
}

bool engine_stream_idle(const Engine *e, EngineStream stream)
{
    return engine_op_ended(e, engine_stream_tail(e, stream));
}

bool engine_device_idle(const Engine *e, int device)
{
    return device < 0 || device >= e->model.devices || e->devices[device].unfinished == 0;
}

bool engine_idle(const Engine *e)
{
    for (int i = 0; i < e->model.devices; i++)
        if (e->devices[i].unfinished) return false;
    return true;
}

/* ---- submission ---- */

static uint32_t new_op(Engine *e)
{
    uint32_t id = e->n_ops + 1;

    if (e->failed || id >= ENGINE_SET) return 0;
    if (!engine_region_grow(e, &e->op_region, ((size_t)id + 1) * sizeof *e->ops)) return 0;
    e->ops = e->op_region.at;
    return e->n_ops = id;
}

/* It waits for all that is in the stream. */
static void link_stream(Engine *e, uint32_t id, const Stream *stream, TraceCauseKind kind)
{
    if (stream->last) engine_link(e, id, stream->last, kind);
    for (uint32_t i = 0; i < stream->n_early; i++) engine_link(e, id, stream->early[i], kind);
}

/* Of a kernel that need not wait for the one before it: false when there is none. */
static bool link_trigger(Engine *e, uint32_t id, Stream *stream)
{
    if (!engine_primary(e, op_at(e, id)->stream)) return false;
    trim_early(e, stream);
    if (!engine_grow(e, &stream->early, stream->n_early, &stream->early_room,
                     sizeof *stream->early))
        return false;
    stream->early[stream->n_early++] = stream->last;
    engine_link(e, id, stream->primary, TRACE_BY_STREAM | EARLY);
    return true;
}

/* The legacy stream is a barrier, both ways, for all blocking streams of its device. Only streams
 * with ops since the last legacy op need a link, and only a stream's first op after one; stream
 * order does the rest. */
static void link_legacy(Engine *e, uint32_t id, Stream *stream, uint32_t stream_id)
{
    Device *device = &e->devices[stream->device];

    if (stream->flavour == TRACE_STREAM_NONBLOCKING) return;
    if (stream->flavour == TRACE_STREAM_LEGACY) {
        for (uint32_t i = 0; i < device->n_since; i++) {
            Stream *other = &e->streams[device->since[i]];
            other->listed = false;
            link_stream(e, id, other, TRACE_BY_LEGACY);
        }
        device->n_since = 0;
        device->last_legacy = id;
        return;
    }
    if (device->last_legacy && stream->legacy_seen != device->last_legacy)
        link_stream(e, id, &e->streams[device->legacy_stream], TRACE_BY_LEGACY);
    stream->legacy_seen = device->last_legacy;
    if (stream->listed) return;
    if (!engine_grow(e, &device->since, device->n_since, &device->since_room,
                     sizeof *device->since))
        return;
    device->since[device->n_since++] = stream_id;
    stream->listed = true;
}

static void link_event(Engine *e, uint32_t id, uint32_t stream, EngineOp after) /* stream: whose
                                                            ops it comes after anyway; 0: none */
{
    const Op *op = op_at(e, id);
    TraceCauseKind kind = op->node || op->kind == TRACE_GRAPH ? TRACE_BY_GRAPH
                          : op->kind == TRACE_ALLOC           ? TRACE_BY_POOL
                                                              : TRACE_BY_EVENT;
    const OpSet *set = set_at(e, after);
    if (set) {
        for (uint32_t i = 0; i < set->n; i++) link_event(e, id, stream, set->ops[i]);
    } else if (after && after < id && (op_at(e, id)->node || op_at(e, after)->stream != stream)) {
        engine_link(e, id, after, kind);
    }
}

/* Each connection has a hardware queue for compute (host functions go through it too) and one for
 * copies of either direction. What stands in one goes to its engine only after what is before it
 * there, whatever stream that is in; within one stream that follows from stream order. Measured on
 * an H200 with one connection: records and waits stand in no queue (what follows a wait does), a
 * kernel passes copies that wait, and a host function whose turn has come when it is issued does
 * not queue. */
static void link_queue(Engine *e, uint32_t id, const Stream *stream)
{
    static const uint8_t queue_of[TRACE_OP_KINDS] = {
        [TRACE_KERNEL] = QUEUE_COMPUTE, [TRACE_MEMSET] = QUEUE_COMPUTE, [TRACE_D2D] = QUEUE_COMPUTE,
        [TRACE_HOSTFN] = QUEUE_COMPUTE, [TRACE_H2D] = QUEUE_H2D,        [TRACE_D2H] = QUEUE_D2H,
        [TRACE_P2P] = QUEUE_D2H,
    };
    Op *op = op_at(e, id), *before;
    uint32_t *last = &e->devices[stream->device].queue_last[queue_of[op->kind]][stream->queue];

    if (queue_of[op->kind] == QUEUE_NONE || (op->kind == TRACE_HOSTFN && op->pending == 0)) return;
    before = *last ? op_at(e, *last) : NULL;
    if (before && !before->dispatched && before->stream != op->stream) {
        before->queue_next = id;
        op->pending++;
    }
    *last = id;
}

bool engine_join_fifo(Engine *e, Group *g, uint32_t id)
{
    if (g->fifo_n == g->fifo_room) {
        uint32_t room = g->fifo_room ? g->fifo_room * 2 : 64, *fifo = malloc(room * sizeof *fifo);
        if (!fifo) {
            e->failed = true;
            return false;
        }
        for (uint32_t i = 0; i < g->fifo_n; i++)
            fifo[i] = g->fifo[(g->fifo_head + i) % g->fifo_room];
        free(g->fifo);
        g->fifo = fifo;
        g->fifo_head = 0;
        g->fifo_room = room;
    }
    g->fifo[(g->fifo_head + g->fifo_n++) % g->fifo_room] = id;
    return true;
}

static bool is_open_graph(const Op *op) { return op->kind == TRACE_GRAPH && op->open; }

void engine_graph_lingers(Engine *e, EngineOp id, uint64_t ns)
{
    if (id == 0 || id > e->n_ops || !is_open_graph(op_at(e, id))) return;
    op_at(e, id)->work_ns = ns < MOST_NS ? ns : MOST_NS;
}

void engine_graph_close(Engine *e, EngineOp id)
{
    if (id == 0 || id > e->n_ops || !is_open_graph(op_at(e, id))) return;
    op_at(e, id)->open = false;
    engine_node_ended(e, id, 0);
}

static bool is_node_beside(const Engine *e, EngineOp op, const EngineSubmit *submit)
{
    return op && op <= e->n_ops && op_at(e, op)->node && op_at(e, op)->graph == submit->graph;
}

/* A node that comes after another one of its graph need not wait for the start. */
static bool behind_another(const Engine *e, const EngineSubmit *submit)
{
    for (int i = 0; i < submit->n_after; i++)
        if (is_node_beside(e, submit->after[i], submit)) return true;
    for (int i = 0; i < submit->n_early; i++)
        if (is_node_beside(e, submit->early[i], submit)) return true;
    return false;
}

static void into_stream(Engine *e, uint32_t id, Stream *stream, const EngineSubmit *submit)
{
    bool kernel = submit->kind == TRACE_KERNEL;

    if (!(submit->programmatic && kernel && link_trigger(e, id, stream))) {
        link_stream(e, id, stream, TRACE_BY_STREAM);
        stream->n_early = 0;
    }
    link_legacy(e, id, stream, submit->stream);
}

static uint16_t peer_group(const Engine *e, const Device *own, const EngineSubmit *submit)
{
    uint32_t devices = (uint32_t)e->model.devices, from = submit->copies_from,
             to = submit->copies_to;

    if (!from || from > devices) return own->group[TRACE_P2P];
    if (!to || to > devices || to == from) return e->devices[from - 1].group[TRACE_P2P];
    return e->devices[from - 1].link[to - 1];
}

/* Groups of blocks take the place of blocks. A group takes no more than all the room there is, or
 * it would never start. */
static void group_blocks(Engine *e, const Group *g, uint32_t id, const EngineSubmit *submit)
{
    Op *op = op_at(e, id);
    uint64_t room = ROOM_PER_SM / op->blocks_per_sm * submit->together;
    if (submit->groups_at_once) room = g->room_total / submit->groups_at_once;
    if (room > g->room_total) room = g->room_total;
    if (!engine_grow(e, &e->grouped, e->n_grouped + 1, &e->grouped_room, sizeof *e->grouped))
        return;
    e->grouped[e->n_grouped++] = (Grouped){id, room};
    op->grouped = true;
    op->blocks = (op->blocks + submit->together - 1) / submit->together;
}

/* Does the submission name a stream, a kind and a graph that there are? */
static bool makes_sense(const Engine *e, const EngineSubmit *submit)
{
    if (submit->stream == 0 || submit->stream > e->n_streams ||
        (unsigned)submit->kind >= TRACE_OP_KINDS)
        return false;
    if (!submit->graph) return !e->streams[submit->stream].released;
    return submit->graph <= e->n_ops && is_open_graph(op_at(e, submit->graph));
}

/* An operation as it is when it is issued, before anything is known of what it waits for. */
static Op issued(const Engine *e, const EngineSubmit *submit, uint64_t now_ns)
{
    const Stream *stream = &e->streams[submit->stream];
    const Device *device = &e->devices[stream->device];
    bool marker = submit->kind >= TRACE_RECORD, node = submit->graph != 0;
    bool at_once = node || (marker && submit->kind != TRACE_GRAPH);
    uint64_t lead = node && submit->kind == TRACE_GRAPH ? submit->work_ns : 0;
    if (lead > MOST_NS) lead = MOST_NS;
    return (Op){
        .issued_ns = node ? op_at(e, submit->graph)->issued_ns : now_ns,
        .ready_ns = now_ns + (at_once ? lead : e->model.issue_latency),
        .work_ns = marker                      ? 0
                   : submit->work_ns < MOST_NS ? submit->work_ns
                                               : MOST_NS,
        .open = submit->kind == TRACE_GRAPH || (!marker && submit->work_ns == ENGINE_OPEN),
        .stream = submit->stream,
        .kind = (uint8_t)submit->kind,
        .group =
            submit->kind == TRACE_P2P ? peer_group(e, device, submit) : device->group[submit->kind],
        .blocks = 1,
        .priority = (int8_t)(submit->own_priority ? clamp(submit->priority, e->model.priority_high,
                                                          e->model.priority_low)
                                                  : stream->priority),
        .node = node,
    };
}

/* Where it will run, and what it needs there: its group, its blocks. */
static Group *give_group(Engine *e, uint32_t id, const EngineSubmit *submit)
{
    Op *op = op_at(e, id);
    Group *g = &e->groups[op->group];
    if (submit->in_pieces && g->type == GROUP_SERIAL && !g->by_issue) {
        op->engine = (uint16_t)g->servers[0].engine;
        op->group = FREE_GROUP;
        g = &e->groups[FREE_GROUP];
    }
    if (g->type == GROUP_COMPUTE && e->model.room_limited && submit->blocks) {
        op->blocks = submit->blocks;
        op->blocks_per_sm = (uint8_t)clamp((int64_t)submit->blocks_per_sm, 1, MOST_PER_SM);
        if (submit->together > 1) group_blocks(e, g, id, submit);
    }
    return g;
}

/* What the submission itself says that it comes after: ends, begins, triggers of others. */
static void link_asked(Engine *e, uint32_t id, const EngineSubmit *submit)
{
    bool node = submit->graph != 0, apart = submit->kind >= TRACE_RECORD && submit->apart;
    for (int i = 0; i < submit->n_after; i++)
        link_event(e, id, submit->programmatic || apart ? 0 : submit->stream, submit->after[i]);
    for (int i = 0; i < submit->n_early; i++)
        engine_link(e, id, submit->early[i],
                    (node ? TRACE_BY_GRAPH : TRACE_BY_EVENT) |
                        (i < submit->n_begun ? BEGUN : EARLY));
}

uint32_t engine_op_engine(const Engine *e, EngineOp op) { return op_at((Engine *)e, op)->engine; }

EngineOp engine_number(Engine *e)
{
    uint32_t id = new_op(e);
    if (id) *op_at(e, id) = (Op){.state = OP_DONE, .told_start = true, .told_end = true};
    return id;
}

EngineOp engine_submit(Engine *e, const EngineSubmit *submit, uint64_t now_ns)
{
    uint32_t id;
    if (!makes_sense(e, submit) || !(id = new_op(e))) return 0;
    if (now_ns < e->last_issue) now_ns = e->last_issue;
    if (now_ns > MOST_NS) now_ns = MOST_NS;
    e->last_issue = now_ns;

    Stream *stream = &e->streams[submit->stream];
    Op *op = op_at(e, id);
    *op = issued(e, submit, now_ns);
    if (e->seed && !op->open)
        op->work_ns = chance_duration(e->seed, id, op->work_ns, e->model.exact, false);
    Group *g = give_group(e, id, submit);
    e->devices[stream->device].unfinished++;

    /* what orders it: its graph or its stream, then what was asked for, then queues */
    bool node = submit->graph != 0, apart = submit->kind >= TRACE_RECORD && submit->apart;
    uint32_t legacy_seen = stream->legacy_seen;
    if (node) {
        op->graph = submit->graph;
        op_at(e, op->graph)->blocks++;
        if (!behind_another(e, submit)) engine_link_start(e, id, op->graph);
        if (op->pending == 0) engine_decided(e, id);
    } else if (!apart) {
        into_stream(e, id, stream, submit);
    }
    link_asked(e, id, submit);
    if (!node && !apart) {
        link_queue(e, id, stream);
        stream->last = id;
        if (submit->kind == TRACE_KERNEL) stream->primary = id;
        else if (submit->kind != TRACE_RECORD || submit->parts ||
                 legacy_seen != stream->legacy_seen)
            stream->primary = 0;
        if (g->by_issue) engine_join_fifo(e, g, id);
    }
    if (op->pending == 0) engine_enqueue(e, id);
    return e->failed ? 0 : id;
}

/* ---- steps ---- */

uint64_t engine_next_ns(const Engine *e)
{
    if (e->n_told < e->n_moment) return e->now;
    if (e->failed) return ENGINE_NEVER;
    return e->next_ns < e->now ? e->now : e->next_ns;
}

bool engine_step(Engine *e, EngineStep *step)
{
    Op *op;

    if (e->n_told == e->n_moment) {
        uint64_t next = engine_next_ns(e);
        if (next == ENGINE_NEVER) return false;
        engine_round(e, next);
        if (e->n_moment == 0) return false;
    }
    op = op_at(e, e->moment[e->n_told]);
    *step = (EngineStep){ENGINE_STARTED, e->moment[e->n_told], e->now, op->engine};
    op->told_start = true;
    if (e->n_told++ < e->n_ended) {
        step->what = ENGINE_ENDED;
        op->told_end = true;
        e->devices[e->streams[op->stream].device].unfinished--;
    }
    return true;
}

void engine_set_work(Engine *e, EngineOp id, uint64_t block_ns)
{
    engine_set_works(e, id, block_ns, block_ns);
}

void engine_set_works(Engine *e, EngineOp id, uint64_t first_ns, uint64_t block_ns)
{
    Op *op = id && id <= e->n_ops ? op_at(e, id) : NULL;
    Group *g;
    uint64_t end;

    if (!op || !op->open || op->kind == TRACE_GRAPH || op->state != OP_RUNNING) return;
    g = &e->groups[op->group];
    if (first_ns > MOST_NS) first_ns = MOST_NS;
    if (block_ns > MOST_NS) block_ns = MOST_NS;
    end = op->start_ns + first_ns;
    if (g->type != GROUP_COMPUTE) {
        engine_finish(e, id, end);
        return;
    }
    op->open = false;
    op->work_ns = block_ns;
    if (op->blocks) g->changed = true;
    engine_add_batch(e, g, id, end > e->now ? end : e->now, op->in_flight);
    engine_group_next(e, op->group);
}

void engine_trigger(Engine *e, EngineOp id, uint64_t block_ns)
{
    Op *op = id && id <= e->n_ops ? op_at(e, id) : NULL;
    uint32_t kept = 0;

    if (!op || op->state != OP_RUNNING || op->triggers) return;
    if (e->groups[op->group].type != GROUP_COMPUTE) return;
    for (uint32_t i = 0; i < e->n_triggers; i++)
        if (!op_at(e, e->triggers[i].op)->told_end) e->triggers[kept++] = e->triggers[i];
    e->n_triggers = kept;
    if (!engine_grow(e, &e->triggers, e->n_triggers, &e->trigger_room, sizeof *e->triggers)) return;

    if (block_ns > MOST_NS) block_ns = MOST_NS;
    e->triggers[e->n_triggers++] = (Trigger){id, block_ns, ENGINE_NEVER};
    op->triggers = true;
    if (op->blocks) return;
    engine_add_trigger(e, &e->groups[op->group], id, op->start_ns);
    engine_group_next(e, op->group);
}

uint64_t engine_op_trigger_ns(const Engine *e, EngineOp id)
{
    for (uint32_t i = 0; i < e->n_triggers; i++)
        if (e->triggers[i].op == id && op_at(e, id)->triggered) return e->triggers[i].at_ns;
    return ENGINE_NEVER;
}

void engine_finish(Engine *e, EngineOp id, uint64_t ns)
{
    Op *op = id && id <= e->n_ops ? op_at(e, id) : NULL;
    Group *g;

    if (!op || !op->open || op->kind == TRACE_GRAPH || op->state != OP_RUNNING) return;
    g = &e->groups[op->group];
    op->open = false;
    if (ns < e->now) ns = e->now;
    if (ns > e->now + MOST_NS) ns = e->now + MOST_NS;
    if (g->type == GROUP_SERIAL) {
        for (uint32_t i = 0; i < g->n_servers; i++)
            if (g->servers[i].op == id) g->servers[i].end_ns = ns;
    } else {
        if (g->type == GROUP_COMPUTE && op->blocks) g->changed = true;
        op->blocks = 0; /* whatever had not gone in yet never will */
        engine_add_batch(e, g, id, ns, op->in_flight);
    }
    engine_group_next(e, op->group);
}

/* ---- questions ---- */

bool engine_op_ended(const Engine *e, EngineOp id)
{
    const OpSet *set = set_at(e, id);
    if (!set) return id <= e->n_ops && done(e, id);
    for (uint32_t i = 0; i < set->n; i++)
        if (!done(e, set->ops[i])) return false;
    return true;
}

EngineOp engine_oldest(Engine *e)
{
    while (e->n_over < e->n_ops && op_at(e, e->n_over + 1)->told_end) e->n_over++;
    return e->n_over + 1;
}

/* Of a set: the latest of its members. */
static uint64_t latest(const Engine *e, EngineOp id, bool start)
{
    const OpSet *set = set_at(e, id);
    if (set) {
        uint64_t most = 0;
        for (uint32_t i = 0; i < set->n; i++) {
            uint64_t ns = latest(e, set->ops[i], start);
            if (ns > most) most = ns;
        }
        return most;
    }
    if (id == 0 || id > e->n_ops) return ENGINE_NEVER;
    if (start) return op_at(e, id)->told_start ? op_at(e, id)->start_ns : ENGINE_NEVER;
    return op_at(e, id)->told_end ? op_at(e, id)->end_ns : ENGINE_NEVER;
}

uint64_t engine_op_issued_ns(const Engine *e, EngineOp id)
{
    return id && id <= e->n_ops ? op_at(e, id)->issued_ns : ENGINE_NEVER;
}

uint64_t engine_op_end_ns(const Engine *e, EngineOp id) { return latest(e, id, false); }
uint64_t engine_op_start_ns(const Engine *e, EngineOp id) { return latest(e, id, true); }

uint32_t engine_causes(const Engine *e, EngineOp id, const EngineCause **causes)
{
    const Op *op = id && id <= e->n_ops ? op_at(e, id) : NULL;
    bool known = op && op->state >= OP_RUNNING && e->causes;
    *causes = known ? &e->causes[op->causes] : NULL;
    return known ? op->n_causes : 0;
}
