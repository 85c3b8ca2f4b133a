/* check_inside.c - the checks that look into kernels: how far the warps that load may be ahead, how
 * often memory is loaded, barriers of whole blocks, when a kernel reads what the one before it
 * wrote. The virtual GPU finds these out by itself (`inside` in timeline/FORMAT.md); no word of the
 * program's own counts. */
#include <stdio.h>
#include <string.h>
#include "grader/judge/check_context.h"
#include "timeline/trace/kernel_facts.h"

/* Was it looked into? Else the context says why nothing is known. */
static bool is_known(Context *c, uint32_t op)
{
    char one[PHRASE];
    if (kernel_facts_of(c->trace, op, TRACE_INSIDE_BARRIERS)) return true;
    text_printf(&c->cause,
                "What happens inside %s is not known: it did not come to its end by itself (it "
                "failed, or it waits for memory that something else changes).",
                say_op(c, op, one));
    c->absent = true;
    return false;
}

/* The kernels of `select`, of which the judge asks each. */
typedef bool JudgeKernel(Context *, uint32_t op);
static bool judge_kernels(Context *c, JudgeKernel *judge)
{
    AnalysisSet *set = context_set(c, check_key(c->check, "select"), true);
    bool passes = set != NULL;
    for (uint32_t i = 0; passes && i < set->n; i++) {
        uint32_t op = set->items[i].id;
        if (set->items[i].what != ANALYSIS_OP || c->trace->ops[op].kind != TRACE_KERNEL) continue;
        passes = is_known(c, op) && judge(c, op);
    }
    analysis_set_free(set);
    return passes;
}

/* ---- loads ---- */

static bool loads_of_kernel(Context *c, uint32_t op)
{
    const char *text = check_key(c->check, "from");
    AnalysisSet *from = text ? context_set(c, text, true) : NULL;
    double bytes = 0, different = 0;
    char one[PHRASE], wanted[PHRASE];
    if (text && !from) return false;
    bool any = kernel_facts_loads(c->trace, op, from, &bytes, &different);
    analysis_set_free(from);
    if (!any) {
        text_printf(&c->cause, "%s loads nothing of %s.", say_op(c, op, one),
                    text ? "what was copied there for it" : "the GPU's memory");
        return false;
    }
    if (context_compare(c, bytes / different, 0.01, wanted)) return true;
    if (!c->broken)
        text_printf(&c->cause,
                    "%s loads every byte of its input %.2f times; %s is wanted: its threads ask "
                    "for %.0f bytes, and there are only %.0f different ones.",
                    say_op(c, op, one), bytes / different, wanted, bytes, different);
    return false;
}

bool judge_loads(Context *c) { return judge_kernels(c, loads_of_kernel); }

/* ---- barriers ---- */

static bool barriers_of_kernel(Context *c, uint32_t op)
{
    double passed = (double)kernel_facts_of(c->trace, op, TRACE_INSIDE_BARRIERS)->n;
    char one[PHRASE], wanted[PHRASE];
    if (context_compare(c, passed, 0, wanted)) return true;
    if (!c->broken)
        text_printf(&c->cause,
                    "In %s a block passes %.0f barriers at which all of its threads meet "
                    "(__syncthreads() and its like); %s %s wanted. Where all meet, nobody is "
                    "ahead of anybody.",
                    say_op(c, op, one), passed, wanted, strcmp(wanted, "exactly 1") ? "are" : "is");
    return false;
}

bool judge_barriers(Context *c) { return judge_kernels(c, barriers_of_kernel); }

/* ---- clusters ---- */

static bool clusters_of_kernel(Context *c, uint32_t op)
{
    const TraceInside *record = kernel_facts_of(c->trace, op, TRACE_INSIDE_CLUSTER);
    double blocks = record ? (double)record->n : 1;
    char one[PHRASE], wanted[PHRASE];
    if (context_compare(c, blocks, 0, wanted)) return true;
    if (c->broken) return false;
    say_op(c, op, one);
    if (!record)
        text_printf(&c->cause,
                    "%s was launched without clusters: each of its blocks is alone. Clusters of %s "
                    "blocks are wanted.",
                    one, wanted);
    else
        text_printf(
            &c->cause,
            "%s was launched in clusters of %.0f blocks (%.0f blocks in all); clusters of %s "
            "are wanted.",
            one, blocks, (double)record->of, wanted);
    return false;
}

