/* evidence.c - see evidence.h. */
#include "grader/judge/evidence.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/course/expr.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/kernel_facts.h"

enum { LONGEST_HEADER = 300 };

void dumps_parse(Dumps *dumps, const char *bytes, size_t length)
{
    const char *at = bytes, *end = bytes + length;
    *dumps = (Dumps){0};
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        char header[LONGEST_HEADER], name[200];
        unsigned long long n = 0;
        int used = 0;
        if (!line_end || line_end - at >= LONGEST_HEADER) break;
        snprintf(header, sizeof header, "%.*s", (int)(line_end - at), at);
        if (sscanf(header, "dump %199s f32 %llu%n", name, &n, &used) != 2 || header[used]) break;
        const char *data = line_end + 1;
        if (n > (size_t)(end - data) / sizeof(float)) break;
        Dump dump = {memory_copy(name), memory_get((size_t)n, sizeof(float)), (size_t)n};
        if (n) memcpy(dump.values, data, (size_t)n * sizeof(float));
        dumps->items = memory_grow(dumps->items, dumps->n + 1, sizeof *dumps->items);
        dumps->items[dumps->n++] = dump;
        at = data + n * sizeof(float);
        if (at >= end || *at != '\n') break;
        at++;
    }
    dumps->damaged = at < end;
}

void values_parse(Values *values, const char *text)
{
    *values = (Values){0};
    for (const char *at = text; *at;) {
        const char *end = strchrnul(at, '\n');
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        if (blank && *end) { /* a line without an end was cut off */
            values->items = memory_grow(values->items, values->n + 1, sizeof *values->items);
            values->items[values->n++] =
                (ExercisePair){memory_format("%.*s", (int)(blank - at), at),
                               memory_format("%.*s", (int)(end - blank - 1), blank + 1), 0};
        }
        at = *end ? end + 1 : end;
    }
}

void dumps_release(Dumps *dumps)
{
    for (size_t i = 0; i < dumps->n; i++) free(dumps->items[i].name), free(dumps->items[i].values);
    free(dumps->items);
    *dumps = (Dumps){0};
}

void values_release(Values *values)
{
    for (size_t i = 0; i < values->n; i++)
        free(values->items[i].name), free(values->items[i].value);
    free(values->items);
    *values = (Values){0};
}

const char *values_find(const Values *values, const char *name)
{
    for (size_t i = values->n; i > 0; i--) {
        if (!strcmp(values->items[i - 1].name, name)) return values->items[i - 1].value;
    }
    return NULL;
}

void report_release(Report *report)
{
    text_release(&report->text);
    free(report->fields);
    *report = (Report){0};
}

void recording_release(Recording *recording)
{
    if (recording->trace) trace_free(recording->trace);
    recording->trace = NULL;
    dumps_release(&recording->dumps);
    values_release(&recording->values);
    report_release(&recording->report);
}

/* ---- measures ---- */
static MeasureKind makespan(const Trace *trace, const char *range, double *ns)
{
    uint32_t id = analysis_range(trace, range);
    *ns = id ? (double)analysis_makespan_ns(trace, id) : 0;
    return *ns > 0 ? MEASURE_VALUE : MEASURE_MISSING;
}

/* The call that issued the operation returned before the operation ended. */
static bool returned_before(const Trace *trace, const AnalysisInterval *interval)
{
    const TraceOp *op = interval->what == ANALYSIS_OP ? &trace->ops[interval->id] : NULL;
    if (!op || !op->call || op->call > trace->n_calls) return false;
    /* a real driver returns from a copy that it waits for when the last piece is on its way */
    uint64_t last_ns = trace_measured(trace) ? (op->end_ns - op->start_ns) / 10 : 0;
    return trace->calls[op->call].end_ns + last_ns < op->end_ns;
}

/* loads(SELECTOR), barriers(SELECTOR): the kernels of the set together; the most of any. */
static MeasureKind of_inside(const Trace *trace, const char *function, const char *selector,
                             double *value, char *error, size_t error_size)
{
    AnalysisSet *set = analysis_select(trace, selector, error, error_size);
    if (!set) return MEASURE_WRONG;
    double bytes = 0, different = 0, most = 0;
    bool any = false, loads = !strcmp(function, "loads");
    for (uint32_t i = 0; i < set->n; i++) {
        if (set->items[i].what != ANALYSIS_OP) continue;
        if (loads)
            any = kernel_facts_loads(trace, set->items[i].id, NULL, &bytes, &different) || any;
        for (uint32_t k = 1; !loads && k <= trace->n_insides; k++) {
            const TraceInside *r = &trace->insides[k];
            if (r->op != set->items[i].id || r->kind != TRACE_INSIDE_BARRIERS) continue;
            any = true;
            if ((double)r->n > most) most = (double)r->n;
        }
    }
    analysis_set_free(set);
    if (!any) return MEASURE_MISSING;
    *value = loads ? bytes / different : most;
    return MEASURE_VALUE;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* longest(SELECTORS), median(SELECTORS): how long these last, in units. Of an even number the lower
 * of the two in the middle, which one of them lasted. */
static MeasureKind of_lengths(const Trace *trace, const char *function, const char *selectors,
                              double *value, char *error, size_t error_size)
{
    double *lengths = NULL;
    size_t n = 0;
    bool fine = true;
    char **parts = list_split(selectors, ',', NULL);
    for (size_t part = 0; parts[part] && fine; part++) {
        AnalysisSet *set = analysis_select(trace, parts[part], error, error_size);
        fine = set != NULL;
        if (fine) lengths = memory_grow(lengths, n + set->n + 1, sizeof *lengths);
        for (uint32_t i = 0; fine && i < set->n; i++)
            lengths[n++] = (double)(set->items[i].end_ns - set->items[i].start_ns) /
                           (double)trace_unit_ns(trace);
        analysis_set_free(set);
    }
    if (n) qsort(lengths, n, sizeof *lengths, by_value);
    if (fine && n) *value = lengths[function[0] == 'l' ? n - 1 : (n - 1) / 2];
    list_free(parts);
    free(lengths);
    return !fine ? MEASURE_WRONG : n ? MEASURE_VALUE : MEASURE_MISSING;
}

static MeasureKind of_set(const Trace *trace, const char *function, const char *selector,
                          double *value, char *error, size_t error_size)
{
    AnalysisSet *set = analysis_select(trace, selector, error, error_size);
    if (!set) return MEASURE_WRONG;
    MeasureKind kind = MEASURE_VALUE;
    double bytes = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        if (set->items[i].what == ANALYSIS_OP) bytes += (double)trace->ops[set->items[i].id].bytes;
    }
    if (!strcmp(function, "async") || !strcmp(function, "blocks")) {
        if (!set->n) kind = MEASURE_MISSING;
        *value = 1;
        for (uint32_t i = 0; i < set->n; i++) {
            if (returned_before(trace, &set->items[i]) != (function[0] == 'a')) *value = 0;
        }
    } else if (!strcmp(function, "count")) {
        *value = set->n;
    } else if (!strcmp(function, "bytes")) {
        *value = bytes;
    } else {
        double busy = (double)analysis_set_busy_ns(set);
        if (busy > 0) *value = bytes / busy; /* bytes per nanosecond are GB/s */
        else kind = MEASURE_MISSING;
    }
    analysis_set_free(set);
    return kind;
}

