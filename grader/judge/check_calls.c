/* check_calls.c - the checks that look at how things were asked for: streams, memory, calls and
 * their errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/judge/check_context.h"

static const TraceOp *op_of(Context *c, const AnalysisSet *set, uint32_t i)
{
    return set->items[i].what == ANALYSIS_OP ? &c->trace->ops[set->items[i].id] : NULL;
}

bool judge_streams(Context *c)
{
    size_t n;
    char **groups = list_split(check_key(c->check, "groups"), '/', &n);
    uint32_t *stream = memory_get(n, sizeof *stream), *member = memory_get(n, sizeof *member);
    bool passes = true;
    for (size_t g = 0; g < n && passes; g++) {
        AnalysisSet *set = context_set(c, groups[g], true);
        passes = set != NULL;
        for (uint32_t i = 0; passes && i < set->n; i++) {
            const TraceOp *op = op_of(c, set, i);
            char one[PHRASE], other[PHRASE], first[PHRASE], second[PHRASE];
            if (!op) continue;
            if (!member[g]) {
                member[g] = set->items[i].id;
                stream[g] = op->stream;
                for (size_t h = 0; h < g && passes; h++) {
                    if (stream[h] != op->stream) continue;
                    text_printf(&c->cause,
                                "%s and %s are both in %s; each should have a stream of its own.",
                                say_op(c, member[h], one), say_op(c, member[g], other),
                                say_stream(c, op->stream, first));
                    passes = false;
                }
            } else if (stream[g] != op->stream) {
                text_printf(&c->cause, "%s is in %s, but %s is in %s; they belong in one stream.",
                            say_op(c, member[g], one), say_stream(c, stream[g], first),
                            say_op(c, set->items[i].id, other), say_stream(c, op->stream, second));
                passes = false;
            }
        }
        analysis_set_free(set);
    }
    list_free(groups);
    free(stream);
    free(member);
    return passes;
}

/* ---- distinct ---- */
typedef struct Place {
    uint64_t owner, at;
    uint32_t op;
} Place;

static int by_place(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (x->owner != y->owner) return x->owner < y->owner ? -1 : 1;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static bool same_place(const Place *a, const Place *b)
{
    return a->owner == b->owner && a->at == b->at;
}

/* Device memory is known by its address: what a pool gives out again is the same place. */
static Place place_of_use(const Trace *t, const TraceUse *use, uint32_t op)
{
    const TraceAlloc *alloc =
        use->alloc && use->alloc <= t->n_allocs ? &t->allocs[use->alloc] : NULL;
    if (alloc && alloc->kind == TRACE_MEM_DEVICE && alloc->address)
        return (Place){UINT64_MAX, alloc->address + use->offset, op};
    return (Place){use->alloc, use->offset, op};
}

/* A stretch of bytes. */
typedef struct Stretch {
    uint64_t owner, from, to;
} Stretch;

static int by_stretch(const void *a, const void *b)
{
    const Stretch *x = a, *y = b;
    if (x->owner != y->owner) return x->owner < y->owner ? -1 : 1;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

/* How many bytes these operations write, one that is written twice counted once. */
static uint64_t bytes_written(Context *c, const AnalysisSet *set)
{
    Stretch *all = NULL;
    size_t n = 0;
    uint64_t bytes = 0, end = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        for (uint32_t u = 0; op && u < op->n_uses; u++) {
            const TraceUse *use = &c->trace->uses[op->first_use + u];
            if (!use->write) continue;
            Place at = place_of_use(c->trace, use, set->items[i].id);
            all = memory_grow(all, n + 1, sizeof *all);
            all[n++] = (Stretch){at.owner, at.at, at.at + use->bytes};
        }
    }
    if (n) qsort(all, n, sizeof *all, by_stretch);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || all[i].owner != all[i - 1].owner) end = 0;
        uint64_t from = all[i].from > end ? all[i].from : end;
        if (all[i].to > from) bytes += all[i].to - from;
        if (all[i].to > end) end = all[i].to;
    }
    free(all);
    return bytes;
}

