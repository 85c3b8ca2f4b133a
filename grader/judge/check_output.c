/* check_output.c - the checks that look at what came out: results, report, values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/course/diff.h"
#include "grader/judge/report.h"
#include "grader/judge/check_context.h"

/* Events and what is recorded look at a real device, and at a model of one, from two sides: between
 * two events lies also what the device needs to begin. */
#define MEASURED_VALUE 0.1

enum { MOST_LOOKS = 10000000 }; /* an explanation is worth no more time than this */

static bool close_enough(float got, float expected)
{
    return got == expected || (isnan(got) && isnan(expected)) ||
           fabs((double)got - (double)expected) <= 1e-5 * fabs((double)expected);
}

/* ---- results ---- */
/* A copy back that ended after the part in which it was asked for: whoever read its target then
 * read it too soon. */
static bool say_unfinished(Context *c)
{
    const Trace *trace = c->trace;
    uint64_t looks = 0;
    for (uint32_t op = 1; trace && op <= trace->n_ops && looks < MOST_LOOKS; op++) {
        if (trace->ops[op].kind != TRACE_D2H || trace->ops[op].end_ns == TRACE_OPEN_NS) continue;
        const TraceRange *part = NULL; /* the outermost part: what follows it looks at results */
        for (uint32_t range = 1; range <= trace->n_ranges; range++, looks++) {
            if (!analysis_range_counts(trace, range) || !trace_in_range(trace, range, op)) continue;
            if (!part || trace->ranges[range].end_ns > part->end_ns) part = &trace->ranges[range];
        }
        if (!part || part->end_ns == TRACE_OPEN_NS || trace->ops[op].end_ns <= part->end_ns)
            continue;
        char one[PHRASE], end[PHRASE], closed[PHRASE];
        c->within = part->name;
        say_op(c, op, one);
        text_printf(&c->cause,
                    " %s ended at %s, after `%s` was over (%s): nothing waited for it, and its "
                    "target was read "
                    "too soon.",
                    one, say_moment(c, trace->ops[op].end_ns, end), part->name,
                    say_moment(c, part->end_ns, closed));
        return true;
    }
    return false;
}

/* The player's word for it (timeline/FORMAT.md): what the host computed is not there. */
static bool say_computed(Context *c)
{
    const Trace *trace = c->trace;
    for (uint32_t i = 1; trace && i <= trace->n_notes; i++) {
        if (strcmp(trace->notes[i].kind, "host-computed") != 0) continue;
        text_add(&c->cause, " These bytes were computed on the host; no copy brought them.");
        return true;
    }
    return false;
}

static uint32_t count_kind(const Trace *trace, TraceOpKind kind)
{
    uint32_t n = 0;
    for (uint32_t op = 1; trace && op <= trace->n_ops; op++) n += trace->ops[op].kind == kind;
    return n;
}

static bool say_missing_work(Context *c)
{
    static const struct {
        TraceOpKind kind;
        const char *words;
    } kinds[] = {
        {TRACE_H2D, "copies to the device"},
        {TRACE_KERNEL, "kernel launches"},
        {TRACE_D2H, "copies back to the host"},
    };
    const Trace *expected = c->evidence->expected.trace;
    for (size_t i = 0; expected && i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t ours = count_kind(c->trace, kinds[i].kind),
                 theirs = count_kind(expected, kinds[i].kind);
        if (ours >= theirs) continue;
        text_printf(&c->cause,
                    " The whole run has %u %s; it would have %u if nothing were missing.", ours,
                    kinds[i].words, theirs);
        return true;
    }
    return false;
}

/* The numbers from `first` on appear in the expected ones, elsewhere: a wrong offset. */
static bool say_moved(Context *c, const Dump *got, const Dump *expected, size_t first)
{
    enum { LOOK_AT = 8 };
    if (first + LOOK_AT > got->n) return false;
    bool same = true;
    for (size_t k = 1; k < LOOK_AT; k++)
        same = same && got->values[first + k] == got->values[first];
    if (same) return false; /* a constant is found everywhere */
    for (size_t at = 0; at + LOOK_AT <= expected->n; at++) {
        bool match = at != first;
        for (size_t k = 0; k < LOOK_AT && match; k++)
            match = close_enough(got->values[first + k], expected->values[at + k]);
        if (!match) continue;
        text_printf(&c->cause, " The numbers found there belong at index %zu.", at);
        return true;
    }
    return false;
}

