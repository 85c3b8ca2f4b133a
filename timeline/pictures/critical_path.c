#include "timeline/pictures/critical_path.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/trace/analysis.h"

enum { LOOKED_AT = 8 }; /* operations, in place of one that is marked */

static bool has_ended(const TraceOp *op)
{
    return trace_op_is_work(op) && op->start_ns != TRACE_OPEN_NS && op->end_ns != TRACE_OPEN_NS;
}

bool critical_path_later(const Trace *t, uint32_t id, uint32_t other)
{
    uint64_t end = t->ops[id].end_ns, other_end = t->ops[other].end_ns;
    return end > other_end || (end == other_end && id > other);
}

uint32_t critical_path_back(const Trace *t, uint32_t id, uint32_t *call)
{
    *call = 0;
    if (id == 0 || id > t->n_ops || !trace_op_is_work(&t->ops[id])) return 0;
    const TraceOp *op = &t->ops[id];
    const TraceCause *cause = analysis_decisive_cause(t, id);
    if (cause && cause->kind != TRACE_BY_HOST && cause->by_op && cause->by_op != id &&
        cause->until_ns > op->issued_ns && has_ended(&t->ops[cause->by_op]))
        return cause->by_op;
    if (cause && cause->kind != TRACE_BY_HOST && cause->until_ns > op->issued_ns) return 0;
    return analysis_held(t, id, call);
}

uint64_t critical_path_ready_ns(const Trace *t, uint32_t id)
{
    const TraceOp *op = &t->ops[id];
    uint64_t ready = op->issued_ns;
    for (uint32_t i = 0; i < op->n_causes; i++) {
        const TraceCause *cause = &t->causes[op->first_cause + i];
        bool dependency = cause->kind == TRACE_BY_STREAM || cause->kind == TRACE_BY_EVENT ||
                          cause->kind == TRACE_BY_LEGACY || cause->kind == TRACE_BY_MEMORY ||
                          cause->kind == TRACE_BY_POOL || cause->kind == TRACE_BY_HOST ||
                          cause->kind == TRACE_BY_TRIGGER || cause->kind == TRACE_BY_GRAPH;
        if (dependency && cause->until_ns > ready) ready = cause->until_ns;
    }
    return ready;
}

bool critical_path_start(CriticalPath *p, const Trace *t)
{
    critical_path_release(p);
    p->on = calloc((size_t)t->n_ops / 8 + 1, 1);
    if (!p->on) return false;
    p->n_ops = t->n_ops;
    p->done = p->n_ops == 0;
    return true;
}

/* A million operations are not looked at between two keys. */
static void look_for_last(CriticalPath *p, const Trace *t)
{
    for (int i = 0; i < LOOKED_AT && p->seen < p->n_ops; i++) {
        uint32_t id = ++p->seen;
        if (has_ended(&t->ops[id]) && (!p->last || critical_path_later(t, id, p->last)))
            p->last = id;
    }
    if (p->seen < p->n_ops) return;

    p->at = p->last;
    p->done = p->at == 0;
}

void critical_path_go(CriticalPath *p, const Trace *t, uint32_t steps)
{
    while (!p->done && steps-- > 0) {
        uint32_t call;
        if (p->seen < p->n_ops) {
            look_for_last(p, t);
            continue;
        }
        p->on[p->at / 8] |= (uint8_t)(1u << p->at % 8);
        p->length++;
        p->at = critical_path_back(t, p->at, &call);
        /* a trace that is wrong may lead in a circle */
        if (p->at == 0 || p->at > p->n_ops || critical_path_has(p, p->at)) p->done = true;
    }
}

bool critical_path_has(const CriticalPath *p, uint32_t op)
{
    return p->on && op <= p->n_ops && (p->on[op / 8] >> op % 8 & 1);
}

void critical_path_release(CriticalPath *p)
{
    free(p->on);
    memset(p, 0, sizeof *p);
}