static bool judge_written(Context *c, const char *select, const AnalysisSet *set)
{
    char wanted[PHRASE] = "", words[PHRASE];
    uint64_t bytes = bytes_written(c, set);
    bool passes = context_compare(c, (double)bytes, 0, wanted);
    if (!passes && wanted[0])
        text_printf(&c->cause, "%s write %llu different bytes of memory; it should be %s.",
                    say_set(select, set->n, words), (unsigned long long)bytes, wanted);
    return passes;
}

bool judge_distinct(Context *c)
{
    const char *select = check_key(c->check, "select"), *of = check_key(c->check, "of");
    AnalysisSet *set = context_set(c, select, true);
    if (!set) return false;
    if (!strcmp(of, "written")) {
        bool fine = judge_written(c, select, set);
        analysis_set_free(set);
        return fine && context_carries(c);
    }
    Place *places = NULL;
    size_t n = 0, distinct = 0, shared = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        uint32_t uses = !op ? 0 : !strcmp(of, "stream") ? 1 : op->n_uses;
        for (uint32_t u = 0; u < uses; u++) {
            const TraceUse *use = op->n_uses ? &c->trace->uses[op->first_use + u] : NULL;
            if (use && strcmp(of, "stream") && strcmp(of, "buffer") &&
                use->write != !strcmp(of, "to"))
                continue;
            places = memory_grow(places, n + 1, sizeof *places);
            places[n++] = !strcmp(of, "stream") ? (Place){op->stream, 0, set->items[i].id}
                                                : place_of_use(c->trace, use, set->items[i].id);
        }
    }
    if (n) qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !same_place(&places[i - 1], &places[i])) distinct++;
        else if (!shared) shared = i;
    }
    char wanted[PHRASE] = "", words[PHRASE], one[PHRASE], other[PHRASE];
    bool passes = context_compare(c, (double)distinct, 0, wanted);
    if (!passes && wanted[0]) {
        const char *noun = !strcmp(of, "stream") ? "stream" : "buffer";
        text_printf(&c->cause, "%s use %zu %s%s; it should be %s.", say_set(select, set->n, words),
                    distinct, noun, distinct == 1 ? "" : "s", wanted);
        if (shared) {
            text_printf(&c->cause, " %s and %s share one", say_op(c, places[shared - 1].op, one),
                        say_op(c, places[shared].op, other));
            if (!strcmp(of, "stream"))
                text_printf(&c->cause, " (%s)",
                            say_stream(c, (uint32_t)places[shared].owner, words));
            text_add(&c->cause, ".");
        }
    }
    free(places);
    analysis_set_free(set);
    return passes && context_carries(c);
}

bool judge_flavour(Context *c)
{
    static const char *const meaning[TRACE_STREAM_FLAVOURS] = {
        "the legacy default stream: the one used where no stream is named, and that waits for all "
        "blocking streams",
        "the per-thread default stream",
        "a blocking stream: it waits for the legacy default stream, and that for it",
        "a non-blocking stream",
    };
    static const char *const how[TRACE_STREAM_FLAVOURS] = {
        "the legacy default stream (cudaStreamLegacy)",
        "the default stream of the thread that makes the call (cudaStreamPerThread)",
        "a blocking stream (cudaStreamCreate)",
        "a non-blocking stream (cudaStreamCreateWithFlags with cudaStreamNonBlocking)",
    };
    const char *is = check_key(c->check, "is"), *not = check_key(c->check, "not");
    AnalysisSet *set = context_set(c, check_key(c->check, "select"), true);
    bool passes = set != NULL;
    for (uint32_t i = 0; passes && i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        if (!op || !op->stream || op->stream > c->trace->n_streams) continue;
        TraceStreamFlavour flavour = c->trace->streams[op->stream].flavour;
        const char *word = trace_stream_word[flavour];
        if ((!is || !strcmp(is, word)) && (!not || strcmp(not, word))) continue;
        char one[PHRASE], stream[PHRASE];
        text_printf(&c->cause, "%s is in %s, %s.", say_op(c, set->items[i].id, one),
                    say_stream(c, op->stream, stream), meaning[flavour]);
        for (int k = 0; is && k < TRACE_STREAM_FLAVOURS; k++)
            if (!strcmp(is, trace_stream_word[k]))
                text_printf(&c->cause, " It should be in %s.", how[k]);
        passes = false;
    }
    analysis_set_free(set);
    return passes;
}

