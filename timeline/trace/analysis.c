#include "timeline/trace/analysis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

enum {
    TEXT = 256,
    NOT_READY = 600, /* cudaErrorNotReady: the answer of a query */
    LOOK_BACK = 4096
}; /* how many calls, ops or ranges a sentence looks through for its reason */

/* ---- ranges ---- */

bool analysis_range_counts(const Trace *t, uint32_t id)
{
    return t->ranges[id].start_ns != TRACE_OPEN_NS && t->ranges[id].by != TRACE_SIDE_STUDENT;
}

uint32_t analysis_range_nth(const Trace *t, const char *name, uint32_t nth)
{
    for (uint32_t id = 1; id <= t->n_ranges; id++) {
        if (analysis_range_counts(t, id) && strcmp(t->ranges[id].name, name) == 0 && nth-- == 0)
            return id;
    }
    return 0;
}

uint32_t analysis_range(const Trace *t, const char *name) { return analysis_range_nth(t, name, 0); }

uint32_t analysis_range_to_show(const Trace *t, const char *name)
{
    uint32_t found = analysis_range(t, name);
    for (uint32_t id = 1; id <= t->n_ranges && !found; id++) {
        if (t->ranges[id].start_ns != TRACE_OPEN_NS && strcmp(t->ranges[id].name, name) == 0)
            found = id;
    }
    return found;
}

/* ---- busy times ---- */

static uint64_t op_end(const Trace *t, const TraceOp *op)
{
    return op->end_ns != TRACE_OPEN_NS ? op->end_ns
           : t->last_ns > op->start_ns ? t->last_ns
                                       : op->start_ns;
}

static bool counts(const Trace *t, uint32_t range, uint32_t id)
{
    const TraceOp *op = &t->ops[id];
    return trace_op_is_work(op) && op->start_ns != TRACE_OPEN_NS && trace_in_range(t, range, id);
}

uint64_t analysis_makespan_ns(const Trace *t, uint32_t range)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        if (!counts(t, range, id)) continue;
        if (t->ops[id].start_ns < first) first = t->ops[id].start_ns;
        if (op_end(t, &t->ops[id]) > last) last = op_end(t, &t->ops[id]);
    }
    return last > first ? last - first : 0;
}

/* A moment at which something (an engine, a set) begins (+1) or ends (-1) being busy with one more
 * interval. */
typedef struct Edge {
    uint64_t ns;
    uint32_t who;
    int32_t step;
} Edge;

static int compare_edges(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    if (a->ns != b->ns) return a->ns < b->ns ? -1 : 1;
    return a->step < b->step ? -1 : a->step > b->step; /* what ends at a time is not busy beside
                                                          what begins */
}

/* The time in which at least `least` of the n_who are busy. *first_ns: when that first was so. */
static uint64_t sweep(Edge *edges, size_t n, uint32_t n_who, uint32_t least, uint64_t *first_ns)
{
    uint32_t *busy = calloc((size_t)n_who + 1, sizeof *busy);
    if (!busy) return 0;
    qsort(edges, n, sizeof *edges, compare_edges);
    uint32_t active = 0;
    uint64_t sum = 0, since = 0;
    for (size_t i = 0; i < n; i++) {
        if (active >= least && edges[i].ns > since) {
            if (sum == 0 && first_ns) *first_ns = since;
            sum += edges[i].ns - since;
        }
        since = edges[i].ns;
        uint32_t *b = &busy[edges[i].who];
        if (edges[i].step > 0) active += (*b)++ == 0;
        else active -= --*b == 0;
    }
    free(busy);
    return sum;
}

static uint64_t engines_busy(const Trace *t, uint32_t range, uint32_t engine, uint32_t least)
{
    size_t n = 0;
    Edge *edges = malloc(2 * ((size_t)t->n_ops + 1) * sizeof *edges);
    if (!edges) return 0;
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        const TraceOp *op = &t->ops[id];
        if (!counts(t, range, id) || (engine && op->engine != engine)) continue;
        Edge begin = {op->start_ns, op->engine, 1}, end = {op_end(t, op), op->engine, -1};
        if (end.ns == begin.ns) continue;
        edges[n++] = begin;
        edges[n++] = end;
    }
    uint64_t sum = sweep(edges, n, t->n_engines, least, NULL);
    free(edges);
    return sum;
}

uint64_t analysis_engine_busy_ns(const Trace *t, uint32_t range, uint32_t engine)
{
    return engine && engine <= t->n_engines ? engines_busy(t, range, engine, 1) : 0;
}

uint64_t analysis_engines_busy_ns(const Trace *t, uint32_t range, uint32_t least)
{
    return least ? engines_busy(t, range, 0, least) : 0;
}

/* ---- selectors ---- */

bool analysis_match(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return !*pattern;
}

bool analysis_match_call(const char *pattern, const char *name)
{
    if (analysis_match(pattern, name)) return true;
    if (strncmp(name, "cu", 2) != 0 || strncmp(name, "cuda", 4) == 0) return false;
    char runtime[TEXT];
    snprintf(runtime, sizeof runtime, "cuda%s", name + 2);
    return analysis_match(pattern, runtime);
}

/* A call with which the host waits for the device, by what its documentation says. (An Async copy
 * of pageable memory is not among them: checks of kind `memory` and `async` tell that.) */
