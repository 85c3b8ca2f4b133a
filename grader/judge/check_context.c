/* check_context.c - see check_context.h. */
#include "grader/judge/check_context.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_start(const void *a, const void *b)
{
    const AnalysisInterval *x = a, *y = b;
    if (x->start_ns != y->start_ns) return x->start_ns < y->start_ns ? -1 : 1;
    return x->what != y->what ? (int)x->what - (int)y->what : (x->id > y->id) - (x->id < y->id);
}

static int by_id(const void *a, const void *b)
{
    const AnalysisInterval *x = a, *y = b;
    return x->what != y->what ? (int)x->what - (int)y->what : (x->id > y->id) - (x->id < y->id);
}

static int by_end(const void *a, const void *b)
{
    const AnalysisInterval *x = a, *y = b;
    return x->end_ns != y->end_ns ? (x->end_ns < y->end_ns ? -1 : 1) : by_id(a, b);
}

void set_by_end(AnalysisSet *set)
{
    if (set->n) qsort(set->items, set->n, sizeof *set->items, by_end);
}

void set_by_issue(AnalysisSet *set)
{
    if (set->n) qsort(set->items, set->n, sizeof *set->items, by_id);
}

static void broken(Context *c, const char *why)
{
    if (!c->broken) text_clear(&c->cause), text_add(&c->cause, why);
    c->broken = true;
}

static bool range_exists(const Trace *trace, const char *pattern)
{
    for (uint32_t i = 1; i <= trace->n_ranges; i++) {
        if (analysis_range_counts(trace, i) && analysis_match(pattern, trace->ranges[i].name))
            return true;
    }
    return false;
}

bool call_of_driver(const Trace *trace, uint32_t call)
{
    const char *name = trace->calls[call].name;
    return !strncmp(name, "cu", 2) && strncmp(name, "cuda", 4) != 0;
}

static void add_meaning(char text[PHRASE], int code, bool driver)
{
    static const struct {
        int code;
        const char *runtime, *driver, *words; /* NULL: the API has no such code */
    } meanings[] = {
        {1, "cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE", ": an argument is not valid"},
        {2, "cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY", ": not enough memory"},
        {3, NULL, "CUDA_ERROR_NOT_INITIALIZED", ": cuInit was not called before"},
        {9, "cudaErrorInvalidConfiguration", NULL,
         ": grid or block too large; a block has at most 1024 threads"},
        {21, "cudaErrorInvalidMemcpyDirection", NULL, ""},
        {101, "cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE", ": there is no such device"},
        {201, NULL, "CUDA_ERROR_INVALID_CONTEXT", ": no context is current to this thread"},
        {400, "cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE",
         ": not a stream or event of this device"},
        {401, "cudaErrorIllegalState", "CUDA_ERROR_ILLEGAL_STATE",
         ": a stream that is being captured already, or is not"},
        {500, "cudaErrorSymbolNotFound", "CUDA_ERROR_NOT_FOUND", ": there is nothing of that name"},
        {700, "cudaErrorIllegalAddress", "CUDA_ERROR_ILLEGAL_ADDRESS",
         ": a kernel touched memory that is not its own"},
        {712, "cudaErrorHostMemoryAlreadyRegistered", "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
         ""},
        {713, "cudaErrorHostMemoryNotRegistered", "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", ""},
        {719, "cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED", ": a kernel failed"},
        {720, "cudaErrorCooperativeLaunchTooLarge", "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
         ": more blocks than the device has room for at once"},
        {800, "cudaErrorNotPermitted", "CUDA_ERROR_NOT_PERMITTED", ": not allowed here"},
        {801, "cudaErrorNotSupported", "CUDA_ERROR_NOT_SUPPORTED", ""},
        {900, "cudaErrorStreamCaptureUnsupported", "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
         ": it cannot be captured, nor be done during a capture"},
        {901, "cudaErrorStreamCaptureInvalidated", "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
         ": an earlier call has spoilt the capture"},
        {904, "cudaErrorStreamCaptureUnjoined", "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
         ": a stream that came into the capture has not come back"},
        {905, "cudaErrorStreamCaptureIsolation", "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
         ": the capture would depend on work outside of it"},
        {906, "cudaErrorStreamCaptureImplicit", "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
         ": the default stream would have to wait for a stream that is captured"},
        {907, "cudaErrorCapturedEvent", "CUDA_ERROR_CAPTURED_EVENT",
         ": the event stands for a place in a graph, and for no moment"},
        {912, "cudaErrorInvalidClusterSize", "CUDA_ERROR_INVALID_CLUSTER_SIZE",
         ": the grid is no multiple of the cluster, or the cluster is too large"},
    };
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        const char *name = driver ? meanings[i].driver : meanings[i].runtime;
        if (meanings[i].code != code || !name) continue;
        snprintf(text + length, PHRASE - length, " (%s%s)", name, meanings[i].words);
        return;
    }
    snprintf(text + length, PHRASE - length, " (see %s)",
             driver ? "cuGetErrorName" : "cudaGetErrorString");
}