/* ---- memory ---- */
/* Which end of a copy is the host's, if one is: true for the end it reads from. */
static bool host_end(const TraceOp *op, bool *from)
{
    *from = op->kind == TRACE_H2D || op->kind == TRACE_H2H;
    return op->kind == TRACE_H2D || op->kind == TRACE_H2H || op->kind == TRACE_D2H;
}

static uint32_t alloc_of(Context *c, const TraceOp *op, bool from)
{
    for (uint32_t u = 0; u < op->n_uses; u++) {
        const TraceUse *use = &c->trace->uses[op->first_use + u];
        if (use->write != from) return use->alloc <= c->trace->n_allocs ? use->alloc : 0;
    }
    return 0;
}

static bool memory_is(const char *wanted, TraceMemory memory)
{
    /* registered memory is page-locked like any other */
    return !strcmp(trace_memory_word[memory], wanted) ||
           (!strcmp(wanted, "pinned") && memory == TRACE_MEM_REGISTERED);
}

/* ---- what was moved, and by whom ---- */

enum { ANY_BYTES = -1 };

static double bytes_of(Context *c, const AnalysisSet *set)
{
    double bytes = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        if (op) bytes += (double)op->bytes;
    }
    return bytes;
}

/* The copies of one selector move so much in all (ANY_BYTES: however much), none of them more than
 * `most`. */
static bool moves(Context *c, const char *selector, double bytes, double most)
{
    AnalysisSet *set = context_set(c, selector, true);
    if (!set) return false;
    char words[PHRASE], one[PHRASE];
    double moved = bytes_of(c, set);
    bool passes = bytes == ANY_BYTES || moved == bytes;
    c->absent = c->absent || moved < bytes;
    if (!passes)
        text_printf(&c->cause, "%s move%s %.0f bytes in all, and the data are %.0f: %s.",
                    say_set(selector, set->n, words), set->n == 1 ? "s" : "", moved, bytes,
                    moved < bytes ? "some of them took another way, or none"
                                  : "something is sent that is no part of them");
    for (uint32_t i = 0; passes && i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        if (!op || (double)op->bytes <= most) continue;
        text_printf(&c->cause, "%s moves %llu bytes at once; one part of the data has %.0f.",
                    say_op(c, set->items[i].id, one), (unsigned long long)op->bytes, most);
        passes = false;
    }
    analysis_set_free(set);
    return passes;
}

/* The operations touch memory of the device's only: what host memory they reach into did not come
 * by a copy. */
static bool stays_on_device(Context *c, const char *selectors)
{
    AnalysisSet *set = context_set(c, selectors, false);
    bool passes = set != NULL;
    for (uint32_t i = 0; passes && i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        for (uint32_t u = 0; op && passes && u < op->n_uses; u++) {
            const TraceUse *use = &c->trace->uses[op->first_use + u];
            const TraceAlloc *alloc = use->alloc && use->alloc <= c->trace->n_allocs
                                          ? &c->trace->allocs[use->alloc]
                                          : NULL;
            if (alloc && alloc->kind == TRACE_MEM_DEVICE) continue;
            char one[PHRASE], where[PHRASE] = "";
            text_printf(&c->cause, "%s %s %s memory", say_op(c, set->items[i].id, one),
                        use->write ? "writes to" : "reads from",
                        trace_memory_word[alloc ? alloc->kind : TRACE_MEM_PAGEABLE]);
            if (alloc) text_printf(&c->cause, " (from %s)", say_call(c, alloc->call, where));
            text_add(&c->cause,
                     ": it should work on device memory, with data that a copy brought.");
            passes = false;
        }
    }
    analysis_set_free(set);
    return passes;
}