static bool waits(const char *name)
{
    static const char *const patterns[] = {"cuda*Synchronize",   "cudaMemcpy*",
                                           "cudaMemset*",        "cudaFree",
                                           "cudaFreeHost",       "cudaFreeArray",
                                           "cudaMemFree",        "cudaMemFreeHost",
                                           "cudaHostUnregister", "cudaMemHostUnregister"};
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, "Async") == 0) return false;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (analysis_match_call(patterns[i], name)) return true;
    return false;
}

/* Does the host wait with this call? A loop that asks (cudaStreamQuery, cudaEventQuery) until it is
 * told yes is one wait: its first question that was answered with no. In a host function, where
 * nobody may call CUDA, nobody waits. `asking`: the threads that are in such a loop, by number. */
static bool wait_of(const Trace *t, uint32_t id, bool *asking)
{
    const TraceCall *call = &t->calls[id];
    bool driver = call->thread && call->thread <= t->n_threads &&
                  t->threads[call->thread].role == TRACE_THREAD_DRIVER;
    if (driver || !trace_cuda_call(call->name)) return false;
    bool again = call->thread <= t->n_threads && asking[call->thread];
    bool now = call->result == NOT_READY;
    if (call->thread <= t->n_threads) asking[call->thread] = now;
    return now ? !again : waits(call->name);
}

typedef struct Selector {
    AnalysisWhat what;
    int kind;                     /* a TraceOpKind, or -1: any that is work */
    bool node;                    /* only what a graph launched */
    bool waits;                   /* of calls: those with which the host waits */
    char name[TEXT], range[TEXT]; /* patterns; "" when there is none */
} Selector;

