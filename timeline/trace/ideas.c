/* ideas.c - see ideas.h. */
#include "timeline/trace/ideas.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "timeline/trace/analysis.h"

enum { LOOK = 20000 }; /* operations that are looked at for what they have in common */

typedef struct Ideas {
    const Trace *trace;
    const Labels *labels;
    Idea *all;
    uint32_t n;
} Ideas;

/* The change, and the words for it, one after the other, a line feed between. */
static void add(Ideas *ideas, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(Ideas *ideas, const char *format, ...)
{
    char text[sizeof(Idea)];
    va_list arguments;
    if (ideas->n == IDEAS) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    size_t length = strcspn(text, "\n");
    Idea *idea = &ideas->all[ideas->n];
    if (!text[length] || length >= sizeof idea->change) return;
    text[length] = '\0';
    for (uint32_t i = 0; i < ideas->n; i++)
        if (!strcmp(ideas->all[i].change, text)) return;
    snprintf(idea->change, sizeof idea->change, "%.199s", text);
    snprintf(idea->words, sizeof idea->words, "%.199s", text + length + 1);
    ideas->n++;
}

bool ideas_is_wait(const TraceCall *call)
{
    return analysis_match_call("cuda*Synchronize", call->name) ||
           analysis_match_call("cudaStreamWaitEvent", call->name);
}

static bool is_copy(const TraceOp *op) { return op->kind <= TRACE_P2P; }

static bool is_pageable(const TraceOp *op)
{
    return is_copy(op) && (op->from == TRACE_MEM_PAGEABLE || op->to == TRACE_MEM_PAGEABLE);
}

static bool is_synchronous(const Trace *t, const TraceOp *op)
{
    const char *name = t->calls[op->call].name;
    return is_copy(op) && op->kind != TRACE_D2D && op->kind != TRACE_P2P && op->call &&
           !strstr(name, "Async") && !strstr(name, "Graph");
}

static void leave_out(Ideas *ideas, uint32_t call)
{
    char site[300];
    const TraceCall *it = &ideas->trace->calls[call];
    add(ideas, "drop-wait call:%u\nwithout %s (%s)", call, it->name,
        analysis_site(it->site, site, sizeof site));
}

/* The stream's last wait for an event before op. */
static uint32_t wait_before(const Trace *t, uint32_t op)
{
    for (uint32_t id = op - 1, left = LOOK; id > 0 && left > 0; id--, left--) {
        if (t->ops[id].stream != t->ops[op].stream) continue;
        if (t->ops[id].kind == TRACE_WAIT) return t->ops[id].call;
        if (trace_op_is_work(&t->ops[id])) return 0;
    }
    return 0;
}

/* Other streams of its device that the range uses. */
static void other_streams(Ideas *ideas, uint32_t op, const char *label)
{
    const Trace *t = ideas->trace;
    uint32_t seen[4] = {t->ops[op].stream}, n = 1, left = LOOK;
    for (uint32_t id = 1; id <= t->n_ops && n < 4 && left > 0; id++, left--) {
        const TraceOp *other = &t->ops[id];
        bool known = !trace_op_is_work(other) || other->device != t->ops[op].device ||
                     !trace_in_range(t, labels_range(ideas->labels), id);
        for (uint32_t i = 0; i < n; i++) known |= seen[i] == other->stream;
        if (known) continue;
        seen[n++] = other->stream;
        char name[200], *number;
        labels_stream(ideas->labels, other->stream, name, sizeof name);
        if (strncmp(name, "stream ", 7) != 0) continue;
        number = name + 7;
        number[strcspn(number, " ")] = '\0';
        add(ideas, "stream op:%u=%s\n%s in stream %s", op, number, label, number);
    }
}

/* What keeps it from starting earlier that a call asked for. */
static void its_waits(Ideas *ideas, uint32_t op)
{
    const Trace *t = ideas->trace;
    uint32_t held = 0, wait = wait_before(t, op);
    if (wait) leave_out(ideas, wait);
    analysis_held(t, op, &held);
    const TraceRange *range =
        labels_range(ideas->labels) ? &t->ranges[labels_range(ideas->labels)] : NULL;
    if (!held || (range && (held < range->first_call || held >= range->end_call))) return;
    if (ideas_is_wait(&t->calls[held])) {
        leave_out(ideas, held);
        return;
    }
    for (uint32_t id = op - 1, left = LOOK; id > 0 && left > 0; id--, left--) {
        char label[300];
        if (t->ops[id].call != held || !is_synchronous(t, &t->ops[id])) continue;
        labels_op(ideas->labels, id, label, sizeof label);
        add(ideas, "async op:%u\n%.100s with cudaMemcpyAsync: the host goes on", id, label);
        return;
    }
}

uint32_t ideas_of_op(const Trace *t, const Labels *labels, uint32_t id, Idea *all)
{
    Ideas ideas = {t, labels, all, 0};
    if (!id || id > t->n_ops || !trace_op_is_work(&t->ops[id]) || !t->ops[id].call) return 0;
    const TraceOp *op = &t->ops[id];
    char label[300];
    labels_op(labels, id, label, sizeof label);
    label[100] = '\0';
    if (op->launch) return 0;

    its_waits(&ideas, id);
    if (is_pageable(op)) add(&ideas, "pinned op:%u\n%s with pinned memory", id, label);
    if (is_synchronous(t, op))
        add(&ideas, "async op:%u\n%s with cudaMemcpyAsync: the host goes on", id, label);
    add(&ideas, "stream op:%u=new\n%s in a stream of its own", id, label);
    other_streams(&ideas, id, label);
    add(&ideas, "half op:%u\n%s half as long", id, label);
    uint32_t n = ideas.n;
    Idea more[IDEAS];
    uint32_t of_run = ideas_of_run(t, labels, more);
    for (uint32_t i = 0; i < of_run; i++) add(&ideas, "%s\n%s", more[i].change, more[i].words);
    return ideas.n > n ? ideas.n : n;
}

uint32_t ideas_of_call(const Trace *t, uint32_t call, Idea *all)
{
    Ideas ideas = {t, NULL, all, 0};
    if (call && call <= t->n_calls && ideas_is_wait(&t->calls[call])) leave_out(&ideas, call);
    return ideas.n;
}

/* What the work of a range has in common. */
typedef struct Sum {
    uint32_t pageable, synchronous, kernels, copies, streams, last_work, waits, first_wait;
    uint32_t numbered; /* the highest number of a label, and one */
} Sum;

static Sum sum(const Trace *t, const Labels *labels)
{
    Sum s = {0};
    uint32_t range = labels_range(labels), left = LOOK, stream = 0;
    for (uint32_t id = range ? t->ranges[range].first_op : 1; id && id <= t->n_ops && left > 0;
         id++, left--) {
        const TraceOp *op = &t->ops[id];
        if (!trace_in_range(t, range, id) || !trace_op_is_work(op) || op->launch || !op->call)
            continue;
        uint32_t number = labels_number(labels, id);
        s.pageable += is_pageable(op);
        s.synchronous += is_synchronous(t, op);
        s.kernels += op->kind == TRACE_KERNEL;
        s.copies += op->kind == TRACE_H2D || op->kind == TRACE_D2H;
        s.streams += op->stream != stream;
        stream = op->stream;
        s.last_work = id;
        if (number != LABELS_NONE && number + 1 > s.numbered) s.numbered = number + 1;
    }
    left = LOOK;
    for (uint32_t id = range ? t->ranges[range].first_call : 1;
         id && id <= t->n_calls && left > 0 && (!range || id < t->ranges[range].end_call);
         id++, left--) {
        if (!ideas_is_wait(&t->calls[id])) continue;
        if (!s.waits++) s.first_wait = id;
    }
    return s;
}

uint32_t ideas_of_run(const Trace *t, const Labels *labels, Idea *all)
{
    Ideas ideas = {t, labels, all, 0};
    Sum s = sum(t, labels);
    if (!s.last_work) return 0;
    bool batches = s.numbered > 1 && s.copies && s.kernels && t->n_devices < 2;
    if (s.pageable) add(&ideas, "pinned all\nall host memory pinned");
    if (batches && s.synchronous)
        add(&ideas,
            "apart all async all add-wait op:%u\n"
            "a stream for each batch, and one wait at the end",
            s.last_work);
    else if (batches) add(&ideas, "apart all\na stream for each batch");
    if (s.synchronous && !batches)
        add(&ideas, "async all\nall copies asynchronous: the host goes on");
    if (s.waits > 1) add(&ideas, "drop-wait all\nwithout all %u waits", s.waits);
    else if (s.waits) leave_out(&ideas, s.first_wait);
    if (s.kernels) add(&ideas, "half kernel\nall kernels half as long");
    if (s.copies) add(&ideas, "half h2d half d2h\nall copies half as long");
    return ideas.n;
}
