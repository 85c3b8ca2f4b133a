#include "timeline/pictures/path.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/trace/analysis.h"

enum { LOOK_BACK = 256 };             /* calls that are looked through */

static bool has_ended(const TraceOp *op)
{
    return trace_op_is_work(op) && op->start_ns != TRACE_OPEN_NS && op->end_ns != TRACE_OPEN_NS;
}

/* The operation that ended last in the time from..to, of all engines; 0 when none did. */
static uint32_t last_to_end(const Spans *s, uint64_t from, uint64_t to)
{
    uint32_t best = 0;
    uint64_t best_end = from;
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE]; i++) {
        const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
        for (uint32_t k = 0; k < track->n_lanes; k++) {
            const SpansLane *lane = &track->lanes[k];
            uint32_t at = spans_first_from(lane, to);
            for (uint32_t back = 0; back < 2 && at > 0; back++) {
                at--;
                uint64_t end = spans_end_ns(s, lane, at);
                if (end > to || end <= best_end) continue;
                best_end = end;
                best = lane->id[at];
            }
        }
    }
    return best;
}

/* The call of op's thread that ended last before op was issued, and took time. */
static uint32_t holding_call(const Trace *t, const TraceOp *op)
{
    const TraceCall *issuing = &t->calls[op->call];
    for (uint32_t id = op->call, looked = 0; id > 1 && looked < LOOK_BACK; looked++) {
        const TraceCall *call = &t->calls[--id];
        if (call->thread != issuing->thread || call->start_ns == TRACE_OPEN_NS) continue;
        if (call->end_ns != TRACE_OPEN_NS && call->end_ns > call->start_ns && call->end_ns <= op->issued_ns) return id;
    }
    return 0;
}

uint32_t path_back(const Spans *s, uint32_t id, uint32_t *call)
{
    const Trace *t = s->trace;
    *call = 0;
    if (id == 0 || id > t->n_ops || !trace_op_is_work(&t->ops[id])) return 0;
    const TraceOp *op = &t->ops[id];
    const TraceCause *cause = analysis_decisive_cause(t, id);
    if (cause && cause->kind != TRACE_BY_HOST && cause->by_op && cause->by_op != id && cause->until_ns > op->issued_ns
        && has_ended(&t->ops[cause->by_op])) return cause->by_op;
    if (cause && cause->kind != TRACE_BY_HOST && cause->until_ns > op->issued_ns) return 0;
    uint32_t held = holding_call(t, op);
    if (!held) return 0;
    uint32_t by = last_to_end(s, t->calls[held].start_ns, t->calls[held].end_ns);
    if (!by || by == id || t->ops[by].end_ns > op->start_ns) return 0;
    *call = held;
    return by;
}

uint64_t path_ready_ns(const Trace *t, uint32_t id)
{
    const TraceOp *op = &t->ops[id];
    uint64_t ready = op->issued_ns;
    for (uint32_t i = 0; i < op->n_causes; i++) {
        const TraceCause *cause = &t->causes[op->first_cause + i];
        bool dependency = cause->kind == TRACE_BY_STREAM || cause->kind == TRACE_BY_EVENT || cause->kind == TRACE_BY_LEGACY
                          || cause->kind == TRACE_BY_MEMORY || cause->kind == TRACE_BY_HOST;
        if (dependency && cause->until_ns > ready) ready = cause->until_ns;
    }
    return ready;
}

bool path_start(Path *p, const Spans *s)
{
    const Trace *t = s->trace;
    path_release(p);
    p->on = calloc((size_t)t->n_ops / 8 + 1, 1);
    if (!p->on) return false;
    p->n_ops = t->n_ops;
    p->last = p->at = last_to_end(s, 0, UINT64_MAX - 1);
    p->done = p->at == 0;
    return true;
}

void path_go(Path *p, const Spans *s, uint32_t steps)
{
    while (!p->done && steps-- > 0) {
        uint32_t call;
        p->on[p->at / 8] |= (uint8_t)(1u << p->at % 8);
        p->length++;
        p->at = path_back(s, p->at, &call);
        /* a trace that is wrong may lead in a circle */
        if (p->at == 0 || p->at > p->n_ops || path_has(p, p->at)) p->done = true;
    }
}

bool path_has(const Path *p, uint32_t op)
{
    return p->on && op <= p->n_ops && (p->on[op / 8] >> op % 8 & 1);
}

void path_release(Path *p)
{
    free(p->on);
    memset(p, 0, sizeof *p);
}