static bool call_failed(const TraceCall *call)
{
    enum { NOT_READY = 600 }; /* an answer of the query calls, not an error */
    return call->result != 0 && call->result != NOT_READY && call->end_ns != TRACE_OPEN_NS;
}

static const char *say_failed(Context *c, uint32_t id, char text[PHRASE])
{
    char one[PHRASE];
    int code = c->trace->calls[id].result;
    snprintf(text, PHRASE, "%.200s returned error %d", say_call(c, id, one), code);
    if (code == 400 && !strcmp(c->trace->calls[id].name, "cudaEventElapsedTime")) {
        snprintf(text + strlen(text), PHRASE - strlen(text),
                 " (cudaErrorInvalidResourceHandle: one of the two events keeps no time: it was "
                 "made with cudaEventDisableTiming, or never recorded)");
        return text;
    }
    add_meaning(text, code, call_of_driver(c->trace, id));
    return text;
}

const char *say_failed_call(Context *c, char text[PHRASE])
{
    for (uint32_t i = 1; i <= c->trace->n_calls; i++)
        if (call_failed(&c->trace->calls[i])) return say_failed(c, i, text);
    return NULL;
}

const char *say_failed_call_in(Context *c, const char *range, char text[PHRASE])
{
    char *selector = memory_format("call@%s", range);
    AnalysisSet *calls = analysis_select(c->trace, selector, text, PHRASE);
    const char *said = NULL;
    free(selector);
    if (calls) set_by_issue(calls);
    for (uint32_t i = 0; calls && i < calls->n && !said; i++)
        if (call_failed(&c->trace->calls[calls->items[i].id]))
            said = say_failed(c, calls->items[i].id, text);
    analysis_set_free(calls);
    return said;
}

/* What is not there may be what a call that failed should have done. */
static void say_empty(Context *c, const char *selector)
{
    char words[PHRASE];
    const char *range = strchr(selector, '@');
    c->absent = true;
    text_printf(&c->cause, "There is no %s", say_set(selector, -1, words));
    if (range && !range_exists(c->trace, range + 1)) {
        text_printf(&c->cause, " (the program never came to the part that is marked `%s`)",
                    range + 1);
    }
    text_add(&c->cause, ": nothing can be judged.");
    if (say_failed_call(c, words)) text_printf(&c->cause, " %s.", words);
}

AnalysisSet *context_set(Context *c, const char *selectors, bool needed)
{
    char why[PHRASE] = "";
    char **list = list_split(selectors, ',', NULL);
    AnalysisSet *all = NULL;
    for (size_t i = 0; list[i]; i++) {
        AnalysisSet *set = analysis_select(c->trace, list[i], why, sizeof why);
        const char *range = strchr(list[i], '@');
        if (range) c->within = strstr(selectors, range) + 1;
        if (!set) {
            broken(c, why);
            break;
        }
        if (needed && !set->n) {
            say_empty(c, list[i]);
            analysis_set_free(set);
            analysis_set_free(all);
            list_free(list);
            return NULL;
        }
        if (!all) {
            all = set;
        } else {
            all->items = memory_grow(all->items, (size_t)all->n + set->n, sizeof *all->items);
            if (set->n) memcpy(all->items + all->n, set->items, set->n * sizeof *set->items);
            all->n += set->n;
            analysis_set_free(set);
        }
    }
    if (!list[0]) broken(c, "a selector is missing");
    list_free(list);
    if (c->broken) {
        analysis_set_free(all);
        return NULL;
    }
    /* an operation that two selectors name is one operation */
    if (all->n) qsort(all->items, all->n, sizeof *all->items, by_start);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        if (!kept || by_start(&all->items[kept - 1], &all->items[i]) != 0)
            all->items[kept++] = all->items[i];
    }
    all->n = kept;
    return all;
}

