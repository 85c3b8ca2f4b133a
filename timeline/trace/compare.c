/* compare.c - see compare.h. */
#include "timeline/trace/compare.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"
#include "timeline/trace/analysis.h"

enum {
    CLOCK_SLACK_NS = 500
}; /* a card's own time stamps of neighbouring operations may differ by this */

typedef struct Lane { /* a stream's selected work, in order of issue */
    uint32_t stream, device, flavour, n, *ops;
    uint64_t hash;
    int taken; /* by which lane of the other side; -1: none */
} Lane;

typedef struct Side {
    const Trace *trace;
    const char *name; /* for messages */
    CompareSide *about;
    bool *selected; /* by op */
    bool *early;    /* by op: it may begin before the kernel ahead of it has ended */
    Lane *lanes;
    uint32_t n_lanes, n_ops, *ops;
} Side;

static bool fail(char *error, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(char *error, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(error, size, format, list);
    va_end(list);
    return false;
}

/* ---- what is compared ---- */

static bool host_waits(const char *call)
{
    static const char *const copies[] = {"cudaMemcpy", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpy"};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (!strcmp(call, copies[i])) return true;
    return strstr(call, "Synchronize") != NULL;
}

/* The first op after the warm-up, or 0. Walks backwards: every kernel seen from `at` on must have
 * been launched before the host's last wait that precedes `at`. */
static bool after_warm_up(const Trace *t, uint32_t *first)
{
    uint32_t at = 1, last_new = 0, call;

    /* the latest op that launches a kernel for the first time; n * names, so names are compared by
     * pointer first */
    const char **names = malloc((t->n_ops + 1) * sizeof *names);
    uint32_t n = 0;
    if (!names) return false;
    for (uint32_t i = 1; i <= t->n_ops; i++) {
        bool known = t->ops[i].kind != TRACE_KERNEL;
        for (uint32_t k = 0; k < n && !known; k++)
            known = names[k] == t->ops[i].name || !strcmp(names[k], t->ops[i].name);
        if (known) continue;
        names[n++] = t->ops[i].name;
        last_new = i;
        if (n > 1000) break; /* no warm-up in sight */
    }
    free(names);
    if (!last_new) { /* no kernel: the first operation stands for it */
        for (last_new = 1; last_new <= t->n_ops && !trace_op_is_work(&t->ops[last_new]);
             last_new++) {}
    }
    call = last_new <= t->n_ops ? t->ops[last_new].call : t->n_calls;
    while (call <= t->n_calls && !host_waits(t->calls[call].name)) call++;
    for (at = last_new; at <= t->n_ops && t->ops[at].call <= call; at++) {}
    while (at <= t->n_ops && !trace_op_is_work(&t->ops[at])) at++;
    *first = at <= t->n_ops ? at : 1;
    return at <= t->n_ops;
}

static bool select_ops(Side *side, const char *range, bool *warm, char *error, size_t size)
{
    const Trace *t = side->trace;
    CompareSide *about = side->about;

    about->first_op = 1;
    if (range) {
        about->range = analysis_range(t, range);
        if (!about->range)
            return fail(error, size, "the %s run has no NVTX range \"%s\"", side->name, range);
    } else if (!after_warm_up(t, &about->first_op)) {
        *warm = false;
    }
    side->selected = calloc((size_t)t->n_ops + 1, sizeof *side->selected);
    side->ops = calloc((size_t)t->n_ops + 1, sizeof *side->ops);
    if (!side->selected || !side->ops) return fail(error, size, "out of memory");
    return true;
}

static bool collect(Side *side, bool all, const char *range, char *error, size_t size)
{
    const Trace *t = side->trace;
    CompareSide *about = side->about;

    if (all) about->first_op = 1;
    side->n_ops = 0;
    for (uint32_t i = 1; i <= t->n_ops; i++) {
        const TraceOp *op = &t->ops[i];
        side->selected[i] = trace_op_is_work(op) &&
                            (range ? trace_in_range(t, about->range, i) : i >= about->first_op);
        if (!side->selected[i]) continue;
        if (op->start_ns == TRACE_OPEN_NS || op->end_ns == TRACE_OPEN_NS)
            return fail(
                error, size,
                "the %s run was cut off: a %s did not end (operation %u); record it to its end",
                side->name, trace_op_word[op->kind], i);
        side->ops[side->n_ops++] = i;
    }
    if (side->n_ops) return true;
    if (range)
        return fail(error, size,
                    "the %s run has no copy, set, kernel or host function in the range \"%s\"",
                    side->name, range);
    return fail(error, size, "the %s run has no copy, set, kernel or host function", side->name);
}

/* ---- streams and operations that are the same ---- */

static uint64_t hash_op(uint64_t hash, const TraceOp *op)
{
    hash = hash_mix(hash, op->kind);
    if (op->kind == TRACE_KERNEL) {
        for (const char *c = op->name; *c; c++) hash = hash_mix(hash, (unsigned char)*c);
        hash = hash_mix(hash_mix(hash_mix(hash, op->grid.x), op->grid.y), op->grid.z);
        return hash_mix(hash_mix(hash_mix(hash, op->block.x), op->block.y), op->block.z);
    }
    return hash_mix(hash, op->kind == TRACE_HOSTFN ? 0 : op->bytes);
}

static bool same_dim(TraceDim a, TraceDim b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_op(const TraceOp *a, const TraceOp *b)
{
    if (a->kind != b->kind) return false;
    if (a->kind == TRACE_KERNEL)
        return !strcmp(a->name, b->name) && same_dim(a->grid, b->grid) &&
               same_dim(a->block, b->block);
    return a->kind == TRACE_HOSTFN || a->bytes == b->bytes;
}

/* Nodes of one launch of a graph are in no order of issue: what is alike stands together, in order
 * of start. */
typedef struct Node {
    uint64_t hash, start_ns;
    uint32_t op;
} Node;

static int by_likeness(const void *a, const void *b)
{
    const Node *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    if (x->start_ns != y->start_ns) return x->start_ns < y->start_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static bool arrange_nodes(const Trace *t, Lane *lane)
{
    Node *nodes = malloc((lane->n + 1) * sizeof *nodes);
    if (!nodes) return false;
    for (uint32_t from = 0, to; from < lane->n; from = to) {
        const TraceOp *first = &t->ops[lane->ops[from]];
        for (to = from; to < lane->n; to++) {
            const TraceOp *op = &t->ops[lane->ops[to]];
            if (op->call != first->call || !op->launch != !first->launch) break;
            nodes[to - from] = (Node){hash_op(HASH_START, op), op->start_ns, lane->ops[to]};
        }
        if (!first->launch) continue;
        qsort(nodes, to - from, sizeof *nodes, by_likeness);
        for (uint32_t i = from; i < to; i++) lane->ops[i] = nodes[i - from].op;
    }
    free(nodes);
    return true;
}

static bool make_lanes(Side *side)
{
    const Trace *t = side->trace;
    uint32_t *lane_of = calloc((size_t)t->n_streams + 1, sizeof *lane_of), *counts = NULL;
    uint32_t n = 0;

    side->lanes = calloc((size_t)t->n_streams + 1, sizeof *side->lanes);
    counts = calloc((size_t)t->n_streams + 1, sizeof *counts);
    if (!lane_of || !side->lanes || !counts) {
        free(lane_of);
        free(counts);
        return false;
    }
    for (uint32_t i = 0; i < side->n_ops; i++) counts[t->ops[side->ops[i]].stream]++;
    for (uint32_t i = 0; i <= t->n_streams; i++) {
        if (!counts[i]) continue;
        Lane *lane = &side->lanes[n];
        *lane = (Lane){.stream = i,
                       .device = t->streams[i].device,
                       .flavour = t->streams[i].flavour,
                       .taken = -1,
                       .hash = HASH_START,
                       .ops = malloc(counts[i] * sizeof *lane->ops)};
        lane_of[i] = n++;
        side->n_lanes = n;
        if (!lane->ops) break;
    }
    bool fine = n == 0 || side->lanes[n - 1].ops;
    for (uint32_t i = 0; fine && i < side->n_ops; i++) {
        const TraceOp *op = &t->ops[side->ops[i]];
        Lane *lane = &side->lanes[lane_of[op->stream]];
        lane->ops[lane->n++] = side->ops[i];
    }
    for (uint32_t k = 0; fine && k < side->n_lanes; k++) {
        Lane *lane = &side->lanes[k];
        fine = arrange_nodes(t, lane);
        for (uint32_t i = 0; i < lane->n; i++)
            lane->hash = hash_op(lane->hash, &t->ops[lane->ops[i]]);
    }
    free(lane_of);
    free(counts);
    return fine;
}

static const char *describe(const TraceOp *op, char *text, size_t size)
{
    if (op->kind == TRACE_KERNEL)
        snprintf(text, size, "kernel %.60s<<<(%u,%u,%u), (%u,%u,%u)>>>", op->name, op->grid.x,
                 op->grid.y, op->grid.z, op->block.x, op->block.y, op->block.z);
    else if (op->kind == TRACE_HOSTFN) snprintf(text, size, "host function");
    else
        snprintf(text, size, "%s of %llu bytes", trace_op_word[op->kind],
                 (unsigned long long)op->bytes);
    return text;
}

/* Lanes of two sides that stand for each other; false, and where they part, when they do not
 * match. */
static bool match_lanes(Side *p, Side *m, char *error, size_t size)
{
    char a[160], b[160];
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        Lane *lane = &p->lanes[i];
        for (uint32_t k = 0; k < m->n_lanes && lane->taken < 0; k++) {
            Lane *other = &m->lanes[k];
            if (other->taken >= 0 || other->hash != lane->hash || other->n != lane->n ||
                (other->flavour == TRACE_STREAM_LEGACY) != (lane->flavour == TRACE_STREAM_LEGACY))
                continue;
            lane->taken = (int)k;
            other->taken = (int)i;
        }
    }
    uint32_t rank = 0, other = 0;
    while (rank < p->n_lanes && p->lanes[rank].taken >= 0) rank++;
    while (other < m->n_lanes && m->lanes[other].taken >= 0) other++;
    if (rank == p->n_lanes && other == m->n_lanes) {
        /* equal hashes are all but certain to be equal work; be certain */
        for (uint32_t i = 0; i < p->n_lanes; i++)
            for (uint32_t k = 0; k < p->lanes[i].n; k++)
                if (!same_op(&p->trace->ops[p->lanes[i].ops[k]],
                             &m->trace->ops[m->lanes[p->lanes[i].taken].ops[k]]))
                    return fail(error, size, "the two runs did different things");
        return true;
    }
    if (rank == p->n_lanes || other == m->n_lanes)
        return fail(
            error, size,
            "the two runs did different things: the predicted run used %u streams, the measured "
            "one %u",
            p->n_lanes, m->n_lanes);
    const Lane *one = &p->lanes[rank], *two = &m->lanes[other];
    uint32_t at = 0, least = one->n < two->n ? one->n : two->n;
    while (at < least && same_op(&p->trace->ops[one->ops[at]], &m->trace->ops[two->ops[at]])) at++;
    if (at == least)
        return fail(
            error, size,
            "the two runs did different things: a stream of the predicted run has %u operations, "
            "of the measured one %u, and the first %u are the same",
            one->n, two->n, least);
    return fail(
        error, size,
        "the two runs did different things: operation %u of a stream is a %s in the predicted run "
        "and a %s in the measured one",
        at + 1, describe(&p->trace->ops[one->ops[at]], a, sizeof a),
        describe(&m->trace->ops[two->ops[at]], b, sizeof b));
}

/* ---- orders that CUDA forbids ---- */

/* Which launches may overlap the one before them, the prediction knows: they waited for a trigger.
 */
static bool mark_early(Side *p, Side *m)
{
    p->early = calloc((size_t)p->trace->n_ops + 1, sizeof *p->early);
    m->early = calloc((size_t)m->trace->n_ops + 1, sizeof *m->early);
    if (!p->early || !m->early) return false;
    for (uint32_t i = 0; i < p->n_lanes; i++)
        for (uint32_t k = 0; k < p->lanes[i].n; k++) {
            uint32_t op = p->lanes[i].ops[k];
            const TraceOp *o = &p->trace->ops[op];
            for (uint32_t c = 0; c < o->n_causes; c++)
                if (p->trace->causes[o->first_cause + c].kind == TRACE_BY_TRIGGER)
                    p->early[op] = true;
            m->early[m->lanes[p->lanes[i].taken].ops[k]] = p->early[op];
        }
    return true;
}

typedef struct After {
    uint64_t ns;
    uint32_t op;
} After; /* not before ns, when op ended */

static After later(After a, After b) { return b.ns > a.ns ? b : a; }

/* Of a stream: what is there, apart from the latest call, and what the latest call added (the
 * operations of one call, a graph's launch, are not in order among themselves). */
typedef struct Tail {
    After all, before;
    uint32_t call;
} Tail;

static void breach(Compare *c, Side *side, bool sync, uint32_t before, uint32_t after)
{
    side->about->breaches++;
    if (c->n_breaches < COMPARE_BREACHES)
        c->breaches[c->n_breaches++] =
            (CompareBreach){side->about == &c->measured, sync, before, after};
}

/* Of a device: the latest end of what was issued so far in its legacy stream, and in its blocking
 * ones. */
typedef struct Barrier {
    After legacy, blocking;
} Barrier;

static bool check_order(Compare *c, Side *side)
{
    const Trace *t = side->trace;
    uint64_t slack = side->about == &c->measured ? CLOCK_SLACK_NS : 0;
    Tail *tails = calloc((size_t)t->n_streams + 1, sizeof *tails);
    After *records = calloc((size_t)t->n_events + 1, sizeof *records), ended = {0, 0};
    Barrier *barriers = calloc((size_t)t->n_devices + 1, sizeof *barriers);
    uint32_t op = 1;

    if (!tails || !records || !barriers) {
        free(tails);
        free(records);
        free(barriers);
        return false;
    }
    for (uint32_t call = 0; call <= t->n_calls; call++) {
        for (; op <= t->n_ops && (t->ops[op].call <= call || call == t->n_calls); op++) {
            const TraceOp *o = &t->ops[op];
            const TraceStream *stream = &t->streams[o->stream];
            Tail *tail = &tails[o->stream];
            Barrier *barrier = &barriers[stream->device <= t->n_devices ? stream->device : 0];
            bool legacy = stream->flavour == TRACE_STREAM_LEGACY;
            After after;

            if (tail->call != o->call || !o->call) {
                tail->before = tail->all;
                tail->call = o->call;
            }
            if (!side->early[op]) after = tail->before;
            else after = (After){0, 0};
            if (stream->flavour != TRACE_STREAM_NONBLOCKING)
                after = later(after, legacy ? barrier->blocking : barrier->legacy);
            if (o->kind == TRACE_WAIT)
                after = later(after, records[o->event <= t->n_events ? o->event : 0]);
            if (trace_op_is_work(o) && o->start_ns != TRACE_OPEN_NS) {
                if (side->selected[op] && o->start_ns + slack < after.ns)
                    breach(c, side, false, after.op, op);
                after = (After){o->end_ns, op};
                if (o->end_ns != TRACE_OPEN_NS) ended = later(ended, after);
            }
            if (o->kind == TRACE_RECORD && o->event <= t->n_events) records[o->event] = after;
            tail->all = later(tail->all, after);
            if (legacy) barrier->legacy = later(barrier->legacy, after);
            else if (stream->flavour != TRACE_STREAM_NONBLOCKING)
                barrier->blocking = later(barrier->blocking, after);
        }
        const TraceCall *it = &t->calls[call];
        if (call && t->n_devices <= 1 && it->name &&
            (!strcmp(it->name, "cudaDeviceSynchronize") || !strcmp(it->name, "cuCtxSynchronize")) &&
            it->result == 0 && it->end_ns != TRACE_OPEN_NS && ended.op &&
            side->selected[ended.op] && it->end_ns + slack < ended.ns)
            breach(c, side, true, ended.op, call);
    }
    free(tails);
    free(records);
    free(barriers);
    return true;
}

/* ---- figures ---- */

typedef struct Edge {
    uint64_t ns;
    uint32_t engine;
    int step;
} Edge;

static int by_time(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->ns != y->ns) return x->ns < y->ns ? -1 : 1;
    return x->step - y->step;
}

static bool measure(Side *side)
{
    const Trace *t = side->trace;
    CompareSide *about = side->about;
    Edge *edges = malloc(2 * (size_t)side->n_ops * sizeof *edges);
    uint32_t *busy = calloc((size_t)t->n_engines + 1, sizeof *busy), n = 0, engines = 0;
    uint64_t last = 0;

    if (!edges || !busy) {
        free(edges);
        free(busy);
        return false;
    }
    about->begin_ns = UINT64_MAX;
    for (uint32_t i = 0; i < side->n_ops; i++) {
        const TraceOp *op = &t->ops[side->ops[i]];
        uint32_t engine = op->engine <= t->n_engines ? op->engine : 0;
        if (op->start_ns < about->begin_ns) about->begin_ns = op->start_ns;
        if (op->end_ns > last) last = op->end_ns;
        if (op->end_ns <= op->start_ns) continue; /* its end would sort before its start */
        edges[n++] = (Edge){op->start_ns, engine, 1};
        edges[n++] = (Edge){op->end_ns, engine, -1};
    }
    about->makespan_ns = last - about->begin_ns;
    qsort(edges, n, sizeof *edges, by_time);
    for (uint32_t i = 0; i < n; i++) {
        if (i && engines >= 2) about->overlap_ns += edges[i].ns - edges[i - 1].ns;
        if (edges[i].step > 0) engines += busy[edges[i].engine]++ == 0;
        else if (busy[edges[i].engine]) engines -= --busy[edges[i].engine] == 0;
    }
    free(edges);
    free(busy);
    return true;
}

typedef struct Started {
    uint64_t predicted_ns, measured_ns;
    ComparePair pair;
} Started;

static int by_predicted(const void *a, const void *b)
{
    const Started *x = a, *y = b;
    if (x->predicted_ns != y->predicted_ns) return x->predicted_ns < y->predicted_ns ? -1 : 1;
    return x->measured_ns < y->measured_ns ? -1 : x->measured_ns > y->measured_ns;
}

/* Sorts by measured start, and counts the pairs that stand the other way round. */
static uint64_t merge(Started *items, Started *spare, uint32_t n)
{
    if (n < 2) return 0;
    uint32_t half = n / 2, a = 0, b = half, to = 0;
    uint64_t count = merge(items, spare, half) + merge(items + half, spare, n - half);
    while (a < half || b < n) {
        bool left = b == n || (a < half && items[a].measured_ns <= items[b].measured_ns);
        if (!left) count += half - a;
        spare[to++] = left ? items[a++] : items[b++];
    }
    memcpy(items, spare, n * sizeof *items);
    return count;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t magnitude(int64_t ns) { return ns < 0 ? (uint64_t)-ns : (uint64_t)ns; }

static bool figures(Compare *c, const Side *p, const Side *m)
{
    uint32_t n = 0;
    Started *items = malloc(p->n_ops * sizeof *items), *spare = malloc(p->n_ops * sizeof *items);
    uint64_t *errors = malloc(p->n_ops * sizeof *errors);

    c->pairs = malloc(p->n_ops * sizeof *c->pairs);
    if (!items || !spare || !errors || !c->pairs) {
        free(items);
        free(spare);
        free(errors);
        return false;
    }
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        const Lane *lane = &p->lanes[i], *other = &m->lanes[lane->taken];
        for (uint32_t k = 0; k < lane->n; k++) {
            const TraceOp *a = &p->trace->ops[lane->ops[k]], *b = &m->trace->ops[other->ops[k]];
            int64_t start_a = (int64_t)(a->start_ns - c->predicted.begin_ns);
            int64_t start_b = (int64_t)(b->start_ns - c->measured.begin_ns);
            items[n++] = (Started){a->start_ns,
                                   b->start_ns,
                                   {lane->ops[k], other->ops[k], start_a - start_b,
                                    (int64_t)(a->end_ns - a->start_ns) -
                                        (int64_t)(b->end_ns - b->start_ns)}};
        }
    }
    qsort(items, n, sizeof *items, by_predicted);
    c->inversions = merge(items, spare, n);
    for (uint32_t i = 0; i < n; i++) {
        c->pairs[i] = items[i].pair;
        errors[i] = magnitude(items[i].pair.start_error_ns);
        if (errors[i] > c->start_error_most_ns || i == 0) {
            c->start_error_most_ns = errors[i];
            c->start_error_most_pair = i;
        }
    }
    c->n_pairs = n;
    qsort(errors, n, sizeof *errors, by_size);
    c->start_error_median_ns = errors[n / 2];
    free(items);
    free(spare);
    free(errors);
    return true;
}

static double share(const CompareSide *side)
{
    return side->makespan_ns ? (double)side->overlap_ns / (double)side->makespan_ns : 0;
}

static void side_release(Side *side)
{
    for (uint32_t i = 0; i < side->n_lanes; i++) free(side->lanes[i].ops);
    free(side->lanes);
    free(side->selected);
    free(side->early);
    free(side->ops);
}

Compare *compare_new(const Trace *predicted, const Trace *measured, const char *range, char *error,
                     size_t error_size)
{
    Compare *c = calloc(1, sizeof *c);
    if (!c) {
        fail(error, error_size, "out of memory");
        return NULL;
    }
    bool whole = range && !*range;
    if (whole) range = NULL;
    Side p = {.trace = predicted, .name = "predicted", .about = &c->predicted};
    Side m = {.trace = measured, .name = "measured", .about = &c->measured};
    if (!whole && !range && analysis_range(predicted, "measured") &&
        analysis_range(measured, "measured"))
        range = "measured";
    c->warm = !whole;
    bool fine = select_ops(&p, range, &c->warm, error, error_size) &&
                select_ops(&m, range, &c->warm, error, error_size) &&
                collect(&p, !c->warm, range, error, error_size) &&
                collect(&m, !c->warm, range, error, error_size);
    if (fine && (!make_lanes(&p) || !make_lanes(&m)))
        fine = fail(error, error_size, "out of memory");
    fine = fine && match_lanes(&p, &m, error, error_size);
    if (fine && (!mark_early(&p, &m) || !measure(&p) || !measure(&m) || !check_order(c, &p) ||
                 !check_order(c, &m) || !figures(c, &p, &m)))
        fine = fail(error, error_size, "out of memory");
    if (fine) {
        c->makespan_error =
            c->measured.makespan_ns
                ? (double)c->predicted.makespan_ns / (double)c->measured.makespan_ns - 1
                : 0;
        c->overlap_error = share(&c->predicted) - share(&c->measured);
    }
    side_release(&p);
    side_release(&m);
    if (fine) return c;
    compare_free(c);
    return NULL;
}

void compare_free(Compare *c)
{
    if (!c) return;
    free(c->pairs);
    free(c);
}
