#include "timeline/trace/infer.h"

#include <stdlib.h>
#include <string.h>

/* Times of the device are converted to the host's clock, each with an error of its own: an end this
 * little after the start that it allowed is still its reason. */
enum { SLACK_NS = 2000 };
/* A kernel that starts this soon after another one's end, without any other reason, had no room
 * beside it. */
enum { ROOM_NS = 20000 };
/* What the device itself takes to start something. Above that, something else happened (a kernel's
 * first launch loads its code), and the trace does not say what. */
enum { START_NS = 200000 };
enum { CAUSES = 16, RESIDENT_GRIDS = 128 };

typedef struct Last {
    uint32_t op, legacy, waits; /* waits: the latest wait since op, chained by before */
    uint32_t before;            /* op is a node of a graph: what was there before its launch */
} Last;

typedef struct Infer {
    const Trace *t;
    Last *last;              /* by stream */
    uint32_t *wait_before;   /* by op, for waits: the wait before it in its stream, since the last
                                work */
    uint32_t *stands_for;    /* by op, for records: the work that had to end */
    uint32_t *recorded;      /* by event: its latest record */
    uint32_t *engine_before; /* by op: the one that ran before it on its engine */
    uint32_t *ends;
    uint32_t n_ends; /* kernels by their end */
    TraceCause *causes;
    uint32_t n, room;
    TraceCause own[CAUSES + 2];
    int n_own; /* of the op that is looked at */
} Infer;

static bool ran(const TraceOp *op)
{
    return trace_op_is_work(op) && op->start_ns != TRACE_OPEN_NS && op->end_ns != TRACE_OPEN_NS;
}

/* A reason that fits: by had ended when op started, and not before op was issued. */
static void add(Infer *f, uint32_t op, TraceCauseKind kind, uint32_t by)
{
    const TraceOp *o = &f->t->ops[op], *b = &f->t->ops[by];
    if (!by || by == op || !ran(b) || b->end_ns > o->start_ns + SLACK_NS ||
        b->end_ns <= o->issued_ns)
        return;
    for (int i = 0; i < f->n_own; i++) {
        if (f->own[i].by_op == by) return; /* the first rule that names it is the plainest */
    }
    if (f->n_own == CAUSES) return;
    uint64_t until = b->end_ns < o->start_ns ? b->end_ns : o->start_ns;
    f->own[f->n_own++] = (TraceCause){kind, op, by, until};
}

/* op ended after other, or there is nothing to say of other. */
static bool later(const Infer *f, uint32_t op, uint32_t other)
{
    return !other || !ran(&f->t->ops[other]) || f->t->ops[op].end_ns > f->t->ops[other].end_ns;
}

static bool blocking(const Trace *t, uint32_t stream)
{
    TraceStreamFlavour flavour = t->streams[stream].flavour;
    return flavour == TRACE_STREAM_BLOCKING || flavour == TRACE_STREAM_PER_THREAD;
}

/* What has to end before the legacy default stream goes on: of its own and of the blocking streams,
 * the last. */
static uint32_t last_before_legacy(const Infer *f, uint32_t stream)
{
    uint32_t last = f->last[stream].op;
    for (uint32_t s = 1; s <= f->t->n_streams; s++) {
        if (!blocking(f->t, s) || f->t->streams[s].device != f->t->streams[stream].device) continue;
        uint32_t op = f->last[s].op;
        if (op && ran(&f->t->ops[op]) && later(f, op, last)) last = op;
    }
    return last;
}

static uint32_t record_stands_for(const Infer *f, uint32_t id)
{
    uint32_t stream = f->t->ops[id].stream;
    if (f->t->streams[stream].flavour == TRACE_STREAM_LEGACY) return last_before_legacy(f, stream);
    uint32_t last = f->last[stream].op;
    /* nothing between a wait and the record: the event stands for what the wait waits for */
    uint32_t wait = f->last[stream].waits, event = wait ? f->t->ops[wait].event : 0;
    if (event && f->stands_for[wait]) {
        uint32_t other = f->stands_for[wait];
        if (later(f, other, last)) last = other;
    }
    return last;
}

static void markers(Infer *f, uint32_t id)
{
    const TraceOp *op = &f->t->ops[id];
    if (op->kind == TRACE_RECORD && op->event) {
        f->stands_for[id] = record_stands_for(f, id);
        f->recorded[op->event] = id;
    } else if (op->kind == TRACE_WAIT && op->event) {
        uint32_t record = f->recorded[op->event];
        f->stands_for[id] = record ? f->stands_for[record] : 0;
        f->wait_before[id] = f->last[op->stream].waits;
        f->last[op->stream].waits = id;
    }
}