bool context_number(Context *c, const char *expression, double *value)
{
    char why[PHRASE] = "";
    MeasureKind kind = evidence_number(c->evidence, expression, value, why, sizeof why);
    if (kind == MEASURE_VALUE) return true;
    if (kind == MEASURE_WRONG) {
        broken(c, why);
        return false;
    }
    text_printf(&c->cause, "The number to compare with is not there: %s.", why);
    return false;
}

bool context_compare(Context *c, double value, double tolerance, char words[PHRASE])
{
    static const struct {
        const char *key, *words;
    } keys[] = {{"is", "exactly"}, {"least", "at least"}, {"most", "at most"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *expression = check_key(c->check, keys[i].key);
        double wanted, slack;
        if (!expression) continue;
        snprintf(words, PHRASE, "%s", "");
        if (!context_number(c, expression, &wanted)) return false;
        slack = tolerance * fabs(wanted);
        snprintf(words, PHRASE, "%s %.*f", keys[i].words, wanted == round(wanted) ? 0 : 2, wanted);
        if (i != 2 && value < wanted - slack) return false;
        if (i != 1 && value > wanted + slack) return false;
    }
    return true;
}

/* ---- words ---- */
const char *say_set(const char *selector, double n, char text[PHRASE])
{
    static const struct {
        const char *what, *one, *many, *of;
    } nouns[] = {
        {"h2d", "H2D copy", "H2D copies", NULL},
        {"d2h", "D2H copy", "D2H copies", NULL},
        {"d2d", "D2D copy", "D2D copies", NULL},
        {"h2h", "host-to-host copy", "host-to-host copies", NULL},
        {"p2p", "copy between devices", "copies between devices", NULL},
        {"memset", "memset", "memsets", NULL},
        {"kernel", "kernel", "kernels", "launch"},
        {"hostfn", "host function", "host functions", NULL},
        {"work", "operation", "operations", NULL},
        {"node", "node of a launched graph", "nodes of launched graphs", NULL},
        {"graph", "launch of a graph", "launches of graphs", NULL},
        {"call", "CUDA call", "CUDA calls", "call"},
        {"wait", "wait of the host", "waits of the host", NULL},
        {"range", "marked part", "marked parts", "run"},
    };
    char what[32], name[128] = "", range[128] = "", noun[PHRASE / 2];
    size_t length = strcspn(selector, ":@");
    snprintf(what, sizeof what, "%.*s", (int)length, selector);
    if (selector[length] == ':')
        snprintf(name, sizeof name, "%.*s", (int)strcspn(selector + length + 1, "@"),
                 selector + length + 1);
    const char *at = strchr(selector, '@');
    if (at) snprintf(range, sizeof range, "%s", at + 1);
    bool one = n == 1 || n < 0; /* n < 0: no number, "no H2D copy" */
    snprintf(noun, sizeof noun, "%s", what);
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        if (strcmp(nouns[i].what, what) != 0) continue;
        if (!name[0]) snprintf(noun, sizeof noun, "%s", one ? nouns[i].one : nouns[i].many);
        else if (nouns[i].of)
            snprintf(noun, sizeof noun, "%s%s of %s", nouns[i].of,
                     one                     ? ""
                     : nouns[i].of[0] == 'l' ? "es"
                                             : "s",
                     name);
        else snprintf(noun, sizeof noun, "%s %s", one ? nouns[i].one : nouns[i].many, name);
    }
    unsigned from, to;
    if (!strcmp(what, "p2p") && sscanf(name, "%u>%u", &from, &to) == 2)
        snprintf(noun, sizeof noun, "%s from GPU %u to GPU %u", one ? "copy" : "copies", from, to);
    char number[32] = "";
    if (n >= 0) snprintf(number, sizeof number, "%.0f ", n);
    if (range[0]) snprintf(text, PHRASE, "%s%s inside `%s`", number, noun, range);
    else snprintf(text, PHRASE, "%s%s", number, noun);
    return text;
}

const char *say_one(const char *selector, char text[PHRASE])
{
    char words[PHRASE];
    say_set(selector, -1, words);
    bool vowel = strchr("aeiou", words[0]) || !strncmp(words, "H2", 2); /* as it is spoken */
    snprintf(text, PHRASE, "%s %.*s", vowel ? "an" : "a", PHRASE - 4, words);
    return text;
}