static bool copy_part(char *to, const char *from, size_t length)
{
    while (length > 0 && (*from == ' ' || *from == '\t')) {
        from++;
        length--;
    }
    while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t')) length--;
    if (length == 0 || length >= TEXT) return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static bool parse_selector(Selector *s, const char *text, char *error, size_t error_size)
{
    char what[TEXT] = "";
    const char *at = strrchr(text, '@'), *end = at ? at : text + strlen(text);
    const char *colon = memchr(text, ':', (size_t)(end - text));
    s->what = ANALYSIS_OP;
    s->kind = -1;
    s->waits = s->node = false;
    s->name[0] = s->range[0] = '\0';
    if (!copy_part(what, text, (size_t)((colon ? colon : end) - text)) ||
        (colon && !copy_part(s->name, colon + 1, (size_t)(end - colon - 1))) ||
        (at && !copy_part(s->range, at + 1, strlen(at + 1)))) {
        snprintf(error, error_size, "selector '%.80s': expected what[:name][@range]", text);
        return false;
    }
    if (strcmp(what, "work") == 0) return true;
    if (strcmp(what, "node") == 0) {
        s->node = true;
        return true;
    }
    if (strcmp(what, trace_op_word[TRACE_GRAPH]) == 0) {
        s->kind = TRACE_GRAPH;
        return true;
    }
    if (strcmp(what, "call") == 0 || strcmp(what, "wait") == 0 || strcmp(what, "range") == 0) {
        s->what = what[0] == 'r' ? ANALYSIS_RANGE : ANALYSIS_CALL;
        s->waits = what[0] == 'w';
        return true;
    }
    for (int kind = 0; kind <= TRACE_HOSTFN; kind++) {
        if (strcmp(what, trace_op_word[kind]) != 0) continue;
        s->kind = kind;
        return true;
    }
    snprintf(error, error_size,
             "selector '%.80s': unknown '%.40s' (known: h2d d2h d2d h2h p2p memset kernel hostfn "
             "work node graph call wait range)",
             text, what);
    return false;
}

/* The ranges that a selector's @range names, so that asking whether something lies in one of them
 * takes the same time however many there are. */
typedef struct Ranges {
    uint32_t n;
    struct Span {
        uint64_t start_ns, end_ns, reach_ns;
    } * spans; /* by start; reach: the latest end up to here */
    uint32_t n_ids;
    int32_t *depth; /* depth[id]: how many of the ranges stand around this id in the file */
} Ranges;

static int compare_spans(const void *left, const void *right)
{
    const struct Span *a = left, *b = right;
    return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

static bool ranges_init(Ranges *r, const Trace *t, AnalysisWhat what, const char *pattern)
{
    r->n = 0;
    r->n_ids = what == ANALYSIS_OP ? t->n_ops : what == ANALYSIS_CALL ? t->n_calls : t->n_ranges;
    r->spans = malloc(((size_t)t->n_ranges + 1) * sizeof *r->spans);
    r->depth = calloc((size_t)r->n_ids + 2, sizeof *r->depth);
    if (!r->spans || !r->depth) return false;
    for (uint32_t id = 1; id <= t->n_ranges; id++) {
        const TraceRange *range = &t->ranges[id];
        if (!analysis_range_counts(t, id) || !analysis_match(pattern, range->name)) continue;
        struct Span span = {range->start_ns, range->end_ns, 0};
        r->spans[r->n++] = span;
        uint32_t first = what == ANALYSIS_OP     ? range->first_op
                         : what == ANALYSIS_CALL ? range->first_call
                                                 : id + 1;
        uint32_t end = what == ANALYSIS_OP     ? range->end_op
                       : what == ANALYSIS_CALL ? range->end_call
                                               : range->end_range;
        if (first > r->n_ids) continue;
        r->depth[first]++;
        r->depth[end <= r->n_ids ? end : r->n_ids + 1]--;
    }
    qsort(r->spans, r->n, sizeof *r->spans, compare_spans);
    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t before = i ? r->spans[i - 1].reach_ns : 0;
        r->spans[i].reach_ns = r->spans[i].end_ns > before ? r->spans[i].end_ns : before;
    }
    for (uint32_t id = 1; id <= r->n_ids; id++) r->depth[id] += r->depth[id - 1];
    return true;
}

static void ranges_release(Ranges *r)
{
    free(r->spans);
    free(r->depth);
}

static bool ranges_hold(const Ranges *r, uint64_t ns, uint32_t id)
{
    uint32_t before = 0, high = r->n; /* ranges that began before ns */
    while (before < high) {
        uint32_t middle = before + (high - before) / 2;
        if (r->spans[middle].start_ns < ns) before = middle + 1;
        else high = middle;
    }
    if (before > 0 && r->spans[before - 1].reach_ns > ns) return true;
    bool touches_start = before < r->n && r->spans[before].start_ns == ns;
    bool touches_end = before > 0 && r->spans[before - 1].reach_ns == ns;
    return (touches_start || touches_end) && r->depth[id] > 0;
}

static int compare_intervals(const void *left, const void *right)
{
    const AnalysisInterval *a = left, *b = right;
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static bool named(const Selector *s, const char *name)
{
    if (!s->name[0]) return true;
    return s->what == ANALYSIS_CALL ? analysis_match_call(s->name, name)
                                    : analysis_match(s->name, name);
}

/* A copy between devices has no name of its own; it is known by its link: "0>1". */
static const char *name_of_op(const Trace *t, const TraceOp *op, char *text, size_t size)
{
    const TraceEngine *engine = &t->engines[op->engine];
    if (op->kind != TRACE_P2P || !engine->to) return op->name;
    snprintf(text, size, "%u>%u", engine->device - 1, engine->to - 1);
    return text;
}

/* The interval of element id if the selector (but for its @range) names it. issued_ns is what
 * @range looks at. */
static bool interval_of(const Trace *t, const Selector *s, uint32_t id, AnalysisInterval *interval,
                        uint64_t *issued_ns)
{
    const char *name;
    char link[TEXT];
    if (s->what == ANALYSIS_OP) {
        const TraceOp *op = &t->ops[id];
        if (s->kind >= 0 ? (int)op->kind != s->kind : !trace_op_is_work(op)) return false;
        if (s->kind == TRACE_GRAPH && op->launch) return false; /* a node */
        if (s->node && !op->launch) return false;
        name = name_of_op(t, op, link, sizeof link);
        interval->start_ns = op->start_ns;
        interval->end_ns = op->end_ns;
        *issued_ns = op->issued_ns;
    } else if (s->what == ANALYSIS_CALL) {
        const TraceCall *call = &t->calls[id];
        name = call->name;
        interval->start_ns = *issued_ns = call->start_ns;
        interval->end_ns = call->end_ns;
    } else {
        const TraceRange *range = &t->ranges[id];
        if (!analysis_range_counts(t, id)) return false;
        name = range->name;
        interval->start_ns = *issued_ns = range->start_ns;
        interval->end_ns = range->end_ns;
    }
    if (interval->start_ns == TRACE_OPEN_NS || !named(s, name)) return false;
    if (interval->end_ns == TRACE_OPEN_NS) interval->end_ns = t->last_ns;
    if (interval->end_ns < interval->start_ns) interval->end_ns = interval->start_ns;
    interval->what = s->what;
    interval->id = id;
    return true;
}

AnalysisSet *analysis_select(const Trace *t, const char *selector, char *error, size_t error_size)
{
    Selector s;
    if (!parse_selector(&s, selector, error, error_size)) return NULL;
    uint32_t n = s.what == ANALYSIS_OP     ? t->n_ops
                 : s.what == ANALYSIS_CALL ? t->n_calls
                                           : t->n_ranges;
    Ranges ranges = {0, NULL, 0, NULL};
    AnalysisSet *set = calloc(1, sizeof *set);
    if (set) set->items = malloc(((size_t)n + 1) * sizeof *set->items);
    bool *asking = calloc((size_t)t->n_threads + 1, sizeof *asking);
    if (!set || !set->items || !asking ||
        (s.range[0] && !ranges_init(&ranges, t, s.what, s.range))) {
        snprintf(error, error_size, "selector '%.80s': not enough memory", selector);
        free(asking);
        ranges_release(&ranges);
        analysis_set_free(set);
        return NULL;
    }
    for (uint32_t id = 1; id <= n; id++) {
        uint64_t issued_ns;
        if (s.waits && !wait_of(t, id, asking)) continue;
        if (!interval_of(t, &s, id, &set->items[set->n], &issued_ns)) continue;
        if (!s.range[0] || ranges_hold(&ranges, issued_ns, id)) set->n++;
    }
    qsort(set->items, set->n, sizeof *set->items, compare_intervals);
    ranges_release(&ranges);
    free(asking);
    return set;
}

void analysis_set_free(AnalysisSet *set)
{
    if (!set) return;
    free(set->items);
    free(set);
}

uint64_t analysis_set_busy_ns(const AnalysisSet *set)
{
    uint64_t sum = 0, reach = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        uint64_t from = set->items[i].start_ns > reach ? set->items[i].start_ns : reach;
        if (set->items[i].end_ns > from) sum += set->items[i].end_ns - from;
        if (set->items[i].end_ns > reach) reach = set->items[i].end_ns;
    }
    return sum;
}

uint64_t analysis_set_span_ns(const AnalysisSet *set)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < set->n; i++)
        last = set->items[i].end_ns > last ? set->items[i].end_ns : last;
    return set->n ? last - set->items[0].start_ns : 0;
}

