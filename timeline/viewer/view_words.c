#include "common/utf8.h"
#include "timeline/viewer/view_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "timeline/pictures/layout.h"
#include "timeline/pictures/palette.h"

enum { STEPS = 200, NAME = 200 };

void words_add(Words *w, CanvasStyle style, int indent, const char *format, ...)
{
    if (w->n == w->room) {
        uint32_t room = w->room * 2 + 32;
        struct Word *bigger = realloc(w->lines, room * sizeof *bigger);
        if (!bigger) return;
        w->lines = bigger;
        w->room = room;
    }
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format, arguments) >= 0)
        w->lines[w->n++] = (struct Word){style, indent, text};
    va_end(arguments);
}

void words_release(Words *w)
{
    for (uint32_t i = 0; i < w->n; i++) free(w->lines[i].text);
    free(w->lines);
    memset(w, 0, sizeof *w);
}

/* ---- times and sizes ---- */

/* The unit of the times of one side: the one that suits the window. */
static AnalysisUnit unit_of(const View *v, uint8_t side)
{
    uint64_t from = view_to_side(v, side, v->from_ns), to = view_to_side(v, side, v->to_ns),
             most = 0;
    for (int i = 0; i < v->n_pieces && v->n_pieces > 1; i++) { /* what is not folded */
        const Piece *p = &v->pieces[i];
        if (p->idle || p->to_ns - p->from_ns <= most) continue;
        most = p->to_ns - p->from_ns;
        from = view_to_side(v, side, p->from_ns);
        to = view_to_side(v, side, p->to_ns);
    }
    return analysis_unit(v->sides[side].trace, to > from ? to - from : 1);
}

AnalysisUnit view_unit(const View *v) { return unit_of(v, 0); }

/* Digits that tell two neighbouring columns apart. */
static int digits_for(const View *v, AnalysisUnit unit)
{
    int digits = 0;
    uint32_t columns = v->picture_columns > 0 ? (uint32_t)v->picture_columns : 60;
    layout_step(v->to_ns - v->from_ns, unit.ns, columns, 1, &digits);
    return digits < 1 ? 1 : digits > 9 ? 9 : digits;
}

/* One digit where that tells it exactly; else as many as the window needs, and at least three. */
const char *view_time(const View *v, uint8_t side, uint64_t ns, char *text, size_t size)
{
    AnalysisUnit unit = unit_of(v, side);
    if (v->n_pieces > 1 && ns >= v->sides[side].origin_ns) /* hours beside nanoseconds */
        return analysis_time(v->sides[side].trace, ns - v->sides[side].origin_ns, text, size);
    double since = (double)ns - (double)v->sides[side].origin_ns,
           tenths = since * 10 / (double)unit.ns,
           whole = (double)(int64_t)(tenths < 1e17 ? tenths : 0);
    int needed = digits_for(v, unit), digits = tenths == whole ? 1 : needed > 3 ? needed : 3;
    if (unit.ns == 1) digits = 0;
    snprintf(text, size, "%.*f", digits, tenths / 10);
    return text;
}

const char *view_duration(const View *v, uint8_t side, uint64_t ns, char *text, size_t size)
{
    (void)v;
    return analysis_time(v->sides[side].trace, ns, text, size);
}