static bool same_dump(Context *c, const Dump *got, const Dump *expected)
{
    if (got->n != expected->n) {
        text_printf(&c->cause, "`%s` has %zu numbers instead of %zu.", expected->name, got->n,
                    expected->n);
        return false;
    }
    size_t wrong = 0, first = 0, zeros = 0;
    for (size_t i = 0; i < got->n; i++) {
        if (close_enough(got->values[i], expected->values[i])) continue;
        if (!wrong++) first = i;
        zeros += got->values[i] == 0;
    }
    if (!wrong) return true;
    text_printf(
        &c->cause,
        "In `%s`, %zu of %zu numbers are wrong. The first is at index %zu: %.7g instead of %.7g.",
        expected->name, wrong, got->n, first, (double)got->values[first],
        (double)expected->values[first]);
    if (zeros == wrong && wrong > 1)
        text_add(&c->cause, " All of the wrong ones are 0: nothing has arrived there.");
    if (!say_computed(c) && !say_unfinished(c) && !say_missing_work(c))
        say_moved(c, got, expected, first);
    return false;
}

bool judge_results(Context *c)
{
    const char *of = check_key(c->check, "of");
    const Dumps *got = &c->evidence->got.dumps, *expected = &c->evidence->expected.dumps;
    size_t at = 0, seen = 0;
    for (size_t i = 0; i < expected->n; i++) {
        const Dump *wanted = &expected->items[i];
        if (of && strcmp(of, wanted->name) != 0) continue;
        seen++;
        while (at < got->n && strcmp(got->items[at].name, wanted->name)) at++;
        if (at == got->n) {
            c->absent = true;
            text_printf(&c->cause,
                        "The result `%s` is missing: the program ended before it was complete.",
                        wanted->name);
            return false;
        }
        if (!same_dump(c, &got->items[at], wanted)) return false;
        at++;
    }
    if (seen) return true;
    text_printf(&c->cause, "the solution leaves no result%s%s to compare with", of ? " named " : "",
                of ? of : "");
    c->broken = true;
    return false;
}

/* ---- report ---- */
bool judge_report(Context *c)
{
    const Evidence *e = c->evidence;
    bool exact = e->expected.trace && trace_exact(e->expected.trace);
    char *got = report_comparable(&e->got.report, &e->expected.report, e->golden, exact);
    char *expected = e->golden
                         ? memory_copy(e->golden)
                         : report_comparable(&e->expected.report, &e->expected.report, NULL, true);
    bool equal = diff_equal(expected, got);
    if (!equal) {
        text_add(&c->cause, e->golden ? "The report differs from the golden text."
                                      : "The report differs from what a right program leaves.");
        diff_add(&c->detail, expected, got, &(DiffOptions){.context = 2, .first_only = true});
    }
    free(got);
    free(expected);
    return equal;
}

bool judge_value(Context *c)
{
    const char *name = check_key(c->check, "name"), *within = check_key(c->check, "within");
    const char *text = values_find(&c->evidence->got.values, name);
    double expected, fraction = 0.01;
    if (!text) {
        text_printf(&c->cause,
                    "There is no value `%s`: the program did not come that far, or never gave it.",
                    name);
        return false;
    }
    if (!context_number(c, check_key(c->check, "equals"), &expected)) return false;
    if (within && !context_number(c, within, &fraction)) return false;
    if (c->trace && !trace_exact(c->trace) && fraction < MEASURED_VALUE) fraction = MEASURED_VALUE;
    char *end;
    double value = strtod(text, &end);
    if (end == text || !(fabs(value - expected) <= fraction * fabs(expected))) {
        text_printf(&c->cause, "`%s` is %s; by what was recorded it should be %.4g.", name, text,
                    expected);
        return false;
    }
    return true;
}
