/* question.c - see question.h. */
#include "grader/whatif/question.h"
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "timeline/trace/analysis.h"
#include "timeline/trace/labels.h"

enum { LABEL = 400, MOST_APART = 4000 };

/* Reading one question. */
typedef struct Reader {
    Question *question;
    const Trace *trace;
    Labels *labels;
    uint32_t range, n_apart;
    uint32_t *rank; /* of each call in its thread */
    const char *batches;
    char *error;
    size_t error_size;
} Reader;

static bool fail(Reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error, r->error_size, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- what a change is about ---- */

/* Operations, or calls, by id. */
typedef struct Chosen {
    uint32_t *ids, n;
} Chosen;

static void choose(Chosen *chosen, uint32_t id)
{
    if ((chosen->n & (chosen->n - 1)) == 0) /* full at each power of two */
        chosen->ids =
            memory_grow(chosen->ids, chosen->n ? 2 * (size_t)chosen->n : 1, sizeof *chosen->ids);
    chosen->ids[chosen->n++] = id;
}

/* "ex43.cu:12", also with folders before it. */
static bool at_site(TraceSite site, const char *place)
{
    const char *colon = strrchr(place, ':');
    if (!site.file || !colon || strtoul(colon + 1, NULL, 10) != site.line) return false;
    size_t want = (size_t)(colon - place), have = strlen(site.file);
    return have >= want && !strncmp(site.file + have - want, place, want) &&
           (have == want || site.file[have - want - 1] == '/');
}

static bool is_place(const char *item)
{
    const char *colon = strrchr(item, ':');
    return colon && colon > item && colon[1] &&
           strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

/* "op:17" */
static uint32_t numbered(const char *item, const char *what, uint32_t most)
{
    size_t length = strlen(what);
    if (strncmp(item, what, length) != 0) return 0;
    unsigned long n = strtoul(item + length, NULL, 10);
    return n <= most ? (uint32_t)n : 0;
}

static bool is_kind(const TraceOp *op, const char *item)
{
    return !strcmp(item, "all") || !strcmp(item, "work") || !strcmp(item, trace_op_word[op->kind]);
}

static void add_ops(const Reader *r, const char *item, Chosen *chosen)
{
    const Trace *t = r->trace;
    uint32_t one = numbered(item, "op:", t->n_ops);
    bool place = is_place(item) && strncmp(item, "op:", 3) != 0;
    char label[LABEL];
    for (uint32_t id = one ? one : 1; id <= (one ? one : t->n_ops); id++) {
        const TraceOp *op = &t->ops[id];
        if (!trace_op_is_work(op) || (!one && !trace_in_range(t, r->range, id))) continue;
        if (one || (place && at_site(t->calls[op->call].site, item)) || is_kind(op, item) ||
            (!place && !strcmp(labels_op(r->labels, id, label, sizeof label), item)))
            choose(chosen, id);
    }
}

static bool is_wait(const TraceCall *call)
{
    return analysis_match_call("cuda*Synchronize", call->name) ||
           analysis_match_call("cudaStreamWaitEvent", call->name);
}

static void add_waits(const Reader *r, const char *item, Chosen *chosen)
{
    const Trace *t = r->trace;
    const TraceRange *range = r->range ? &t->ranges[r->range] : NULL;
    uint32_t one = numbered(item, "call:", t->n_calls);
    for (uint32_t id = one ? one : 1; id <= (one ? one : t->n_calls); id++) {
        const TraceCall *call = &t->calls[id];
        bool inside = !range || (id >= range->first_call && id < range->end_call);
        if (!is_wait(call) || (!one && !inside)) continue;
        if (one || !strcmp(item, "all") || at_site(call->site, item)) choose(chosen, id);
    }
}

/* Labels of the range, for who named one that is not there. */
static void known_labels(const Reader *r, char *text, size_t size)
{
    enum { MOST = 8 };
    uint32_t n;
    const uint32_t *order = labels_order(r->labels, &n);
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n && i < MOST && length < size; i++) {
        char label[LABEL];
        length += (size_t)snprintf(text + length, size - length, "%s%.40s", i ? ", " : "",
                                   labels_op(r->labels, order[i], label, sizeof label));
    }
    if (n > MOST && length < size) snprintf(text + length, size - length, " ...");
}

/* A list, commas between its items; those inside <...> belong to a kernel's name. */
static bool each_item(Reader *r, const char *list, Chosen *chosen,
                      void (*add)(const Reader *, const char *, Chosen *), const char *what)
{
    char known[500];
    while (*list) {
        size_t length = 0;
        for (int depth = 0; list[length] && (list[length] != ',' || depth > 0); length++)
            depth += (list[length] == '<') - (list[length] == '>');
        char *item = memory_format("%.*s", (int)length, list);
        uint32_t before = chosen->n;
        add(r, item, chosen);
        bool found = chosen->n > before;
        if (!found && add == add_waits)
            fail(r, "%s: no %s is called there; give the line of one (ex43.cu:31), or `all`", item,
                 what);
        else if (!found) {
            known_labels(r, known, sizeof known);
            fail(r,
                 "%s: no %s is called so; there are %s, and lines (ex43.cu:12), kinds (h2d), all",
                 item, what, known);
        }
        free(item);
        if (!found) return false;
        list += length + (list[length] == ',');
    }
    return chosen->n > 0 || fail(r, "which %ss?", what);
}

/* ---- what is done to it ---- */

static void put(Reader *r, uint32_t call, const char *what)
{
    const TraceCall *of = &r->trace->calls[call];
    text_printf(&r->question->calls, "call %u %u %s %s\n", of->thread, r->rank[call], of->name,
                what);
}

static void say(Reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Reader *r, const char *format, ...)
{
    char words[LABEL + 200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    text_printf(&r->question->words, "%s%s", r->question->words.length ? "; " : "", words);
}

/* As a sentence names what was chosen. */
static char *named(const Reader *r, const char *list)
{
    char text[LABEL], site[300];
    uint32_t op = numbered(list, "op:", r->trace->n_ops),
             call = numbered(list, "call:", r->trace->n_calls);
    if (op) return memory_copy(labels_op(r->labels, op, text, sizeof text));
    if (call)
        return memory_format("%s (%s)", r->trace->calls[call].name,
                             analysis_site(r->trace->calls[call].site, site, sizeof site));
    if (!strcmp(list, "all")) return memory_copy("everything");
    return memory_copy(list);
}

static bool ops_of(Reader *r, const char *list, Chosen *chosen)
{
    if (!each_item(r, list, chosen, add_ops, "operation")) return false;
    uint32_t kept = 0, first = chosen->ids[0];
    for (uint32_t i = 0; i < chosen->n; i++) {
        const TraceOp *op = &r->trace->ops[chosen->ids[i]];
        if (!op->launch && op->call) chosen->ids[kept++] = chosen->ids[i];
    }
    chosen->n = kept;
    char label[LABEL];
    labels_op(r->labels, first, label, sizeof label);
    if (!kept && r->trace->ops[first].launch)
        return fail(r,
                    "%s is a node of a graph: its place and its stream come from the graph, and no "
                    "call of its own asks for it",
                    label);
    return kept > 0 || fail(r, "%s: no call is known that asked for it", label);
}

/* Which stream of the trace the pictures call so. */
static uint32_t stream_called(const Reader *r, const char *name)
{
    char text[LABEL], want[LABEL];
    size_t length = (size_t)snprintf(want, sizeof want, "stream %s", name);
    for (uint32_t id = 1; id <= r->trace->n_streams && length < sizeof want; id++) {
        labels_stream(r->labels, id, text, sizeof text);
        if (!strncmp(text, want, length) && (!text[length] || text[length] == ' ')) return id;
    }
    return 0;
}

static bool split(char *operand, char **value)
{
    *value = strrchr(operand, '=');
    if (!*value || *value == operand || !(*value)[1]) return false;
    *(*value)++ = '\0';
    return true;
}

static bool put_stream(Reader *r, char *operand)
{
    char *to, what[40];
    if (!split(operand, &to)) return fail(r, "stream OPS=N, or stream OPS=new: which into which?");
    Chosen ops = {0};
    bool new = !strcmp(to, "new"), fine = ops_of(r, operand, &ops);
    uint32_t id = new ? ++r->n_apart : fine ? stream_called(r, to) : 0;
    if (fine && !id)
        fine = fail(r, "there is no stream %s in this run: `new` gives a stream of its own", to);
    for (uint32_t i = 0; i < ops.n && fine && !new; i++)
        if (r->trace->streams[id].device != r->trace->ops[ops.ids[i]].device)
            fine = fail(r, "stream %s is on another device than %s", to, operand);
    snprintf(what, sizeof what, "%s %u", new ? "apart" : "stream", id);
    for (uint32_t i = 0; i < ops.n && fine; i++) put(r, r->trace->ops[ops.ids[i]].call, what);
    char *name = named(r, operand);
    if (fine && new) say(r, "%s in a stream of %s own", name, ops.n > 1 ? "their" : "its");
    else if (fine) say(r, "%s in stream %s", name, to);
    free(name);
    free(ops.ids);
    return fine;
}

static bool put_apart(Reader *r, char *operand)
{
    Chosen ops = {0};
    bool fine = ops_of(r, operand, &ops);
    uint32_t base = r->n_apart, most = 0;
    for (uint32_t i = 0; i < ops.n && fine; i++) {
        char what[40];
        uint32_t number = labels_number(r->labels, ops.ids[i]);
        if (number == LABELS_NONE) number = 0;
        if (number > MOST_APART - base) {
            fine = fail(r, "these are more than %d batches", MOST_APART);
            break;
        }
        if (number + 1 > most) most = number + 1;
        snprintf(what, sizeof what, "apart %u", base + number + 1);
        put(r, r->trace->ops[ops.ids[i]].call, what);
    }
    r->n_apart = base + most;
    if (fine) say(r, "each batch in a stream of its own");
    free(ops.ids);
    return fine;
}

static bool is_copy(const TraceOp *op) { return op->kind <= TRACE_P2P; }

static bool put_on_copies(Reader *r, char *operand, const char *what, const char *words)
{
    Chosen ops = {0};
    uint32_t n = 0;
    bool fine = ops_of(r, operand, &ops);
    for (uint32_t i = 0; i < ops.n && fine; i++) {
        const TraceOp *op = &r->trace->ops[ops.ids[i]];
        if (!is_copy(op)) continue;
        if (!strcmp(what, "pinned") && op->from != TRACE_MEM_PAGEABLE &&
            op->to != TRACE_MEM_PAGEABLE)
            continue;
        put(r, op->call, what);
        n++;
    }
    char *name = named(r, operand);
    if (fine && !n)
        fine = fail(r, "%s: %s", name,
                    !strcmp(what, "pinned") ? "no copy of pageable memory is among them"
                                            : "no copy is among them");
    if (fine) say(r, words, name);
    free(name);
    free(ops.ids);
    return fine;
}

static bool put_pinned(Reader *r, char *operand)
{
    return put_on_copies(r, operand, "pinned", "%s with pinned memory");
}

static bool put_async(Reader *r, char *operand)
{
    return put_on_copies(r, operand, "async", "nobody waits for %s at the call");
}

static bool put_drop(Reader *r, char *operand)
{
    Chosen waits = {0};
    bool fine = each_item(r, operand, &waits, add_waits, "wait"), is_all = !strcmp(operand, "all");
    for (uint32_t i = 0; i < waits.n && fine; i++) put(r, waits.ids[i], "skip");
    char *name = named(r, operand);
    if (fine && waits.n > 1)
        say(r, "without the %u waits%s%s", waits.n, is_all ? "" : " at ", is_all ? "" : name);
    else if (fine) say(r, "without the wait%s%s", is_all ? "" : " at ", is_all ? "" : name);
    free(name);
    free(waits.ids);
    return fine;
}

static bool put_wait(Reader *r, char *operand)
{
    Chosen ops = {0};
    bool fine = ops_of(r, operand, &ops);
    for (uint32_t i = 0; i < ops.n && fine; i++) put(r, r->trace->ops[ops.ids[i]].call, "wait");
    char *name = named(r, operand);
    if (fine) say(r, "the host waits for the device after %s", name);
    free(name);
    free(ops.ids);
    return fine;
}

static bool lengthen(Reader *r, const char *operand, double times)
{
    Chosen ops = {0};
    char what[60];
    bool fine = ops_of(r, operand, &ops);
    snprintf(what, sizeof what, "times %.17g", times);
    for (uint32_t i = 0; i < ops.n && fine; i++) put(r, r->trace->ops[ops.ids[i]].call, what);
    char *name = named(r, operand);
    if (fine && times == 0.5) say(r, "%s half as long", name);
    else if (fine) say(r, "%s %g times as long", name, times);
    free(name);
    free(ops.ids);
    return fine;
}

static bool put_times(Reader *r, char *operand)
{
    char *value, *end;
    if (!split(operand, &value))
        return fail(r, "times OPS=F: how many times as long do they last?");
    double times = strtod(value, &end);
    if (*end || !(times > 0 && times <= 1e6))
        return fail(r, "times %s=%s: a number above 0, and up to a million", operand, value);
    return lengthen(r, operand, times);
}

static bool put_half(Reader *r, char *operand) { return lengthen(r, operand, 0.5); }

static bool put_device(Reader *r, char *operand)
{
    free(r->question->model);
    char *path = strchr(operand, '/') && !strchr(operand, '+') ? realpath(operand, NULL) : NULL;
    r->question->model = path ? path : memory_copy(operand);
    say(r, "on %s", operand);
    return true;
}

static bool put_param(Reader *r, const char *name, const char *value)
{
    Question *q = r->question;
    if (q->n_params == QUESTION_PARAMS)
        return fail(r, "%s=%s: at most %d parameters", name, value, QUESTION_PARAMS);
    q->params[q->n_params].name = memory_copy(name);
    q->params[q->n_params++].value = memory_copy(value);
    say(r, "%s=%s", name, value);
    return true;
}

static bool put_batches(Reader *r, char *operand)
{
    if (!r->batches)
        return fail(r,
                    "batches %s: how many there are is a parameter of some exercises, and not of "
                    "this program: give it another argument after --, or change its source",
                    operand);
    return put_param(r, r->batches, operand);
}

/* ---- the words ---- */

typedef struct Verb {
    const char *word;
    bool (*put)(Reader *, char *operand);
} Verb;

static const Verb verbs[] = {
    {"stream", put_stream},  {"apart", put_apart},     {"pinned", put_pinned}, {"async", put_async},
    {"drop-wait", put_drop}, {"add-wait", put_wait},   {"times", put_times},   {"half", put_half},
    {"device", put_device},  {"batches", put_batches},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

/* BATCHES=16 */
static bool is_param(const char *word)
{
    size_t n = 0;
    while (isupper((unsigned char)word[n]) || word[n] == '_' ||
           (n && isdigit((unsigned char)word[n])))
        n++;
    return n && word[n] == '=' && word[n + 1];
}

static bool read_words(Reader *r, char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t v = 0;
        while (v < VERBS && strcmp(verbs[v].word, words[i]) != 0) v++;
        char *copy = memory_copy(v < VERBS ? i + 1 < n ? words[i + 1] : "" : words[i]), *value;
        bool fine;
        if (v < VERBS) {
            fine = *copy ? verbs[v].put(r, copy) : fail(r, "%s what?", words[i]);
            i++;
        } else if (is_param(copy) && split(copy, &value)) {
            fine = put_param(r, copy, value);
        } else {
            fine = fail(r,
                        "'%s' is no change: there are stream, apart, pinned, async, drop-wait, "
                        "add-wait, times, half, device, batches, and NAME=VALUE",
                        words[i]);
        }
        free(copy);
        if (!fine) return false;
    }
    return true;
}

bool question_read(Question *question, const Trace *trace, uint32_t range, const char *batches,
                   char *const *words, size_t n_words, char *error, size_t error_size)
{
    *question = (Question){0};
    Reader r = {.question = question,
                .trace = trace,
                .range = range,
                .batches = batches,
                .labels = labels_new(trace, range),
                .rank = memory_get((size_t)trace->n_calls + 1, sizeof *r.rank),
                .error = error,
                .error_size = error_size};
    uint32_t *made = memory_get((size_t)trace->n_threads + 1, sizeof *made);
    for (uint32_t id = 1; id <= trace->n_calls; id++)
        r.rank[id] =
            ++made[trace->calls[id].thread <= trace->n_threads ? trace->calls[id].thread : 0];
    bool fine = r.labels ? read_words(&r, words, n_words) : fail(&r, "not enough memory");
    labels_free(r.labels);
    free(r.rank);
    free(made);
    return fine;
}

void question_release(Question *question)
{
    text_release(&question->calls);
    text_release(&question->words);
    free(question->model);
    for (size_t i = 0; i < question->n_params; i++) {
        free(question->params[i].name);
        free(question->params[i].value);
    }
    *question = (Question){0};
}