uint64_t analysis_together_ns(const AnalysisSet *const *sets, size_t n, uint64_t *first_ns)
{
    size_t n_edges = 0, total = 0;
    for (size_t i = 0; i < n; i++) total += sets[i]->n;
    Edge *edges = malloc((2 * total + 1) * sizeof *edges);
    if (!edges || n == 0 || n > UINT32_MAX - 1) {
        free(edges);
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < sets[i]->n; k++) {
            const AnalysisInterval *interval = &sets[i]->items[k];
            if (interval->end_ns <= interval->start_ns) continue;
            Edge begin = {interval->start_ns, (uint32_t)i, 1},
                 end = {interval->end_ns, (uint32_t)i, -1};
            edges[n_edges++] = begin;
            edges[n_edges++] = end;
        }
    }
    uint64_t sum = sweep(edges, n_edges, (uint32_t)n, (uint32_t)n, first_ns);
    free(edges);
    return sum;
}

uint64_t analysis_shared_ns(const AnalysisInterval *a, const AnalysisInterval *b)
{
    uint64_t from = a->start_ns > b->start_ns ? a->start_ns : b->start_ns;
    uint64_t to = a->end_ns < b->end_ns ? a->end_ns : b->end_ns;
    return to > from ? to - from : 0;
}

/* ---- times and places in words ---- */

AnalysisUnit analysis_unit(const Trace *t, uint64_t span_ns)
{
    enum { MS = 1000000 };
    /* milliseconds from a tenth of one up to ten seconds: few units are easier to compare */
    static const struct {
        uint64_t from_ns;
        AnalysisUnit unit;
    } units[] = {{UINT64_C(7200000000000), {UINT64_C(3600000000000), "h"}},
                 {UINT64_C(300000000000), {UINT64_C(60000000000), "min"}},
                 {UINT64_C(10000000000), {1000000000, "s"}},
                 {MS / 10, {MS, "ms"}},
                 {1000, {1000, "us"}},
                 {1, {1, "ns"}}};
    AnalysisUnit own = {trace_unit_ns(t), trace_unit_name(t)};

    if (own.ns != MS || strcmp(own.name, "ms") != 0) return own;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_ns >= units[i].from_ns) return units[i].unit;
    return own;
}

const char *analysis_time(const Trace *t, uint64_t ns, char *text, size_t text_size)
{
    AnalysisUnit unit = analysis_unit(t, ns);
    double value = (double)ns / (double)unit.ns;
    char name[32], number[48];
    utf8_safe(unit.name, name, sizeof name);
    double tenth = value * 10, rounded = (double)(uint64_t)(tenth + 0.5);
    int digits = 2;
    if (value < 1e15 && tenth - rounded < 1e-9 && rounded - tenth < 1e-9) digits = 1;
    for (double least = 0.1; digits > 1 && value < least && digits < 12; least /= 10) digits++;
    if (unit.ns == 1) digits = 0;
    snprintf(number, sizeof number, "%.*f", digits, value);
    bool plural = strcmp(name, "unit") == 0 && strcmp(number, "1.0") != 0;
    snprintf(text, text_size, "%s %s%s", number, name, plural ? "s" : "");
    return text;
}

const char *analysis_ratio(uint64_t a, uint64_t b, char *text, size_t text_size)
{
    double ratio = (double)a / (double)b;
    snprintf(text, text_size, ratio < 999.5 ? "%.3g" : "%.0f", ratio);
    return text;
}

TraceEngineClass analysis_class(const Trace *t, const TraceOp *op)
{
    if (op->engine) return t->engines[op->engine].class_;
    switch (op->kind) {
    case TRACE_H2D: return TRACE_ENGINE_H2D;
    case TRACE_D2H: return TRACE_ENGINE_D2H;
    case TRACE_P2P: return TRACE_ENGINE_COPY;
    case TRACE_H2H:
    case TRACE_HOSTFN: return TRACE_ENGINE_HOST;
    default: return TRACE_ENGINE_COMPUTE;
    }
}

const char *analysis_site(TraceSite site, char *text, size_t text_size)
{
    if (text_size > 0) text[0] = '\0';
    if (!site.file || !site.file[0]) return text;
    const char *slash = strrchr(site.file, '/');
    char file[TEXT];
    utf8_safe(slash && slash[1] ? slash + 1 : site.file, file, sizeof file);
    snprintf(text, text_size, "%s:%u", file, site.line);
    return text;
}

TraceSite analysis_op_site(const Trace *t, uint32_t id)
{
    const TraceOp *op = &t->ops[id];
    return op->made.file && op->made.file[0] ? op->made : t->calls[op->call].site;
}