bool context_carries(Context *c)
{
    const char *carry = check_key(c->check, "carry"), *in_all = check_key(c->check, "bytes"),
               *at_once = check_key(c->check, "at-once"), *device = check_key(c->check, "device");
    double bytes = ANY_BYTES, most = HUGE_VAL;
    bool passes = true;
    if (carry) {
        passes = (!in_all || context_number(c, in_all, &bytes)) &&
                 (!at_once || context_number(c, at_once, &most));
        char **list = list_split(carry, ',', NULL);
        for (size_t i = 0; list[i] && passes; i++) passes = moves(c, list[i], bytes, most);
        c->within = NULL; /* points into list */
        list_free(list);
    }
    return passes && (!device || stays_on_device(c, device));
}

bool judge_memory(Context *c)
{
    const char *wanted = check_key(c->check, "is");
    AnalysisSet *set = context_set(c, check_key(c->check, "select"), true);
    bool passes = set != NULL;
    for (uint32_t i = 0; passes && i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        bool from;
        if (!op || !host_end(op, &from)) continue;
        TraceMemory memory = from ? op->from : op->to;
        if (memory_is(wanted, memory)) continue;
        char one[PHRASE], where[PHRASE];
        uint32_t alloc = alloc_of(c, op, from);
        text_printf(&c->cause, "%s %s %s memory", say_op(c, set->items[i].id, one),
                    from ? "reads from" : "writes to", trace_memory_word[memory]);
        if (alloc)
            text_printf(&c->cause, ", which comes from %s.",
                        say_call(c, c->trace->allocs[alloc].call, where));
        else if (memory == TRACE_MEM_PAGEABLE)
            text_add(&c->cause,
                     " (an ordinary array, or from malloc): it was never given to cudaMallocHost, "
                     "cudaHostAlloc or cudaHostRegister.");
        else text_add(&c->cause, ".");
        text_printf(&c->cause, " It should be %s.", wanted);
        passes = false;
    }
    analysis_set_free(set);
    return passes && context_carries(c);
}

bool judge_async(Context *c)
{
    AnalysisSet *set = context_set(c, check_key(c->check, "select"), true);
    bool passes = set != NULL;
    for (uint32_t i = 0; passes && i < set->n; i++) {
        const TraceOp *op = op_of(c, set, i);
        if (!op || !op->call || op->call > c->trace->n_calls) continue;
        const TraceCall *call = &c->trace->calls[op->call];
        if (op->start_ns == op->end_ns || call->end_ns < op->end_ns) continue;
        char one[PHRASE], time[PHRASE], label[PHRASE];
        bool from;
        say_call(c, op->call, one);
        if (call->end_ns == TRACE_OPEN_NS) text_printf(&c->cause, "%s never returned.", one);
        else
            text_printf(&c->cause, "%s kept the host for %s: it returned only when %s had ended.",
                        one, say_time(c, call->end_ns - call->start_ns, time),
                        say_op(c, set->items[i].id, label));
        if (host_end(op, &from) && (from ? op->from : op->to) == TRACE_MEM_PAGEABLE) {
            text_add(&c->cause, " The host's end of this copy is pageable memory, which the driver "
                                "copies by itself first.");
        } else if (!strstr(call->name, "Async") && (op->kind <= TRACE_P2P)) {
            text_printf(&c->cause, " %s waits for the copy by its nature.", call->name);
        }
        passes = false;
    }
    analysis_set_free(set);
    return passes;
}

/* Debug information has the whole path of a source that was compiled under a shorter name. */
static bool same_source(const char *file, const char *source)
{
    size_t length = strlen(file), n = strlen(source);
    if (length < n || strcmp(file + length - n, source) != 0) return false;
    return length == n || file[length - n - 1] == '/';
}