/* The labels of the marked part that op belongs to. */
static Labels *labels_for(Context *c, uint32_t op)
{
    uint32_t range = 0;
    if (c->within) {
        char pattern[128];
        snprintf(pattern, sizeof pattern, "%.*s", (int)strcspn(c->within, ", /"), c->within);
        for (uint32_t i = 1; i <= c->trace->n_ranges && !range; i++) {
            if (analysis_range_counts(c->trace, i) &&
                analysis_match(pattern, c->trace->ranges[i].name) &&
                trace_in_range(c->trace, i, op))
                range = i;
        }
    }
    if (!c->labels || c->labels_of != range) {
        labels_free(c->labels);
        c->labels = labels_new(c->trace, range);
        c->labels_of = range;
    }
    return c->labels;
}

const char *say_op(Context *c, uint32_t op, char text[PHRASE])
{
    char label[128], site[200];
    Labels *labels = labels_for(c, op);
    if (!c->op) c->op = op;
    if (labels) labels_op(labels, op, label, sizeof label);
    else snprintf(label, sizeof label, "operation %u", op);
    analysis_op_place(c->trace, op, site, sizeof site);
    if (site[0]) snprintf(text, PHRASE, "%s (%s)", label, site);
    else snprintf(text, PHRASE, "%s", label);
    return text;
}

const char *say_call(Context *c, uint32_t call, char text[PHRASE])
{
    char site[200];
    if (!call || call > c->trace->n_calls) {
        snprintf(text, PHRASE, "an unknown call");
        return text;
    }
    analysis_site(c->trace->calls[call].site, site, sizeof site);
    if (site[0]) snprintf(text, PHRASE, "%s (%s)", c->trace->calls[call].name, site);
    else snprintf(text, PHRASE, "%s", c->trace->calls[call].name);
    return text;
}

const char *say_interval(Context *c, const AnalysisInterval *interval, char text[PHRASE])
{
    switch (interval->what) {
    case ANALYSIS_OP: return say_op(c, interval->id, text);
    case ANALYSIS_CALL: return say_call(c, interval->id, text);
    case ANALYSIS_RANGE: snprintf(text, PHRASE, "`%s`", c->trace->ranges[interval->id].name); break;
    }
    return text;
}

const char *say_stream(Context *c, uint32_t stream, char text[PHRASE])
{
    Labels *labels = c->labels ? c->labels : (c->labels = labels_new(c->trace, c->labels_of = 0));
    if (labels && stream && stream <= c->trace->n_streams)
        labels_stream(labels, stream, text, PHRASE);
    else snprintf(text, PHRASE, "no stream");
    return text;
}

const char *say_time(Context *c, uint64_t ns, char text[PHRASE])
{
    return analysis_time(c->trace, ns, text, PHRASE);
}

void say_from(Context *c, uint64_t ns)
{
    char pattern[128];
    if (!c->within) return;
    snprintf(pattern, sizeof pattern, "%.*s", (int)strcspn(c->within, ", /"), c->within);
    for (uint32_t i = 1; i <= c->trace->n_ranges; i++) {
        const TraceRange *range = &c->trace->ranges[i];
        if (!analysis_range_counts(c->trace, i) || !analysis_match(pattern, range->name) ||
            range->start_ns > ns || range->end_ns < ns)
            continue;
        labels_free(c->labels);
        c->labels = labels_new(c->trace, i);
        c->labels_of = i;
        return;
    }
}

const char *say_moment(Context *c, uint64_t ns, char text[PHRASE])
{
    char time[PHRASE];
    uint64_t origin_ns = 0;
    if (c->labels && c->labels_of) { /* as the picture of that part counts */
        uint64_t end_ns;
        analysis_window(c->trace, c->labels_of, &origin_ns, &end_ns);
        if (origin_ns > ns)
            origin_ns = c->trace->ranges[c->labels_of].start_ns < ns
                            ? c->trace->ranges[c->labels_of].start_ns
                            : 0;
    }
    snprintf(text, PHRASE, "t=%s", analysis_time(c->trace, ns - origin_ns, time, sizeof time));
    return text;
}

const char *say_why(Context *c, uint32_t op, char text[PHRASE])
{
    Labels *labels = labels_for(c, op);
    if (!c->explained) c->op = op;
    c->explained = true;
    if (labels) return analysis_explain_with(c->trace, labels, op, text, PHRASE);
    return analysis_explain(c->trace, 0, op, text, PHRASE);
}