const char *analysis_op_place(const Trace *t, uint32_t id, char *text, size_t text_size)
{
    const TraceOp *op = &t->ops[id];
    char made[TEXT], launched[TEXT];
    analysis_site(op->made, made, sizeof made);
    analysis_site(t->calls[op->call].site, launched, sizeof launched);
    if (!made[0]) snprintf(text, text_size, "%s", launched);
    else
        snprintf(text, text_size, "%s at %s%s%s",
                 op->captured                                            ? "captured"
                 : t->ops[op->launch].kind == TRACE_KERNEL && op->launch ? "launched"
                                                                         : "added",
                 made, launched[0] ? ", launched at " : "", launched);
    return text;
}

/* ---- why an op waited ---- */

const TraceCause *analysis_decisive_cause(const Trace *t, uint32_t id)
{
    if (id == 0 || id > t->n_ops || t->ops[id].n_causes == 0) return NULL;
    const TraceOp *op = &t->ops[id];
    const TraceCause *decisive = NULL;
    for (uint32_t i = 0; i < op->n_causes; i++) {
        const TraceCause *cause = &t->causes[op->first_cause + i];
        if (!decisive || cause->until_ns >= decisive->until_ns) decisive = cause;
    }
    return decisive;
}

typedef struct Sentence {
    char *text;
    size_t size, length;
} Sentence;

static void say(Sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Sentence *s, const char *format, ...)
{
    if (s->length >= s->size) return;
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(s->text + s->length, s->size - s->length, format, arguments);
    va_end(arguments);
    if (written > 0) s->length += (size_t)written;
}

static void say_call(Sentence *s, const char *what, const TraceCall *call)
{
    char place[TEXT], name[TEXT];
    say(s, "; %s%s", what, utf8_safe(call->name, name, sizeof name));
    if (analysis_site(call->site, place, sizeof place)[0]) say(s, " at %s", place);
}

/* What the host thread that issued op was doing until then. */
static void say_host_before(Sentence *s, const Trace *t, const TraceOp *op, uint64_t since_ns)
{
    const TraceCall *issuing = &t->calls[op->call];
    uint64_t wait = op->issued_ns > since_ns ? op->issued_ns - since_ns : 0;
    /* the call of this thread that took most of the wait */
    const TraceCall *inside = NULL;
    uint64_t most = 0;
    for (uint32_t id = op->call, looked = 0; id > 1 && looked < LOOK_BACK; looked++) {
        const TraceCall *call = &t->calls[--id];
        if (call->start_ns == TRACE_OPEN_NS || call->thread != issuing->thread) continue;
        if (call->end_ns <= since_ns) break;
        uint64_t from = call->start_ns > since_ns ? call->start_ns : since_ns;
        uint64_t to = call->end_ns < op->issued_ns ? call->end_ns : op->issued_ns;
        if (to > from && to - from > most) {
            most = to - from;
            inside = call;
        }
    }
    say(s, "the host had not issued it yet");
    if (inside && most >= wait - wait / 2) {
        say_call(s, "it was inside ", inside);
        return;
    }
    /* or the shortest NVTX range that did */
    const TraceRange *within_range = NULL;
    for (uint32_t id = t->n_ranges, looked = 0; id > 0 && looked < LOOK_BACK; id--, looked++) {
        const TraceRange *range = &t->ranges[id];
        if (range->start_ns >= op->issued_ns || range->end_ns > op->issued_ns ||
            range->end_ns <= since_ns)
            continue;
        if (range->thread != issuing->thread) continue;
        uint64_t from = range->start_ns > since_ns ? range->start_ns : since_ns;
        if (range->end_ns - from < wait - wait / 2) continue;
        bool shorter = !within_range || range->end_ns - range->start_ns <
                                            within_range->end_ns - within_range->start_ns;
        if (shorter) within_range = range;
    }
    char name[TEXT];
    if (within_range)
        say(s, "; it was busy in %s", utf8_safe(within_range->name, name, sizeof name));
    else if (inside && most >= wait / 4) say_call(s, "it was, among other things, inside ", inside);
    else if (wait) say(s, "; it was in the program's own code");
}

/* "; see cudaStreamWaitEvent at file:line": the wait in op's stream that made it wait. */
static void say_event_wait(Sentence *s, const Trace *t, uint32_t id)
{
    char place[TEXT], name[TEXT];
    for (uint32_t at = id - 1, looked = 0; at > 0 && looked < LOOK_BACK; at--, looked++) {
        const TraceOp *wait = &t->ops[at];
        if (wait->kind != TRACE_WAIT || wait->stream != t->ops[id].stream) continue;
        const TraceCall *call = &t->calls[wait->call];
        if (!analysis_site(call->site, place, sizeof place)[0]) return;
        say(s, ", see %s at %s", utf8_safe(call->name, name, sizeof name), place);
        return;
    }
}

static const char *engine_words(const Trace *t, const TraceOp *op, char *text, size_t size)
{
    const TraceEngine *engine = &t->engines[op->engine];
    if (engine->class_ == TRACE_ENGINE_LINK && engine->device && engine->to) {
        snprintf(text, size, "the link from GPU %u to GPU %u", engine->device - 1, engine->to - 1);
        return text;
    }
    switch (t->engines[op->engine].class_) {
    case TRACE_ENGINE_H2D: return "the H2D copy engine";
    case TRACE_ENGINE_D2H: return "the D2H copy engine";
    case TRACE_ENGINE_COPY: return "the copy engine";
    case TRACE_ENGINE_HOST: return "the host thread that runs host functions";
    default: return "the compute engine";
    }
}