static void print_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    snprintf(text, size, unit && value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* ---- what a span is ---- */

static PaletteKind kind_of(const Side *side, SpansWhat what, uint32_t id)
{
    return what == SPANS_CALL    ? PALETTE_CALL
           : what == SPANS_RANGE ? PALETTE_RANGE
                                 : palette_of_op(&side->trace->ops[id]);
}

CanvasStyle view_style(const Side *side, SpansWhat what, uint32_t id)
{
    return (CanvasStyle)(CANVAS_H2D + kind_of(side, what, id));
}

const char *view_letter(const Side *side, SpansWhat what, uint32_t id)
{
    return palette[kind_of(side, what, id)].letter;
}

const char *view_label(const View *v, Selected s, char *text, size_t size)
{
    const Side *side = &v->sides[s.side];
    LayoutItem item = {0, 0,
                       s.what == SPANS_OP     ? LAYOUT_OP
                       : s.what == SPANS_CALL ? LAYOUT_CALL
                                              : LAYOUT_RANGE,
                       s.id};
    return layout_label(side->trace, s.what == SPANS_OP ? view_labels(side, s.id) : side->labels,
                        &item, text, size);
}

static const char *const kind_words[TRACE_OP_KINDS] = {
    [TRACE_H2D] = "copy from host to device",
    [TRACE_D2H] = "copy from device to host",
    [TRACE_D2D] = "copy within the device",
    [TRACE_H2H] = "copy within the host",
    [TRACE_P2P] = "copy between devices",
    [TRACE_MEMSET] = "memset",
    [TRACE_KERNEL] = "kernel",
    [TRACE_HOSTFN] = "host function",
    [TRACE_RECORD] = "event record",
    [TRACE_WAIT] = "event wait",
    [TRACE_ALLOC] = "allocation",
    [TRACE_FREE] = "release",
    [TRACE_GRAPH] = "launch of a graph",
};

static const char *class_words(TraceEngineClass class_)
{
    static const char *const words[TRACE_ENGINE_CLASSES] =
        {[TRACE_ENGINE_H2D] = "the H2D copy engine",
         [TRACE_ENGINE_D2H] = "the D2H copy engine",
         [TRACE_ENGINE_COPY] = "the copy engine",
         [TRACE_ENGINE_COMPUTE] = "the compute engine",
         [TRACE_ENGINE_HOST] = "the thread that runs host functions",
         [TRACE_ENGINE_LINK] = "the link between the devices"};
    return words[class_];
}

static void add_source(const View *v, Words *w, TraceSite site)
{
    char place[NAME], safe[NAME * 2];
    if (!analysis_site(site, place, sizeof place)[0]) return;
    const char *line = v->source ? v->source(v->source_context, site.file, site.line) : NULL;
    if (!line) return;
    while (*line == ' ' || *line == '\t') line++;
    words_add(w, CANVAS_DIM, 2, "%s:  %s", place, utf8_safe(line, safe, sizeof safe));
}

/* Where it ran, or for a graph's launch what it consists of; and of whose nodes it is one. */
static void describe_place(const Side *side, uint32_t id, char *text, size_t size)
{
    enum { LOOK = 100000 };
    const Trace *t = side->trace;
    const TraceOp *op = &t->ops[id];
    char engine[NAME] = "", launch[NAME];
    uint32_t nodes = 0;

    if (op->kind == TRACE_GRAPH) {
        for (uint32_t at = id + 1; at <= t->n_ops && at - id <= LOOK; at++)
            nodes += t->ops[at].launch == id;
        snprintf(text, size, " of %u node%s", nodes, nodes == 1 ? "" : "s");
        return;
    }
    /* its name, where that says more than what kind of engine it is */
    if (op->engine && !strcasestr(class_words(spans_class(t, id)), t->engines[op->engine].name))
        glyphs_fit(t->engines[op->engine].name, 40, true, engine, sizeof engine);
    if (op->launch) labels_op(view_labels(side, op->launch), op->launch, launch, sizeof launch);
    snprintf(text, size, " on %s%s%s%s%s%s", class_words(spans_class(t, id)), engine[0] ? " (" : "",
             engine, engine[0] ? ")" : "",
             !op->launch                              ? ""
             : t->ops[op->launch].kind == TRACE_GRAPH ? ", a node of "
                                                      : ", launched by ",
             op->launch ? launch : "");
}

/* What it is: name, size, speed, shape. */
static void describe_name(const View *v, Words *w, Selected s)
{
    const Trace *t = v->sides[s.side].trace;
    const TraceOp *op = &t->ops[s.id];
    char label[NAME], name[NAME] = "", bytes[40], rate[60] = "", shape[160] = "";
    uint64_t end_ns = op->end_ns == TRACE_OPEN_NS ? t->last_ns : op->end_ns;
    uint64_t took = end_ns > op->start_ns ? end_ns - op->start_ns : 0;
    bool from = op->from != TRACE_MEM_NONE, to = op->to != TRACE_MEM_NONE;
    view_label(v, s, label, sizeof label);
    if (op->name[0]) utf8_safe(op->name, name, sizeof name);
    print_bytes(op->bytes, bytes, sizeof bytes);
    if (op->bytes && took && op->kind != TRACE_KERNEL) {
        snprintf(rate, sizeof rate, ", %.*f GB/s", (double)op->bytes / (double)took < 10 ? 2 : 1,
                 (double)op->bytes / (double)took);
    }
    if (op->grid.x) {
        snprintf(shape, sizeof shape, ", grid %u,%u,%u of %u,%u,%u threads", op->grid.x, op->grid.y,
                 op->grid.z, op->block.x, op->block.y, op->block.z);
    }
    words_add(w, CANVAS_BOLD, 0, "%s  %s%s%s%s%s%s%s%s%s%s%s", label, kind_words[op->kind],
              name[0] ? " " : "", name, op->bytes ? ", " : "", op->bytes ? bytes : "", rate,
              from || to ? ", " : "", from ? trace_memory_word[op->from] : "",
              from && to ? " to " : "", to ? trace_memory_word[op->to] : "", shape);
}

/* Where it ran and when, and the line that issued it. */
static void describe_facts(const View *v, Words *w, Selected s)
{
    const Side *side = &v->sides[s.side];
    const Trace *t = side->trace;
    const TraceOp *op = &t->ops[s.id];
    char stream[NAME], issued[40], ready[40], start[40], end[40], length[60], place[NAME],
        made[NAME], call[NAME], shared[60] = "", where[3 * NAME];
    uint64_t end_ns = op->end_ns == TRACE_OPEN_NS ? t->last_ns : op->end_ns;
    uint64_t took = end_ns > op->start_ns ? end_ns - op->start_ns : 0;
    labels_stream(side->labels, op->stream, stream, sizeof stream);
    analysis_site(t->calls[op->call].site, place, sizeof place);
    analysis_site(op->made, made, sizeof made);
    if (op->shared_bytes) snprintf(shared, sizeof shared, ", %u bytes shared", op->shared_bytes);
    describe_place(side, s.id, where, sizeof where);
    words_add(w, CANVAS_PLAIN, 2, "in %s%s%s; %s%s%s%s%s%s", stream, where, shared,
              made[0] && op->captured ? "captured at "
              : made[0]               ? "added at "
                                      : "",
              made, made[0] ? "; " : "",
              op->call ? utf8_safe(t->calls[op->call].name, call, sizeof call) : "issued",
              place[0] ? " at " : "", place);
    bool estimate = op->kind == TRACE_KERNEL && trace_meta(t, "estimates");
    words_add(w, CANVAS_PLAIN, 2, "issued %s   ready %s   start %s   end %s%s   (%s%s)",
              view_time(v, s.side, op->issued_ns, issued, sizeof issued),
              view_time(v, s.side, critical_path_ready_ns(t, s.id), ready, sizeof ready),
              view_time(v, s.side, op->start_ns, start, sizeof start),
              view_time(v, s.side, end_ns, end, sizeof end),
              op->end_ns == TRACE_OPEN_NS ? " so far" : "",
              analysis_time(t, took, length, sizeof length), estimate ? ", an estimate" : "");
    add_source(v, w, analysis_op_site(t, s.id));
}

/* Why it did not start earlier: the first step back. */
static void describe_why(const View *v, Words *w, Selected s)
{
    const Side *side = &v->sides[s.side];
    char text[LINE];
    analysis_explain_with(side->trace, view_labels(side, s.id), s.id, text, sizeof text);
    words_add(w, CANVAS_PLAIN, 2, "%s", text);
}

/* And so on, step by step. */
static void describe_chain(const View *v, Words *w, Selected s)
{
    const Side *side = &v->sides[s.side];
    const Trace *t = side->trace;
    uint32_t id = s.id;
    uint64_t last_start = UINT64_MAX;
    for (int step = 1; step <= STEPS; step++) {
        char text[LINE], name[NAME];
        uint32_t call, by = critical_path_back(t, id, &call);
        if (step == 2) words_add(w, CANVAS_TITLE, 0, "And before that");
        if (step > 1) {
            analysis_explain_with(t, view_labels(side, id), id, text, sizeof text);
            words_add(w, CANVAS_DIM, 3, "%d  %s", step, text);
        }
        if (by && side->range && trace_in_range(t, side->range, id) &&
            !trace_in_range(t, side->range, by)) {
            words_add(w, CANVAS_DIM, 3, "   This is where `%s` begins; c goes further back",
                      utf8_safe(t->ranges[side->range].name, name, sizeof name));
            return;
        }
        if (!by || t->ops[by].start_ns >= last_start) return;
        last_start = t->ops[by].start_ns;
        id = by;
    }
    words_add(w, CANVAS_DIM, 3, "... and further back (c goes there step by step)");
}

/* A hazard's text has a line for each thing to say of it; only the first in a list of many. */
static void add_hazard(Words *w, const TraceHazard *h, const char *with, bool all)
{
    char kind[NAME], text[LINE], line[LINE], a[NAME], b[NAME];
    const char *at = h->text, *end = strchrnul(at, '\n');
    snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
    analysis_site(h->site_a, a, sizeof a);
    analysis_site(h->site_b, b, sizeof b);
    bool sites = !*end && (a[0] || b[0]); /* longer texts name them */
    words_add(w, CANVAS_HAZARD, 2, "! %s%s%s: %s%s%s%s%s%s", utf8_safe(h->kind, kind, sizeof kind),
              with[0] ? " with " : "", with, utf8_safe(line, text, sizeof text), sites ? " (" : "",
              sites ? a : "", sites && a[0] && b[0] ? ", " : "", sites ? b : "", sites ? ")" : "");
    for (int lines = 0; all && *end && lines < 20; lines++) {
        at = end + 1 + strspn(end + 1, " ");
        end = strchrnul(at, '\n');
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        words_add(w, !strncmp(line, "fix:", 4) ? CANVAS_BOLD : CANVAS_PLAIN, 6, "%s",
                  utf8_safe(line, text, sizeof text));
    }
}

static void describe_hazards(const View *v, Words *w, Selected s)
{
    const Side *side = &v->sides[s.side];
    const Trace *t = side->trace;
    if (!view_op_hazard(side, s.id)) return;
    for (uint32_t i = 1, said = 0; i <= t->n_hazards && said < 20; i++) {
        const TraceHazard *h = &t->hazards[i];
        if (h->op_a != s.id && h->op_b != s.id) continue;
        uint32_t other = h->op_a == s.id ? h->op_b : h->op_a;
        char label[NAME];
        add_hazard(w, h,
                   other ? labels_op(view_labels(side, other), other, label, sizeof label) : "",
                   true);
        said++;
    }
}

static void describe_difference(const View *v, Words *w, Selected s)
{
    if (!v->comparing || s.what != SPANS_OP) return;
    const Side *here = &v->sides[s.side], *there = &v->sides[!s.side];
    uint32_t other = s.id <= here->n_match ? here->match[s.id] : 0;
    char text[LINE], time[40], length[60];
    glyphs_fit(there->title, 40, true, text, sizeof text);
    if (!other) {
        words_add(w, CANVAS_DIFFERS, 2, "There is no such operation in %s", text);
        return;
    }
    const TraceOp *op = &there->trace->ops[other];
    uint64_t took =
        op->end_ns != TRACE_OPEN_NS && op->end_ns > op->start_ns ? op->end_ns - op->start_ns : 0;
    words_add(w, view_op_differs(v, s.side, s.id) ? CANVAS_DIFFERS : CANVAS_PLAIN, 2,
              "In %s: starts at %s, takes %s", text,
              op->start_ns == TRACE_OPEN_NS
                  ? "no time"
                  : view_time(v, !s.side, op->start_ns, time, sizeof time),
              analysis_time(there->trace, took, length, sizeof length));
    words_add(w, CANVAS_DIM, 4, "there, %s",
              analysis_explain_with(there->trace, view_labels(there, other), other, text,
                                    sizeof text));
}

static void describe_call(const View *v, Words *w, Selected s)
{
    const Trace *t = v->sides[s.side].trace;
    const TraceCall *call = &t->calls[s.id];
    char name[NAME], place[NAME], start[40], end[40], length[60], thread[NAME];
    uint64_t end_ns = call->end_ns == TRACE_OPEN_NS ? t->last_ns : call->end_ns;
    analysis_site(call->site, place, sizeof place);
    utf8_safe(t->threads[call->thread].name, thread, sizeof thread);
    if (!thread[0]) snprintf(thread, sizeof thread, "%u", call->thread);
    words_add(w, CANVAS_BOLD, 0, "%s%s%s  call of host thread %s%s",
              utf8_safe(call->name, name, sizeof name), place[0] ? " at " : "", place, thread,
              call->result ? "" : ", success");
    if (call->result) words_add(w, CANVAS_BAD, 2, "it failed: error %d", call->result);
    words_add(w, CANVAS_PLAIN, 2, "start %s   end %s%s   (%s)",
              view_time(v, s.side, call->start_ns, start, sizeof start),
              view_time(v, s.side, end_ns, end, sizeof end),
              call->end_ns == TRACE_OPEN_NS ? " so far" : "",
              analysis_time(t, end_ns > call->start_ns ? end_ns - call->start_ns : 0, length,
                            sizeof length));
    add_source(v, w, call->site);
}

static void describe_range(const View *v, Words *w, Selected s)
{
    const Trace *t = v->sides[s.side].trace;
    const TraceRange *range = &t->ranges[s.id];
    char name[NAME], start[40], end[40], length[60];
    uint64_t end_ns = range->end_ns == TRACE_OPEN_NS ? t->last_ns : range->end_ns;
    uint32_t ops = (range->end_op > t->n_ops ? t->n_ops + 1 : range->end_op) - range->first_op;
    words_add(w, CANVAS_BOLD, 0, "%s  range of the program (NVTX), %u operations issued in it",
              utf8_safe(range->name, name, sizeof name), range->first_op <= t->n_ops ? ops : 0);
    words_add(w, CANVAS_PLAIN, 2, "start %s   end %s%s   (%s)",
              view_time(v, s.side, range->start_ns, start, sizeof start),
              view_time(v, s.side, end_ns, end, sizeof end),
              range->end_ns == TRACE_OPEN_NS ? " so far" : "",
              analysis_time(t, end_ns > range->start_ns ? end_ns - range->start_ns : 0, length,
                            sizeof length));
}

/* Why the engine or stream was idle until this operation started. */
static void describe_idle(const View *v, Words *w, uint8_t index, uint32_t next, uint64_t since)
{
    const Side *side = &v->sides[index];
    const Trace *t = side->trace;
    const TraceOp *op = &t->ops[next];
    char text[LINE], time[40], place[NAME], label[NAME];
    const TraceCause *cause = analysis_decisive_cause(t, next);
    bool waited = cause && cause->until_ns > op->issued_ns;
    if (!waited && op->issued_ns > since) {
        analysis_site(t->calls[op->call].site, place, sizeof place);
        words_add(w, CANVAS_PLAIN, 2,
                  "Why it was idle: there was nothing to do; the host issued %s only at %s%s%s%s",
                  labels_op(view_labels(side, next), next, label, sizeof label),
                  view_time(v, index, op->issued_ns, time, sizeof time), place[0] ? " (" : "",
                  place, place[0] ? ")" : "");
        uint32_t call, by = critical_path_back(t, next, &call);
        if (by && call) {
            words_add(w, CANVAS_PLAIN, 2,
                      "Until then the host was in %s, which returned when %s had ended",
                      utf8_safe(t->calls[call].name, text, sizeof text),
                      labels_op(view_labels(side, by), by, label, sizeof label));
        }
        return;
    }
    words_add(w, CANVAS_PLAIN, 2, "Why it was idle: %s",
              analysis_explain_with(t, view_labels(side, next), next, text, sizeof text));
}

/* Nothing runs at the cursor: since when, until when, and why what comes next did not come
 * earlier. */
static void describe_gap(const View *v, Words *w)
{
    if (v->row >= v->n_rows) return;
    const Row *row = &v->rows[v->row];
    if (row->heading) return;
    const SpansTrack *track = view_track(v, row);
    const Side *side = &v->sides[row->side];
    const Spans *s = side->spans;
    uint64_t now = view_to_side(v, row->side, v->cursor_ns), before = 0, after = UINT64_MAX;
    uint32_t next = 0, previous = 0;
    uint32_t lanes = row->tracks > 1 ? view_row_lanes(v, row) : track->n_lanes;
    for (uint32_t k = 0; k < lanes; k++) {
        const SpansLane *lane = row->tracks > 1 ? view_row_lane(v, row, k) : &track->lanes[k];
        uint32_t i = spans_first_after(s, lane, now);
        while (i < lane->n && spans_end_ns(s, lane, i) <= now && lane->start_ns[i] <= now) i++;
        if (i < lane->n && lane->start_ns[i] < after) after = lane->start_ns[i], next = lane->id[i];
        if (i > 0 && spans_end_ns(s, lane, i - 1) >= before)
            before = spans_end_ns(s, lane, i - 1), previous = lane->id[i - 1];
    }
    char title[300], from[40], to[40], length[60], label[NAME];
    if (row->tracks > 1) view_group_title(v, row, title, sizeof title);
    else view_track_title(v, row, title, sizeof title);
    if (after <= now) {
        words_add(w, CANVAS_BOLD, 0, "%s: busy here in another of its rows", title);
        return;
    }
    if (!next && !previous) return;
    if (!next) {
        words_add(w, CANVAS_BOLD, 0, "%s: idle since %s", title,
                  view_time(v, row->side, before, from, sizeof from));
        words_add(w, CANVAS_PLAIN, 2, "Nothing more was issued to it.");
    } else {
        uint64_t since = previous ? before : s->from_ns < after ? s->from_ns : after;
        words_add(w, CANVAS_BOLD, 0, "%s: idle from %s to %s (%s)", title,
                  view_time(v, row->side, since, from, sizeof from),
                  view_time(v, row->side, after, to, sizeof to),
                  analysis_time(side->trace, after > since ? after - since : 0, length,
                                sizeof length));
    }
    Selected last = {row->side, track->what, previous}, first = {row->side, track->what, next};
    if (previous)
        words_add(w, CANVAS_PLAIN, 2, "Before it: %s", view_label(v, last, label, sizeof label));
    if (next)
        words_add(w, CANVAS_PLAIN, 2, "After it: %s", view_label(v, first, label, sizeof label));
    if (next && track->what == SPANS_OP)
        describe_idle(v, w, row->side, next, previous ? before : s->from_ns);
}

/* While playing: what the host does, and what runs. */
static void describe_play(const View *v, Words *w)
{
    const Side *side = &v->sides[0];
    const Trace *t = side->trace;
    char name[NAME], place[NAME], time[40];
    char unit[40];
    glyphs_fit(view_unit(v).name, 16, true, unit, sizeof unit);
    view_time(v, 0, v->play.head_ns, time, sizeof time);
    words_add(w, CANVAS_BOLD, 0, "%s at %s %s%s", v->play.running ? "Playing" : "Paused", time,
              unit, !strcmp(unit, "unit") && strcmp(time, "1.0") != 0 ? "s" : "");
    if (v->play.call) {
        const TraceCall *call = &t->calls[v->play.call];
        bool inside = call->end_ns > v->play.head_ns && call->end_ns != call->start_ns;
        analysis_site(call->site, place, sizeof place);
        words_add(w, CANVAS_PLAIN, 2, "Host: %s %s%s%s", inside ? "inside" : "after",
                  utf8_safe(call->name, name, sizeof name), place[0] ? " at " : "", place);
        add_source(v, w, call->site);
    }
}

static void describe_selected(const View *v, Words *w, bool brief)
{
    Selected s = v->selected;
    bool started = v->sides[s.side].trace->ops[s.id].start_ns != TRACE_OPEN_NS;
    if (brief && started) describe_why(v, w, s);
    describe_name(v, w, s);
    if (!brief && started) describe_why(v, w, s);
    describe_hazards(v, w, s);
    describe_difference(v, w, s);
    describe_facts(v, w, s);
    if (started) describe_chain(v, w, s);
}

void view_describe(View *v, Words *w, bool brief)
{
    Selected s = v->selected;
    if (v->play.on) {
        describe_play(v, w);
    } else if (!s.id) {
        describe_gap(v, w);
    } else if (s.what == SPANS_OP) {
        describe_selected(v, w, brief);
    } else if (s.what == SPANS_CALL) {
        describe_call(v, w, s);
    } else {
        describe_range(v, w, s);
    }
    const Trace *t = v->sides[0].trace;
    if (v->show_hazards) {
        words_add(w, CANVAS_TITLE, 0, "Hazards recorded in this run: %u", t->n_hazards);
        for (uint32_t i = 1; i <= t->n_hazards && i <= 50; i++)
            add_hazard(w, &t->hazards[i], "", false);
    }
    if (v->sides[0].spans->n_not_started) {
        uint32_t n = v->sides[0].spans->n_not_started;
        words_add(w, CANVAS_CARE, 0,
                  n == 1 ? "%u operation was issued and has not started"
                         : "%u operations were issued and have not started",
                  n);
    }
    if (v->show_path && v->sides[0].path.done) {
        words_add(w, CANVAS_PATH, 0,
                  "Critical path: %u operations, marked *. Making one of them shorter can make the "
                  "run shorter.",
                  v->sides[0].path.length);
    }
}

void view_overlap_words(View *v, char *text, size_t size)
{
    static const char *const names[TRACE_ENGINE_CLASSES] =
        {[TRACE_ENGINE_H2D] = "H2D",     [TRACE_ENGINE_D2H] = "D2H",
         [TRACE_ENGINE_COPY] = "copies", [TRACE_ENGINE_COMPUTE] = "kernels",
         [TRACE_ENGINE_LINK] = "links",  [TRACE_ENGINE_HOST] = "host fns"};
    static const TraceEngineClass order[] = {TRACE_ENGINE_H2D,     TRACE_ENGINE_COPY,
                                             TRACE_ENGINE_COMPUTE, TRACE_ENGINE_D2H,
                                             TRACE_ENGINE_LINK,    TRACE_ENGINE_HOST};
    const SpansOverlap *o = &v->overlap;
    if (!o->done) {
        snprintf(text, size, "In view: counting");
        return;
    }
    double span = (double)(o->to_ns - o->from_ns ? o->to_ns - o->from_ns : 1);
    if (!o->any_ns) {
        snprintf(text, size, "In view: nothing runs on the device");
        return;
    }
    size_t n = (size_t)snprintf(text, size, "In view: 2 operations at once %.0f%%, 3 %.0f%%; busy:",
                                100 * (double)o->two_ns / span, 100 * (double)o->three_ns / span);
    for (int i = 0; i < TRACE_ENGINE_CLASSES && n < size; i++) {
        if (!o->class_ns[order[i]]) continue;
        n += (size_t)snprintf(text + n, size - n, " %s %.0f%%", names[order[i]],
                              100 * (double)o->class_ns[order[i]] / span);
        if (order[i] == TRACE_ENGINE_COMPUTE && o->kernels_ns && n < size)
            n += (size_t)snprintf(text + n, size - n, " (2 at once %.0f%%)",
                                  100 * (double)o->kernels_ns / span);
    }
}

const char *view_busy(View *v, char *text, size_t size)
{
    view_overlap_words(v, text, size);
    return text;
}