/* Is it a call that memory of this kind has to go back with? */
static bool gives_back(const char *name, TraceMemory kind)
{
    static const struct {
        TraceMemory kind;
        const char *name;
    } calls[] = {{TRACE_MEM_DEVICE, "cudaFree"},
                 {TRACE_MEM_DEVICE, "cudaFreeAsync"},
                 {TRACE_MEM_DEVICE, "cuMemFree"},
                 {TRACE_MEM_DEVICE, "cuMemFreeAsync"},
                 {TRACE_MEM_PINNED, "cudaFreeHost"},
                 {TRACE_MEM_PINNED, "cuMemFreeHost"},
                 {TRACE_MEM_REGISTERED, "cudaHostUnregister"},
                 {TRACE_MEM_REGISTERED, "cuMemHostUnregister"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].kind == kind && !strcmp(calls[i].name, name)) return true;
    return false;
}

/* Who made the call; where the recorder could not tell, by the file that it stands in. */
static bool is_students(const Context *c, const TraceCall *call)
{
    if (call->by) return call->by == TRACE_SIDE_STUDENT;
    return call->site.file && same_source(call->site.file, c->evidence->source);
}

bool judge_freed(Context *c)
{
    bool pinned = !strcmp(check_key(c->check, "memory"), "pinned");
    for (uint32_t i = 1; i <= c->trace->n_allocs; i++) {
        const TraceAlloc *alloc = &c->trace->allocs[i];
        bool registered = pinned && alloc->kind == TRACE_MEM_REGISTERED;
        const char *made = registered ? "pinned" : "allocated",
                   *undo = registered ? "undone" : "freed";
        if (!(registered || alloc->kind == (pinned ? TRACE_MEM_PINNED : TRACE_MEM_DEVICE)) ||
            !alloc->call || alloc->call > c->trace->n_calls)
            continue;
        const char *with = registered ? "cudaHostUnregister"
                           : pinned   ? "cudaFreeHost"
                           : strstr(c->trace->calls[alloc->call].name, "Async") ? "cudaFreeAsync"
                                                                                : "cudaFree";
        if (!is_students(c, &c->trace->calls[alloc->call])) continue;
        char one[PHRASE], other[PHRASE];
        say_call(c, alloc->call, one);
        if (!alloc->free_call || alloc->free_call > c->trace->n_calls) {
            text_printf(&c->cause, "What %s %s is never %s. It has to go back with %s%s.", one,
                        made, undo, with, registered ? ", before its memory is freed" : "");
            return false;
        }
        if (gives_back(c->trace->calls[alloc->free_call].name, alloc->kind)) continue;
        text_printf(&c->cause, "What %s %s is freed by %s. It has to go back with %s%s.", one, made,
                    say_call(c, alloc->free_call, other), with, registered ? " before that" : "");
        return false;
    }
    return true;
}

static AnalysisSet *calls_set(Context *c, const char *pattern)
{
    char *selector =
        strncmp(pattern, "call:", 5) ? memory_format("call:%s", pattern) : memory_copy(pattern);
    AnalysisSet *set = context_set(c, selector, false);
    c->within = NULL; /* points into selector */
    free(selector);
    return set;
}

static uint32_t successful(Context *c, const AnalysisSet *set)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n; i++) n += c->trace->calls[set->items[i].id].result == 0;
    return n;
}

/* A stream or event that was never destroyed, as "the one from cudaStreamCreate (ex41.cu:9)". */
static bool say_left_over(Context *c, const char *create, char text[PHRASE])
{
    if (strstr(create, "StreamCreate")) {
        for (uint32_t i = 1; i <= c->trace->n_streams; i++) {
            const TraceStream *stream = &c->trace->streams[i];
            if (stream->destroyed_ns != TRACE_OPEN_NS || stream->flavour == TRACE_STREAM_LEGACY ||
                stream->flavour == TRACE_STREAM_PER_THREAD)
                continue;
            char name[PHRASE], site[PHRASE];
            analysis_site(stream->site, site, sizeof site);
            snprintf(text, PHRASE, "%.150s%s%.200s%s", say_stream(c, i, name), site[0] ? " (" : "",
                     site, site[0] ? ")" : "");
            return true;
        }
    }
    for (uint32_t i = 1; strstr(create, "Event") && i <= c->trace->n_events; i++) {
        char name[PHRASE];
        if (c->trace->events[i].end_call) continue;
        snprintf(text, PHRASE, "the event from %.300s",
                 say_call(c, c->trace->events[i].call, name));
        return true;
    }
    return false;
}