MeasureKind measure(const Recording *recording, const char *function, const char *arguments,
                    double *value, char *error, size_t error_size)
{
    const Trace *trace = recording->trace;
    size_t n;
    char **parts = list_split(arguments, ',', &n);
    MeasureKind kind = MEASURE_UNKNOWN;
    const char *first = n ? parts[0] : "";
    double ns = 0, other = 0;
    if (!strcmp(function, "value")) {
        const char *text = values_find(&recording->values, first);
        char *end = NULL;
        *value = text ? strtod(text, &end) : 0;
        kind = text && end != text ? MEASURE_VALUE : MEASURE_MISSING;
    } else if (!strcmp(function, "units") || !strcmp(function, "ms") || !strcmp(function, "us")) {
        kind = trace ? makespan(trace, first, &ns) : MEASURE_MISSING;
        *value = ns / (function[0] == 'u' && function[1] == 'n'
                           ? (trace ? (double)trace_unit_ns(trace) : 1)
                       : function[0] == 'm' ? 1e6
                                            : 1e3);
    } else if (!strcmp(function, "speedup")) {
        kind = MEASURE_MISSING;
        if (n != 2) {
            snprintf(error, error_size, "speedup takes two ranges");
            kind = MEASURE_WRONG;
        } else if (trace && makespan(trace, first, &ns) == MEASURE_VALUE &&
                   makespan(trace, parts[1], &other) == MEASURE_VALUE) {
            *value = ns / other;
            kind = MEASURE_VALUE;
        }
    } else if (!strcmp(function, "faster")) {
        MeasureKind second =
            n == 2 ? measure(recording, "gbs", parts[1], &other, error, error_size) : MEASURE_WRONG;
        kind = n == 2 ? measure(recording, "gbs", first, &ns, error, error_size) : MEASURE_WRONG;
        if (n != 2) snprintf(error, error_size, "faster takes two selectors");
        else if (kind == MEASURE_VALUE) kind = second;
        if (kind == MEASURE_VALUE) *value = other / ns;
    } else if (!strcmp(function, "gbs") || !strcmp(function, "bytes") ||
               !strcmp(function, "count") || !strcmp(function, "async") ||
               !strcmp(function, "blocks")) {
        kind =
            trace ? of_set(trace, function, arguments, value, error, error_size) : MEASURE_MISSING;
    }
    if (!strcmp(function, "longest") || !strcmp(function, "median"))
        kind = trace ? of_lengths(trace, function, arguments, value, error, error_size)
                     : MEASURE_MISSING;
    if (!strcmp(function, "loads") || !strcmp(function, "barriers"))
        kind = trace ? of_inside(trace, function, arguments, value, error, error_size)
                     : MEASURE_MISSING;
    list_free(parts);
    return kind;
}

typedef struct Asked {
    const Evidence *evidence;
    bool missing; /* a measure had no value */
} Asked;

static bool parameter(void *data, const char *name, double *value, char *error, size_t error_size)
{
    const Asked *asked = data;
    const char *text = run_param(asked->evidence->run, name);
    char *end = NULL;
    if (!text) return false;
    *value = strtod(text, &end);
    if (!*end) return true;
    snprintf(error, error_size, "parameter '%.60s' is not a number", name);
    return false;
}

static bool measured(void *data, const char *function, const char *arguments, double *value,
                     char *error, size_t error_size)
{
    Asked *asked = data;
    MeasureKind kind =
        measure(&asked->evidence->got, function, arguments, value, error, error_size);
    if (kind == MEASURE_MISSING) {
        asked->missing = true;
        snprintf(error, error_size, "%.40s(%.100s) has no value: nothing ran there", function,
                 arguments);
    }
    return kind == MEASURE_VALUE;
}

MeasureKind evidence_number(const Evidence *evidence, const char *expression, double *value,
                            char *error, size_t error_size)
{
    Asked asked = {.evidence = evidence};
    if (expr_eval(expression, &(ExprScope){parameter, measured, &asked, false}, value, error,
                  error_size))
        return MEASURE_VALUE;
    return asked.missing ? MEASURE_MISSING : MEASURE_WRONG;
}