/* What a reason is told with: an operation, its cause, and what both are called. */
typedef struct Reason {
    const Trace *t;
    const TraceOp *op, *by; /* by: of the cause */
    const TraceCause *cause;
    bool known;          /* the trace says what the cause was */
    uint32_t id, launch; /* launch: of the graph that op is a node of; 0: none */
    uint64_t since_ns;
    char stream[TEXT], by_stream[TEXT], label[TEXT]; /* label: of the cause */
} Reason;

/* What the program asked for: an order between operations. */
static void say_ordered(Sentence *s, const Reason *r)
{
    bool same_stream = r->known && r->by->stream == r->op->stream;
    bool same_launch = trace_launch(r->t, r->cause->by_op) == r->launch;
    switch (r->cause->kind) {
    case TRACE_BY_HOST: say_host_before(s, r->t, r->op, r->since_ns); break;
    case TRACE_BY_STREAM:
        if (same_stream && r->launch && !same_launch)
            say(s, "its graph was launched in %s, behind it", r->stream);
        else if (same_stream) say(s, "both are in %s", r->stream);
        else say(s, "earlier work in %s had to end first", r->stream);
        break;
    case TRACE_BY_EVENT:
        if (r->known) say(s, "%s waits for an event recorded after %s", r->stream, r->label);
        else say(s, "%s waits for an event", r->stream);
        say_event_wait(s, r->t, r->id);
        break;
    case TRACE_BY_LEGACY:
        if (r->t->streams[r->op->stream].flavour == TRACE_STREAM_LEGACY) {
            say(s, "it is in stream 0, the default stream, which first waits for all earlier work "
                   "in blocking streams");
            if (r->known) say(s, ", %s among them", r->by_stream);
        } else {
            say(s,
                "%s is a blocking stream, and those wait for earlier work in stream 0, the default "
                "stream",
                r->stream);
        }
        break;
    case TRACE_BY_GRAPH:
        if (r->op->launch && r->t->ops[r->op->launch].kind == TRACE_KERNEL)
            say(s,
                r->cause->by_op == r->op->launch
                    ? "%s launched it, and runs its own blocks first"
                    : "%s is before it among what one kernel has launched",
                r->label);
        else if (r->launch && (!r->known || same_launch)) say(s, "the graph orders it");
        else
            say(s, "a graph that was instantiated once runs once at a time, and its launch before "
                   "had not ended");
        break;
    default: /* TRACE_BY_TRIGGER */
        if (r->known)
            say(s, "it need not wait for the end of %s, but for the trigger of every block of it",
                r->label);
        else say(s, "it had to wait for a kernel's trigger");
    }
}

/* What the machine has only so much of: engines, room, queues; and the time that it takes. */
static void say_occupied(Sentence *s, const Reason *r)
{
    char text[TEXT];
    const char *engine = engine_words(r->t, r->op, text, sizeof text);
    switch (r->cause->kind) {
    case TRACE_BY_ENGINE:
        if (!r->known) say(s, "%s was busy", engine);
        else if (r->by->start_ns < r->cause->until_ns)
            say(s, "%s was busy with %s", engine, r->label);
        else say(s, "%s takes work in order of issue, and %s came first", engine, r->label);
        break;
    case TRACE_BY_ROOM:
        if (r->known)
            say(s, "there was no room on the device beside %s, whose blocks filled it", r->label);
        else say(s, "there was no room on the device for its blocks");
        break;
    case TRACE_BY_GRIDS:
        say(s, "the device already held as many kernels at once as it can (128 on most GPUs)");
        if (r->known) say(s, ", and %s had to end first", r->label);
        break;
    case TRACE_BY_QUEUE:
        say(s, "it shares a hardware queue with ");
        if (r->known) say(s, "%s (%s), which was ahead of it", r->label, r->by_stream);
        else say(s, "another stream");
        say(s, "; CUDA_DEVICE_MAX_CONNECTIONS sets how many queues there are");
        break;
    case TRACE_BY_DRIVER:
        say(s, "the one driver thread that runs host functions was busy");
        if (r->known) say(s, " with %s", r->label);
        break;
    case TRACE_BY_LATENCY:
        say(s, "the device takes this long to start it");
        if (r->known)
            say(s, " once %s has %s", r->label,
                r->by->end_ns > r->cause->until_ns ? "triggered" : "ended");
        break;
    case TRACE_BY_MEMORY:
        say(s, "it polls memory that %s had not written yet", r->known ? r->label : "the host");
        break;
    default: /* TRACE_BY_POOL */
        say(s, "the pool gave %s memory that %s frees", r->stream,
            r->known && r->by->stream != r->op->stream ? r->by_stream : "another stream");
        if (r->known) say(s, " after %s", r->label);
        say(s, ", and waits for that free");
    }
}