/* The calls that a pattern means here, for a sentence: the one that was made, or, where there is
 * none, its counterpart of `made`: of cu*StreamDestroy the driver's or the runtime's. */
static const char *say_calls(Context *c, const char *pattern, const AnalysisSet *set,
                             const AnalysisSet *made, char text[PHRASE])
{
    size_t length = strlen(pattern);
    const AnalysisSet *like = set->n ? set : made;
    if (!strncmp(pattern, "call:", 5)) pattern += 5, length -= 5;
    if (strncmp(pattern, "cu*", 3) != 0 || strchr(pattern, ',') || !like->n)
        snprintf(text, PHRASE, "%s", pattern);
    else
        snprintf(text, PHRASE, "%s%.*s",
                 call_of_driver(c->trace, like->items[0].id) ? "cu" : "cuda",
                 (int)(length - 3 - (pattern[length - 1] == '*')), pattern + 3);
    return text;
}

bool judge_balanced(Context *c)
{
    const char *create = check_key(c->check, "create"), *destroy = check_key(c->check, "destroy");
    AnalysisSet *made = calls_set(c, create), *gone = made ? calls_set(c, destroy) : NULL;
    bool passes = false;
    if (gone) {
        uint32_t n_made = successful(c, made), n_gone = successful(c, gone);
        char one[PHRASE], two[PHRASE];
        passes = n_made == n_gone;
        c->absent = n_made > n_gone;
        if (!passes) {
            text_printf(&c->cause, "%u %s of %s succeeded, but %u of %s.", n_made,
                        n_made == 1 ? "call" : "calls", say_calls(c, create, made, made, one),
                        n_gone, say_calls(c, destroy, gone, made, two));
            if (n_made > n_gone && say_left_over(c, create, one))
                text_printf(&c->cause, " Never destroyed: %s.", one);
            else if (n_made > n_gone)
                text_printf(&c->cause, " The last was made by %s.",
                            say_interval(c, &made->items[made->n - 1], one));
        }
    }
    analysis_set_free(made);
    analysis_set_free(gone);
    return passes;
}

/* A CUDA call that the thread which runs host functions has made, whatever it returned; 0: there is
 * none. */
static uint32_t call_in_host_function(const Trace *trace)
{
    for (uint32_t i = 1; i <= trace->n_calls; i++) {
        uint32_t thread = trace->calls[i].thread;
        if (thread && thread <= trace->n_threads &&
            trace->threads[thread].role == TRACE_THREAD_DRIVER &&
            trace_cuda_call(trace->calls[i].name))
            return i;
    }
    return 0;
}

bool judge_errors(Context *c)
{
    char call[PHRASE];
    uint32_t inside = call_in_host_function(c->trace);
    if (inside) {
        text_printf(&c->cause,
                    "%s is called in a host function, where no CUDA call is allowed, not even one "
                    "that only "
                    "asks.",
                    say_call(c, inside, call));
        if (c->trace->calls[inside].result)
            text_printf(&c->cause, " It returned error %d.", c->trace->calls[inside].result);
        return false;
    }
    if (!say_failed_call(c, call)) return true;
    text_printf(&c->cause, "%s.", call);
    return false;
}

/* A call that failed is the check `errors`' to judge: nothing raced in it. */
static bool is_failed_call(const TraceHazard *hazard)
{
    return !strcmp(hazard->kind, "failed-launch");
}

/* The harness has waits of its own, and their places are known: one without a place is the
 * student's, made through a pointer. */