bool judge_clusters(Context *c) { return judge_kernels(c, clusters_of_kernel); }

/* ---- lead ---- */

static const char *role_verb(const char *role)
{
    return !strcmp(role, "load") ? "load" : !strcmp(role, "compute") ? "compute" : "store";
}

static bool lead_of_kernel(Context *c, uint32_t op)
{
    const char *ahead = check_key(c->check, "ahead"), *of = check_key(c->check, "of");
    const TraceInside *lead = kernel_facts_lead(c->trace, op, ahead, of);
    double tiles;
    char one[PHRASE], wanted[PHRASE];
    if (!context_number(c, check_key(c->check, "tiles"), &tiles)) return false;
    if (!lead) {
        text_printf(&c->cause,
                    "In %s there are no warps that only %s and others that only %s: where the same "
                    "threads do both, one after the other, nothing is done ahead.",
                    say_op(c, op, one), role_verb(ahead), role_verb(of));
        return false;
    }
    double found = kernel_facts_tiles(lead, tiles);
    if (context_compare(c, found, 0, wanted)) return true;
    if (!c->broken)
        text_printf(&c->cause,
                    "In %s the warps that %s can be %.0f tile%s ahead of those that %s; %s %s "
                    "wanted. That is what the kernel's barriers allow, whoever is quick: who is "
                    "ahead waits too early, or for something that comes too late.",
                    say_op(c, op, one), role_verb(ahead), found, found == 1 ? "" : "s",
                    role_verb(of), wanted, strcmp(wanted, "exactly 1") ? "are" : "is");
    return false;
}

bool judge_lead(Context *c) { return judge_kernels(c, lead_of_kernel); }

/* ---- inputs ---- */

static bool writes_alloc(const Trace *trace, uint32_t op, uint32_t alloc)
{
    for (uint32_t i = 1; i <= trace->n_insides; i++) {
        const TraceInside *r = &trace->insides[i];
        if (r->op == op && r->kind == TRACE_INSIDE_WRITES && r->alloc == alloc) return true;
    }
    return false;
}

bool judge_inputs(Context *c)
{
    AnalysisSet *set = context_set(c, check_key(c->check, "select"), true);
    bool passes = set != NULL;
    uint32_t before = 0;
    for (uint32_t i = 0; passes && i < set->n; i++) {
        uint32_t op = set->items[i].id;
        if (set->items[i].what != ANALYSIS_OP || c->trace->ops[op].kind != TRACE_KERNEL) continue;
        passes = is_known(c, op);
        const TraceInside *early = NULL;
        for (uint32_t k = 1; passes && before && k <= c->trace->n_insides; k++) {
            const TraceInside *r = &c->trace->insides[k];
            if (r->op != op || r->kind != TRACE_INSIDE_READS) continue;
            if (r->ns < c->trace->ops[before].end_ns && writes_alloc(c->trace, before, r->alloc) &&
                (!early || r->ns < early->ns))
                early = r;
        }
        if (early) {
            char one[PHRASE], other[PHRASE], at[PHRASE], end[PHRASE];
            say_op(c, op, one); /* before the moments, which count from where its picture begins */
            say_op(c, before, other);
            text_printf(&c->cause,
                        "%s reads what %s writes at %s, but %s ends only at %s: what it reads is "
                        "not there yet. To have begun is not to be allowed to read.",
                        one, other, say_moment(c, early->ns, at), other,
                        say_moment(c, c->trace->ops[before].end_ns, end));
            passes = false;
        }
        before = op;
    }
    analysis_set_free(set);
    return passes;
}