static int compare_causes(const void *left, const void *right)
{
    const TraceCause *a = left, *b = right;
    if (a->until_ns != b->until_ns) return a->until_ns < b->until_ns ? -1 : 1;
    return a->by_op < b->by_op ? -1 : a->by_op > b->by_op;
}

/* The kernel of the device that ended last before ns, not longer than ROOM_NS ago. */
static uint32_t ended_before(const Infer *f, uint32_t device, uint64_t ns)
{
    uint32_t low = 0, high = f->n_ends;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->t->ops[f->ends[middle]].end_ns <= ns) low = middle + 1;
        else high = middle;
    }
    while (low > 0) {
        const TraceOp *op = &f->t->ops[f->ends[--low]];
        if (ns - op->end_ns > ROOM_NS) break;
        if (op->device == device) return f->ends[low];
    }
    return 0;
}

/* How many kernels were on the device when this one started. */
static uint32_t running_at(const Infer *f, uint32_t id)
{
    uint64_t ns = f->t->ops[id].start_ns;
    uint32_t n = 0;
    for (uint32_t k = f->n_ends; k > 0; k--) {
        const TraceOp *op = &f->t->ops[f->ends[k - 1]];
        if (op->end_ns <= ns) break;
        n += op->start_ns < ns && op->device == f->t->ops[id].device;
        if (f->n_ends - k > 4096) break;
    }
    return n;
}

/* What is known to order it: its stream, events, stream 0, the engine that it ran on. */
static void add_ordered(Infer *f, uint32_t id, bool beside)
{
    const Trace *t = f->t;
    const TraceOp *op = &t->ops[id];
    const Last *last = &f->last[op->stream];
    add(f, id, TRACE_BY_STREAM, beside ? last->before : last->op);
    for (uint32_t wait = last->waits; wait; wait = f->wait_before[wait])
        add(f, id, TRACE_BY_EVENT, f->stands_for[wait]);
    if (t->streams[op->stream].flavour == TRACE_STREAM_LEGACY)
        add(f, id, TRACE_BY_LEGACY, last_before_legacy(f, op->stream));
    if (blocking(t, op->stream)) add(f, id, TRACE_BY_LEGACY, last->legacy);

    TraceEngineClass class_ = t->engines[op->engine].class_;
    uint32_t before = f->engine_before[id];
    if (op->engine && class_ == TRACE_ENGINE_HOST) add(f, id, TRACE_BY_DRIVER, before);
    else if (op->engine && class_ != TRACE_ENGINE_COMPUTE) add(f, id, TRACE_BY_ENGINE, before);
}

/* What began later than all of that explains: a node of a graph is held to have waited for one
 * that ended just before, a kernel for room. */
static void add_guess(Infer *f, uint32_t id)
{
    const TraceOp *op = &f->t->ops[id];
    uint64_t explained = op->issued_ns;
    for (int i = 0; i < f->n_own; i++) {
        if (f->own[i].until_ns > explained) explained = f->own[i].until_ns;
    }
    bool node = op->launch && op->start_ns > explained;
    bool kernel = op->engine && f->t->engines[op->engine].class_ == TRACE_ENGINE_COMPUTE &&
                  op->start_ns > explained + ROOM_NS;
    uint32_t by = node || kernel ? ended_before(f, op->device, op->start_ns) : 0;
    if (!by || f->t->ops[by].end_ns <= explained) return;
    if (node) {
        if (f->t->ops[by].launch == op->launch) add(f, id, TRACE_BY_GRAPH, by);
        return;
    }
    bool full = running_at(f, id) + 1 >= RESIDENT_GRIDS;
    add(f, id, full ? TRACE_BY_GRIDS : TRACE_BY_ROOM, by);
}

/* The host, first of all: nothing starts before it is issued. */
static void add_host(Infer *f, uint32_t id)
{
    const TraceOp *op = &f->t->ops[id];
    uint64_t issued = op->issued_ns < op->start_ns ? op->issued_ns : op->start_ns;
    f->own[f->n_own++] = (TraceCause){TRACE_BY_HOST, id, 0, issued};
    if (f->n_own == 1 && op->start_ns > op->issued_ns) {
        if (op->start_ns - op->issued_ns > START_NS) f->n_own = 0; /* not known */
        else f->own[f->n_own++] = (TraceCause){TRACE_BY_LATENCY, id, 0, op->start_ns};
    }
}