static bool is_in_source(const Context *c, const TraceHazard *hazard)
{
    const char *a = hazard->site_a.file, *b = hazard->site_b.file;
    if (!a && !b) return true;
    return (a && same_source(a, c->evidence->source)) || (b && same_source(b, c->evidence->source));
}

/* What the harness does is ordered by nothing that a student can write (an event, for instance),
 * but by a wait of the host before. */
static void advise_to_wait(Context *c, const TraceHazard *hazard)
{
    char a[PHRASE], b[PHRASE];
    const TraceOp *op = &c->trace->ops[hazard->op_a];
    TraceSite made = c->trace->streams[op->stream].site;
    text_printf(&c->cause, " To order them, let the host wait for %s (%s",
                say_stream(c, op->stream, a),
                call_of_driver(c->trace, op->call) ? "cuStreamSynchronize"
                                                   : "cudaStreamSynchronize");
    if (made.file) text_printf(&c->cause, "; %s makes it", analysis_site(made, a, sizeof a));
    text_printf(&c->cause,
                ") before it goes on to %s: the exercise's own code, in a function that you call "
                "or when yours has returned.",
                analysis_site(hazard->site_b, b, sizeof b));
}

/* What would order them: the exercise's own advice, a wait of the host, or the hazard's own fix. */
static void advise(Context *c, const TraceHazard *hazard)
{
    bool unordered = !strcmp(hazard->kind, "race") || !strcmp(hazard->kind, "host-race");
    const char *path = hazard->site_b.file ? hazard->site_b.file : "", *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const char *advice = check_key(c->check, "advice");
    bool harness = unordered && !strncmp(file, "harness", 7);
    bool both_harness = harness && !strcmp(hazard->kind, "race"); /* neither is the student's */
    bool hostfn = hazard->op_b && c->trace->ops[hazard->op_b].kind == TRACE_HOSTFN;
    if (advice && (both_harness || strstr(hazard->fix, "record an event") ||
                   strstr(hazard->fix, "ynchronize"))) {
        text_printf(&c->cause, " To order them here, %s.", advice);
    } else if (hazard->op_a && harness && !hostfn) {
        advise_to_wait(c, hazard);
    } else if (hazard->fix[0]) {
        text_printf(&c->cause,
                    hazard->note || !unordered ? " What helps: %s." : " To order them, %s.",
                    hazard->fix);
    }
}

/* The hazards that the program's run reported: the first is told, with the edge that would order
 * it. */
bool judge_hazards(Context *c)
{
    const TraceHazard *first = NULL;
    uint32_t more = 0;
    const char *range = check_key(c->check, "range"), *of = check_key(c->check, "of");
    uint32_t id = range ? analysis_range(c->trace, range) : 0;
    if (range && !id) {
        c->absent = true;
        text_printf(&c->cause, "The program never came to the part that is marked `%s`.", range);
        return false;
    }
    for (uint32_t i = 1; i <= c->trace->n_hazards; i++) {
        const TraceHazard *hazard = &c->trace->hazards[i];
        if (of ? strcmp(hazard->kind, of) != 0 || !is_in_source(c, hazard)
               : hazard->note || is_failed_call(hazard))
            continue;
        if (range && !analysis_hazard_in(c->trace, hazard, id)) continue;
        if (first) more++;
        else first = hazard;
    }
    if (!first) return true;

    char a[PHRASE], b[PHRASE];
    c->op = first->op_b ? first->op_b : first->op_a;
    text_printf(&c->cause, "%s: %s", first->kind, first->headline);
    if (first->site_a.file && first->site_b.file)
        text_printf(&c->cause, " (%s, %s)", analysis_site(first->site_a, a, sizeof a),
                    analysis_site(first->site_b, b, sizeof b));
    else if (first->site_b.file)
        text_printf(&c->cause, " (%s)", analysis_site(first->site_b, b, sizeof b));
    if (first->why[0]) text_printf(&c->cause, "; %s", first->why);
    text_printf(&c->cause, ".");
    advise(c, first);
    if (more) text_printf(&c->cause, " %u more: see what the program printed.", more);
    return false;
}