static void say_reason(Sentence *s, const Trace *t, const Labels *l, uint32_t id,
                       const TraceCause *cause, uint64_t since_ns)
{
    const TraceOp *op = &t->ops[id], *by = &t->ops[cause->by_op];
    Reason r = {.t = t,
                .op = op,
                .by = by,
                .cause = cause,
                .known = cause->by_op != 0,
                .id = id,
                .launch = trace_launch(t, id),
                .since_ns = since_ns};
    labels_stream(l, op->stream, r.stream, sizeof r.stream);
    labels_op(l, cause->by_op, r.label, sizeof r.label);
    if (r.known) labels_stream(l, by->stream, r.by_stream, sizeof r.by_stream);

    switch (cause->kind) {
    case TRACE_BY_HOST:
    case TRACE_BY_STREAM:
    case TRACE_BY_EVENT:
    case TRACE_BY_LEGACY:
    case TRACE_BY_GRAPH:
    case TRACE_BY_TRIGGER: say_ordered(s, &r); break;
    case TRACE_BY_ENGINE:
    case TRACE_BY_ROOM:
    case TRACE_BY_GRIDS:
    case TRACE_BY_QUEUE:
    case TRACE_BY_DRIVER:
    case TRACE_BY_LATENCY:
    case TRACE_BY_MEMORY:
    case TRACE_BY_POOL: say_occupied(s, &r); break;
    default: say(s, "the reason is not known");
    }
}

/* From when on op was kept waiting by a cause that ended at until_ns: its issue; for the host,
 * which only then issued it, the moment at which everything else would have let it go. */
static uint64_t waiting_since(const Trace *t, const Labels *l, uint32_t id, const TraceCause *cause)
{
    const TraceOp *op = &t->ops[id];
    if (cause->kind == TRACE_BY_LATENCY && cause->by_op &&
        t->ops[cause->by_op].end_ns <= cause->until_ns) {
        uint64_t end = t->ops[cause->by_op].end_ns;
        return end > op->issued_ns ? end : op->issued_ns;
    }
    if (cause->kind != TRACE_BY_HOST) return op->issued_ns;
    uint64_t since = 0;
    for (uint32_t i = 0; i < op->n_causes; i++) {
        const TraceCause *other = &t->causes[op->first_cause + i];
        if (other->kind == TRACE_BY_HOST || other->until_ns > cause->until_ns) continue;
        if (other->until_ns > since) since = other->until_ns;
    }
    /* the end of what stands before it in its stream: one operation, or all nodes of a graph */
    uint32_t own = trace_launch(t, id);
    for (uint32_t at = id - 1, looked = 0, launch = 0; at > 0 && looked < LOOK_BACK;
         at--, looked++) {
        const TraceOp *before = &t->ops[at];
        if (before->stream != op->stream || !trace_op_is_work(before)) continue;
        uint32_t of = trace_launch(t, at);
        if (own && of == own) continue;
        if (launch && of != launch) break;
        if (before->end_ns <= cause->until_ns && before->end_ns > since) since = before->end_ns;
        if (!(launch = of)) break;
    }
    uint32_t range = labels_range(l);
    uint64_t opened = range ? t->ranges[range].start_ns : 0,
             created = t->streams[op->stream].created_ns;
    if (opened > since && opened <= cause->until_ns) since = opened;
    if (created > since && created <= cause->until_ns) since = created;
    return since;
}

static void stretch(uint64_t start_ns, uint64_t end_ns, uint64_t *from_ns, uint64_t *to_ns)
{
    if (start_ns < *from_ns) *from_ns = start_ns;
    if (end_ns > *to_ns) *to_ns = end_ns;
}

bool analysis_window(const Trace *t, uint32_t range, uint64_t *from_ns, uint64_t *to_ns)
{
    uint64_t from = UINT64_MAX, to = 0;
    uint32_t first = 1, end = t->n_ops + 1, inner = 1, inner_end = t->n_ranges + 1;
    if (range > t->n_ranges) range = 0;
    if (range) {
        const TraceRange *r = &t->ranges[range];
        if (r->first_op > first) first = r->first_op;
        if (r->end_op < end) end = r->end_op;
        inner = range + 1;
        if (r->end_range < inner_end) inner_end = r->end_range;
    }

    for (uint32_t id = first; id < end; id++) {
        const TraceOp *op = &t->ops[id];
        if (!trace_op_is_work(op) || op->start_ns == TRACE_OPEN_NS || !trace_in_range(t, range, id))
            continue;
        uint64_t last = op->end_ns == TRACE_OPEN_NS ? t->last_ns : op->end_ns;
        stretch(op->start_ns, last > op->start_ns ? last : op->start_ns, &from, &to);
    }
    for (uint32_t id = inner; id < inner_end; id++) {
        const TraceRange *r = &t->ranges[id];
        if (r->start_ns == TRACE_OPEN_NS || r->end_ns == r->start_ns) continue;
        uint64_t last = r->end_ns == TRACE_OPEN_NS ? t->last_ns : r->end_ns;
        stretch(r->start_ns, last > r->start_ns ? last : r->start_ns, &from, &to);
    }
    *from_ns = from < to ? from : to;
    *to_ns = to;
    return from <= to;
}

uint64_t analysis_window_ns(const Trace *t, uint32_t range)
{
    uint64_t from, to;
    return analysis_window(t, range, &from, &to) ? to - from : 0;
}

/* Did the call wait for something that ended at end_ns? Where calls are free, one that took time
 * did. On a device it also takes time to make a call: what waited returns soon after. */
static bool is_end_of(const Trace *t, const TraceCall *call, uint64_t end_ns)
{
    if (end_ns <= call->start_ns || end_ns > call->end_ns) return false;
    return trace_exact(t) || call->end_ns - end_ns <= (call->end_ns - call->start_ns) / 2;
}