/* The operation's causes, in order, behind those of the ones before. */
static bool keep_causes(Infer *f)
{
    qsort(f->own, (size_t)f->n_own, sizeof *f->own, compare_causes);
    for (int i = 0; i < f->n_own; i++) {
        if (f->n == f->room) {
            uint32_t more = f->room ? 2 * f->room : 1024;
            TraceCause *bigger = realloc(f->causes, more * sizeof *bigger);
            if (!bigger) return false;
            f->causes = bigger;
            f->room = more;
        }
        f->causes[f->n++] = f->own[i];
    }
    return true;
}

static bool look_at(Infer *f, uint32_t id)
{
    const Trace *t = f->t;
    const TraceOp *op = &t->ops[id];
    Last *last = &f->last[op->stream];
    /* nodes of one launch are in no order that the stream gives them; what the graph's is, only the
     * times can tell */
    bool beside = op->launch && t->ops[last->op].launch == op->launch;
    f->n_own = 0;
    if (op->start_ns != TRACE_OPEN_NS) {
        add_ordered(f, id, beside);
        add_guess(f, id);
        add_host(f, id);
        if (!keep_causes(f)) return false;
    }

    if (!beside) last->before = last->op;
    if (!beside || later(f, id, last->op)) last->op = id;
    last->waits = 0;
    if (t->streams[op->stream].flavour == TRACE_STREAM_LEGACY) {
        for (uint32_t s = 1; s <= t->n_streams; s++) {
            if (t->streams[s].device == t->streams[op->stream].device) f->last[s].legacy = id;
        }
    }
    return true;
}

static int by_start(const void *left, const void *right, void *trace)
{
    const Trace *t = trace;
    uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
    const TraceOp *a = &t->ops[x], *b = &t->ops[y];
    if (a->engine != b->engine) return a->engine < b->engine ? -1 : 1;
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

static int by_end(const void *left, const void *right, void *trace)
{
    const Trace *t = trace;
    uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
    if (t->ops[x].end_ns != t->ops[y].end_ns) return t->ops[x].end_ns < t->ops[y].end_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void order(Infer *f, Trace *t, uint32_t *ids)
{
    uint32_t n = 0;
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        if (ran(&t->ops[id])) ids[n++] = id;
        if (ran(&t->ops[id]) && t->ops[id].kind == TRACE_KERNEL) f->ends[f->n_ends++] = id;
    }
    qsort_r(ids, n, sizeof *ids, by_start, t);
    qsort_r(f->ends, f->n_ends, sizeof *f->ends, by_end, t);
    for (uint32_t i = 1; i < n; i++) {
        if (t->ops[ids[i]].engine == t->ops[ids[i - 1]].engine)
            f->engine_before[ids[i]] = ids[i - 1];
    }
}

bool infer_causes(Trace *t)
{
    const char *backend = trace_meta(t, "backend");
    if (t->n_causes || t->n_ops == 0 || !backend || strcmp(backend, "cuda") != 0) return true;
    Infer f = {.t = t};
    size_t ops = (size_t)t->n_ops + 1;
    uint32_t *ids = calloc(ops, sizeof *ids);
    f.last = calloc((size_t)t->n_streams + 1, sizeof *f.last);
    f.wait_before = calloc(ops, sizeof *f.wait_before);
    f.stands_for = calloc(ops, sizeof *f.stands_for);
    f.recorded = calloc((size_t)t->n_events + 1, sizeof *f.recorded);
    f.engine_before = calloc(ops, sizeof *f.engine_before);
    f.ends = calloc(ops, sizeof *f.ends);
    bool fine =
        ids && f.last && f.wait_before && f.stands_for && f.recorded && f.engine_before && f.ends;
    if (fine) order(&f, t, ids);
    for (uint32_t id = 1; fine && id <= t->n_ops; id++) {
        if (trace_op_is_work(&t->ops[id])) fine = look_at(&f, id);
        else markers(&f, id);
    }
    fine = fine && trace_add_causes(t, f.causes, f.n);
    if (fine) t->inferred = true;
    free(ids);
    free(f.last);
    free(f.wait_before);
    free(f.stands_for);
    free(f.recorded);
    free(f.engine_before);
    free(f.ends);
    free(f.causes);
    return fine;
}
