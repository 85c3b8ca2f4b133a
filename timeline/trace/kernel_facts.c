/* kernel_facts.c - see kernel_facts.h. */
#include "timeline/trace/kernel_facts.h"
#include <math.h>
#include <string.h>

const TraceInside *kernel_facts_of(const Trace *trace, uint32_t op, TraceInsideKind kind)
{
    for (uint32_t i = 1; i <= trace->n_insides; i++)
        if (trace->insides[i].op == op && trace->insides[i].kind == kind) return &trace->insides[i];
    return NULL;
}

/* Does one of the operations write this allocation? */
static bool is_written_by(const Trace *trace, const AnalysisSet *set, uint32_t alloc)
{
    for (uint32_t i = 0; i < set->n; i++) {
        const TraceOp *op =
            set->items[i].what == ANALYSIS_OP ? &trace->ops[set->items[i].id] : NULL;
        for (uint32_t k = 0; op && k < op->n_uses; k++) {
            const TraceUse *use = &trace->uses[op->first_use + k];
            if (use->write && use->alloc == alloc) return true;
        }
    }
    return false;
}

bool kernel_facts_loads(const Trace *trace, uint32_t op, const AnalysisSet *from, double *bytes,
                        double *different)
{
    bool any = false;
    for (uint32_t i = 1; i <= trace->n_insides; i++) {
        const TraceInside *r = &trace->insides[i];
        if (r->op != op || r->kind != TRACE_INSIDE_READS) continue;
        if (from && !is_written_by(trace, from, r->alloc)) continue;
        *bytes += (double)r->n;
        *different += (double)r->of;
        any = true;
    }
    return any && *different > 0;
}

const TraceInside *kernel_facts_lead(const Trace *trace, uint32_t op, const char *ahead,
                                     const char *of)
{
    bool load = !strcmp(ahead, "load"), compute = !strcmp(of, "compute");
    TraceInsideKind kind = !load     ? TRACE_INSIDE_COMPUTE_STORE
                           : compute ? TRACE_INSIDE_LOAD_COMPUTE
                                     : TRACE_INSIDE_LOAD_STORE;
    const TraceInside *found = kernel_facts_of(trace, op, kind);
    /* where nobody only computes, those compute that store */
    if (!found && load && compute) found = kernel_facts_of(trace, op, TRACE_INSIDE_LOAD_STORE);
    return found && found->of ? found : NULL;
}

double kernel_facts_tiles(const TraceInside *lead, double tiles)
{
    /* what a warp touches besides (the barriers themselves) is no part of a tile */
    return floor((double)lead->n / (double)lead->of * tiles + 0.1);
}