uint32_t analysis_held(const Trace *t, uint32_t id, uint32_t *call)
{
    const TraceOp *op = &t->ops[id];
    uint32_t held = 0, by = 0;
    uint64_t best_ns = 0;

    *call = 0;
    for (uint32_t at = op->call, looked = 0; at > 1 && looked < LOOK_BACK && !held; looked++) {
        const TraceCall *before = &t->calls[--at];
        if (before->thread != t->calls[op->call].thread || before->start_ns == TRACE_OPEN_NS)
            continue;
        if (before->end_ns != TRACE_OPEN_NS && before->end_ns > before->start_ns &&
            before->end_ns <= op->issued_ns)
            held = at;
    }
    for (uint32_t at = id, looked = 0; held && at > 1 && looked < LOOK_BACK; looked++) {
        const TraceOp *before = &t->ops[--at];
        if (!trace_op_is_work(before) || before->start_ns == TRACE_OPEN_NS ||
            before->end_ns == TRACE_OPEN_NS)
            continue;
        if (before->end_ns <= best_ns || !is_end_of(t, &t->calls[held], before->end_ns)) continue;
        best_ns = before->end_ns;
        by = at;
    }
    if (by) *call = held;
    return by;
}

static void say_issued_late(Sentence *s, const Trace *t, const Labels *l, uint32_t id,
                            uint32_t call, uint32_t by)
{
    char label[TEXT], other[TEXT], name[TEXT], place[TEXT];
    analysis_site(t->calls[call].site, place, sizeof place);
    say(s, "%s was issued only when %s had ended: until then %s%s%s%s kept the host",
        labels_op(l, id, label, sizeof label), labels_op(l, by, other, sizeof other),
        utf8_safe(t->calls[call].name, name, sizeof name), place[0] ? " (" : "", place,
        place[0] ? ")" : "");
}

const char *analysis_explain_with(const Trace *t, const Labels *l, uint32_t id, char *text,
                                  size_t text_size)
{
    if (text_size == 0) return text;
    Sentence s = {text, text_size, 0};
    text[0] = '\0';
    if (id == 0 || id > t->n_ops) {
        say(&s, "there is no operation %u in this trace", id);
        return text;
    }
    const TraceOp *op = &t->ops[id];
    const TraceCause *cause = analysis_decisive_cause(t, id);
    char label[TEXT], other[TEXT], duration[64], place[2 * TEXT + 40];
    labels_op(l, id, label, sizeof label);
    bool started = op->start_ns != TRACE_OPEN_NS;
    if (cause) {
        uint64_t since = waiting_since(t, l, id, cause),
                 until = started ? cause->until_ns : t->last_ns;
        uint64_t waited = until > since ? until - since : 0;
        if (!waited && started) cause = NULL;
        if (cause) {
            say(&s, started ? "%s waited %s" : "%s has not started; it has waited %s so far", label,
                analysis_time(t, waited, duration, sizeof duration));
            bool for_op =
                cause->by_op && cause->kind != TRACE_BY_HOST && cause->kind != TRACE_BY_LATENCY;
            if (for_op) say(&s, " for %s", labels_op(l, cause->by_op, other, sizeof other));
            say(&s, ": ");
            say_reason(&s, t, l, id, cause, since);
        }
    }
    if (!cause && !started) {
        say(&s, "%s has not started", label);
    } else if (!cause && op->start_ns > op->issued_ns && op->n_causes == 0) {
        say(&s, "%s started %s after it was issued; the trace does not say why", label,
            analysis_time(t, op->start_ns - op->issued_ns, duration, sizeof duration));
    } else if (!cause) {
        uint32_t call, by = analysis_held(t, id, &call), range = labels_range(l);
        if (by && (!range || trace_in_range(t, range, by))) say_issued_late(&s, t, l, id, call, by);
        else say(&s, "%s did not wait", label);
    }
    uint64_t on_ns = trace_moment_ns(t, id, TRACE_MOMENT_DEPENDENCY);
    if (started && on_ns != TRACE_OPEN_NS && on_ns > op->start_ns)
        say(&s, "; it was past its cudaGridDependencySynchronize() %s after it had begun",
            analysis_time(t, on_ns - op->start_ns, duration, sizeof duration));
    /* what was not recorded but concluded must not pass for a record */
    bool inferred = t->inferred && cause;
    bool known = analysis_op_place(t, id, place, sizeof place)[0];
    if (inferred || known)
        say(&s, " (%s%s%s)", inferred ? "inferred" : "", inferred && known ? "; " : "", place);
    return text;
}

const char *analysis_explain(const Trace *t, uint32_t range, uint32_t op, char *text,
                             size_t text_size)
{
    Labels *labels = labels_new(t, range);
    if (!labels) {
        if (text_size > 0)
            snprintf(text, text_size, "not enough memory to explain operation %u", op);
        return text;
    }
    analysis_explain_with(t, labels, op, text, text_size);
    labels_free(labels);
    return text;
}

bool analysis_hazard_in(const Trace *t, const TraceHazard *hazard, uint32_t range)
{
    return (hazard->op_a && trace_in_range(t, range, hazard->op_a)) ||
           (hazard->op_b && trace_in_range(t, range, hazard->op_b));
}
