#include "timeline/viewer/view.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/hash.h"
#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "timeline/viewer/view_internal.h"

enum {
    LEAST_NS = 8,          /* the narrowest window */
    LABEL_AT_ONCE = 50000, /* traces up to this size are numbered again whenever they have grown */
    SEARCH_STEPS = 400000,
    PATH_STEPS = 60000,
    OVERLAP_STEPS = 400000, /* of one tick: well below 16 ms */
};

/* ---- sides ---- */

static void side_release(Side *side)
{
    labels_free(side->labels);
    labels_free(side->range_labels);
    spans_free(side->spans);
    critical_path_release(&side->path);
    free(side->match);
    free(side->hazards);
    memset(side, 0, sizeof *side);
}

/* The ops that a hazard names, as bits. */
static void mark_hazards(Side *side)
{
    const Trace *t = side->trace;
    if (!t->n_hazards || side->n_hazards == t->n_hazards) return;
    uint8_t *bits = calloc((size_t)t->n_ops / 8 + 1, 1);
    if (!bits) return;
    for (uint32_t i = 1; i <= t->n_hazards; i++) {
        bits[t->hazards[i].op_a / 8] |= (uint8_t)(1u << t->hazards[i].op_a % 8);
        bits[t->hazards[i].op_b / 8] |= (uint8_t)(1u << t->hazards[i].op_b % 8);
    }
    free(side->hazards);
    side->hazards = bits;
    side->n_hazards = t->n_hazards;
    side->hazard_ops = t->n_ops;
}

bool view_op_hazard(const Side *side, uint32_t op)
{
    return side->hazards && op <= side->hazard_ops && (side->hazards[op / 8] >> op % 8 & 1);
}

const Labels *view_labels(const Side *side, uint32_t op)
{
    return side->range_labels && trace_in_range(side->trace, side->range, op) ? side->range_labels
                                                                              : side->labels;
}

static void set_title(Side *side, const char *title)
{
    glyphs_fit(title, TITLE / 4, true, side->title, sizeof side->title);
}

static bool side_open(Side *side, const Trace *trace, const char *title)
{
    memset(side, 0, sizeof *side);
    side->trace = trace;
    set_title(side, title);
    side->labels = labels_new(trace, 0);
    side->labelled = trace->n_ops;
    side->spans = spans_new(trace);
    mark_hazards(side);
    if (side->spans) side->origin_ns = side->spans->from_ns;
    if (side->labels && side->spans) return true;
    side_release(side);
    return false;
}

/* ---- time ---- */

/* How long what is compared took. */
static double side_span(const Side *side)
{
    uint64_t end = side->range ? side->range_end_ns : side->spans->to_ns;
    return end > side->origin_ns ? (double)(end - side->origin_ns) : 1;
}

static double side_scale(const View *v)
{
    if (!v->aligned_scale) return 1;
    double a = side_span(&v->sides[0]), b = side_span(&v->sides[1]);
    return b > 0 && a > 0 ? b / a : 1;
}

uint64_t view_to_side(const View *v, uint8_t side, uint64_t ns)
{
    if (side == 0) return ns;
    double at = (double)v->sides[1].origin_ns +
                ((double)ns - (double)v->sides[0].origin_ns) * side_scale(v);
    return at <= 0 ? 0 : (uint64_t)(at + 0.5);
}

uint64_t view_from_side(const View *v, uint8_t side, uint64_t ns)
{
    if (side == 0) return ns;
    double at = (double)v->sides[0].origin_ns +
                ((double)ns - (double)v->sides[1].origin_ns) / side_scale(v);
    return at <= 0 ? 0 : (uint64_t)(at + 0.5);
}

void view_extent(const View *v, bool with_host, uint64_t *from, uint64_t *to)
{
    *from = v->sides[0].spans->from_ns;
    *to = v->sides[0].spans->to_ns;
    if (v->comparing) {
        uint64_t end = view_from_side(v, 1, v->sides[1].spans->to_ns);
        if (end > *to) *to = end;
    }
    if (with_host) {
        *from = 0;
        if (v->sides[0].trace->last_ns > *to) *to = v->sides[0].trace->last_ns;
    }
    if (*to <= *from) *to = *from + 1;
    if (*to - *from < LEAST_NS) *to = *from + LEAST_NS;
}

/* The widest window. */
static double most_span(const View *v)
{
    uint64_t first, last;
    view_extent(v, true, &first, &last);
    return ((double)last - (double)first) * 1.25 + 64;
}

void view_set_window(View *v, double from, double to)
{
    uint64_t first, last;
    view_extent(v, true, &first, &last);
    double most = most_span(v), span = to - from;
    if (span > most) {
        from = from + span / 2 - most / 2;
        span = most;
    }
    if (span < LEAST_NS) {
        from -= (LEAST_NS - span) / 2;
        span = LEAST_NS;
    }
    /* something of the run stays in sight */
    if (from > (double)last - span / 8) from = (double)last - span / 8;
    if (from + span < (double)first + span / 8) from = (double)first + span / 8 - span;
    if (from < 0) from = 0;
    v->from_ns = (uint64_t)(from + 0.5);
    v->to_ns = v->from_ns + (uint64_t)(span + 0.5);
    if (v->to_ns <= v->from_ns) v->to_ns = v->from_ns + 1;
    v->fits = false;
    v->overlap_known = false;
    view_pieces(v);
}

void view_remember_window(View *v)
{
    if (v->n_zooms && v->zooms[v->n_zooms - 1].from_ns == v->from_ns &&
        v->zooms[v->n_zooms - 1].to_ns == v->to_ns)
        return;
    if (v->n_zooms == ZOOMS)
        memmove(v->zooms, v->zooms + 1, (ZOOMS - 1) * sizeof *v->zooms), v->n_zooms--;
    v->zooms[v->n_zooms].from_ns = v->from_ns;
    v->zooms[v->n_zooms++].to_ns = v->to_ns;
}

void view_fit(View *v, bool with_host)
{
    uint64_t from, to;
    view_extent(v, with_host, &from, &to);
    view_set_window(v, (double)from, (double)to);
    v->from_ns = from;
    v->to_ns = to;
    v->fits = !with_host;
    view_pieces(v);
}

void view_zoom(View *v, double factor, uint64_t about)
{
    view_remember_window(v);
    double from = (double)v->from_ns, span = (double)(v->to_ns - v->from_ns), at = (double)about,
           most = most_span(v);
    if (span * factor > most) factor = most / span; /* what it is about stays where it is */
    if (span * factor < LEAST_NS) factor = LEAST_NS / span;
    view_set_window(v, at - (at - from) * factor, at + (from + span - at) * factor);
}

void view_pan(View *v, double share)
{
    double step = (double)(v->to_ns - v->from_ns) * share;
    view_set_window(v, (double)v->from_ns + step, (double)v->to_ns + step);
}

/* ---- the cursor and what is selected ---- */

bool view_span_times(const View *v, Selected s, uint64_t *start, uint64_t *end)
{
    const Trace *t = v->sides[s.side].trace;
    if (!s.id) return false;
    *start = s.what == SPANS_OP     ? t->ops[s.id].start_ns
             : s.what == SPANS_CALL ? t->calls[s.id].start_ns
                                    : t->ranges[s.id].start_ns;
    *end = s.what == SPANS_OP     ? t->ops[s.id].end_ns
           : s.what == SPANS_CALL ? t->calls[s.id].end_ns
                                  : t->ranges[s.id].end_ns;
    if (*start == TRACE_OPEN_NS) return false;
    if (*end == TRACE_OPEN_NS) *end = v->sides[s.side].spans->now_ns;
    if (*end < *start) *end = *start;
    return true;
}

static bool row_holds(const View *v, const Row *row, Selected s, uint32_t *lane, uint32_t *index)
{
    uint64_t start, end;
    if (row->heading || row->side != s.side || !view_span_times(v, s, &start, &end)) return false;
    const SpansTrack *track = view_track(v, row);
    if (track->what != s.what) return false;
    for (uint32_t k = 0, n = view_row_lanes(v, row); k < n; k++) {
        const SpansLane *l = view_row_lane(v, row, k);
        *index = spans_find(l, start, s.id);
        *lane = k;
        if (*index < l->n) return true;
    }
    return false;
}

/* The span under the cursor in its row; the one that is selected stays so while the cursor's column
 * shows it. */
void view_select_here(View *v)
{
    Selected none = {0}, old = v->selected;
    v->selected = none;
    v->panel_top = 0;
    if (v->row >= v->n_rows || v->rows[v->row].heading) return;
    const Row *row = &v->rows[v->row];
    const SpansTrack *track = view_track(v, row);
    const Spans *s = v->sides[row->side].spans;
    if (v->cursor_ns < v->from_ns) return;
    const Piece *p = v->pieces;
    while (p + 1 < v->pieces + v->n_pieces && v->cursor_ns >= p->to_ns) p++;
    uint64_t from = view_to_side(v, row->side, p->from_ns),
             to = view_to_side(v, row->side, p->to_ns);
    uint64_t at = view_to_side(v, row->side, v->cursor_ns), span = to > from ? to - from : 1;
    uint32_t columns = (uint32_t)p->columns;
    if (at < from) return;
    uint64_t column = (uint64_t)((unsigned __int128)(at - from) * columns / span);
    uint64_t left = from + (uint64_t)(((unsigned __int128)column * span + columns - 1) / columns);
    uint64_t right =
        from + (uint64_t)(((unsigned __int128)(column + 1) * span + columns - 1) / columns);
    uint32_t lane, index;
    uint64_t start, end;
    if (old.id && row_holds(v, row, old, &lane, &index) && view_span_times(v, old, &start, &end) &&
        (start < right && (end > left || start >= left))) {
        v->selected = old;
        return;
    }
    /* what runs at the cursor's very time comes before what else touches the column */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0, n = view_row_lanes(v, row); k < n; k++) {
            const SpansLane *l = view_row_lane(v, row, k);
            uint32_t i = spans_first_after(s, l, pass == 0 ? at : left);
            while (pass == 0 && i < l->n && l->start_ns[i] <= at && spans_end_ns(s, l, i) <= at &&
                   spans_end_ns(s, l, i) > l->start_ns[i])
                i++;
            if (i >= l->n || l->start_ns[i] > at) {
                if (pass == 0 || i >= l->n || l->start_ns[i] >= right) continue;
            }
            v->selected = (Selected){row->side, track->what, l->id[i]};
            return;
        }
    }
}

/* Scrolls the rows so that the cursor's is in sight. */
void view_row_in_sight(View *v)
{
    uint32_t pinned = 0, lines = v->rows_shown > 1 ? (uint32_t)v->rows_shown : 8;
    while (pinned < v->n_rows && v->rows[pinned].pinned) pinned++;
    if (pinned >= lines) pinned = lines - 1;
    if (v->row < pinned) return;
    uint32_t at = v->row - pinned, room = lines - pinned;
    if (at < v->top) v->top = at;
    if (at >= v->top + room) v->top = at - room + 1;
    /* the heading above the first row */
    if (v->top == 1 && v->rows[pinned].heading) v->top = 0;
}

static void cursor_in_sight(View *v)
{
    double span = (double)(v->to_ns - v->from_ns);
    if (v->cursor_ns >= v->from_ns && v->cursor_ns < v->to_ns) return;
    view_set_window(v, (double)v->cursor_ns - span / 2, (double)v->cursor_ns + span / 2);
}

void view_move_cursor(View *v, double columns)
{
    double step = (double)(v->to_ns - v->from_ns) / view_columns(v),
           at = (double)v->cursor_ns + columns * step;
    if (v->n_pieces > 1) { /* columns are not alike */
        double column = view_column(v, v->cursor_ns) + columns;
        if (column >= 0 && column < view_columns(v)) at = view_ns_at(v, column + 0.5);
    }
    uint64_t first, last;
    view_extent(v, true, &first, &last);
    if (at > (double)last) at = (double)last;
    if (at < (double)first) at = (double)first;
    uint64_t old = v->cursor_ns;
    v->cursor_ns = (uint64_t)(at + 0.5);
    if (v->cursor_ns == old && columns > 0 && old < last) v->cursor_ns++;
    if (v->cursor_ns == old && columns < 0 && old > first) v->cursor_ns--;
    double over = at - ((double)v->to_ns - step), under = (double)v->from_ns - at;
    if (over > 0) view_set_window(v, (double)v->from_ns + over, (double)v->to_ns + over);
    else if (under > 0) view_set_window(v, (double)v->from_ns - under, (double)v->to_ns - under);
    view_select_here(v);
}

void view_move_row(View *v, int by)
{
    int64_t at = (int64_t)v->row + by;
    if (v->n_rows == 0) return;
    if (at < 0) at = 0;
    if (at >= v->n_rows) at = v->n_rows - 1;
    while (v->rows[at].heading && at + (by < 0 ? -1 : 1) >= 0 && at + (by < 0 ? -1 : 1) < v->n_rows)
        at += by < 0 ? -1 : 1;
    if (v->rows[at].heading) return;
    v->row = (uint32_t)at;
    v->selected = (Selected){0};
    view_select_here(v);
    view_row_in_sight(v);
}

/* Selects a span wherever it is, and brings it in sight. False when no row shows it. */
bool view_go_to(View *v, Selected s)
{
    uint64_t start, end;
    if (!view_span_times(v, s, &start, &end)) return false;
    uint32_t lane, index, found = v->n_rows;
    for (int pass = 0; pass < 2 && found == v->n_rows; pass++) {
        for (uint32_t i = 0; i < v->n_rows && found == v->n_rows; i++) {
            if (row_holds(v, &v->rows[i], s, &lane, &index)) found = i;
        }
        if (found == v->n_rows && v->filter[0]) { /* filtered out: shown again */
            v->filter[0] = '\0';
            view_make_rows(v);
            found = v->n_rows;
        } else {
            break;
        }
    }
    if (found == v->n_rows) return false;
    v->row = found;
    start = view_from_side(v, s.side, start);
    end = view_from_side(v, s.side, end);
    /* the middle of what is in sight of it */
    uint64_t from = start > v->from_ns ? start : v->from_ns, to = end < v->to_ns ? end : v->to_ns;
    v->cursor_ns = from < to ? from + (to - from) / 2 : start;
    cursor_in_sight(v);
    v->selected = s;
    v->panel_top = 0;
    view_row_in_sight(v);
    return true;
}

void view_remember_jump(View *v)
{
    if (!v->selected.id) return;
    if (v->n_jumps == JUMPS)
        memmove(v->jumps, v->jumps + 1, (JUMPS - 1) * sizeof *v->jumps), v->n_jumps--;
    v->jumps[v->n_jumps++] = v->selected;
}

void view_say(View *v, bool care, const char *text)
{
    glyphs_fit(text, LINE / 4, true, v->message, sizeof v->message);
    v->message_care = care;
}

void view_sayf(View *v, bool care, const char *format, ...)
{
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    view_say(v, care, text);
}

void view_next_span(View *v, int by)
{
    if (v->row >= v->n_rows || v->rows[v->row].heading) return;
    const Row *row = &v->rows[v->row];
    const SpansTrack *track = view_track(v, row);
    uint64_t now = view_to_side(v, row->side, v->cursor_ns), best = 0;
    Selected to = {row->side, track->what, 0};
    uint32_t lane = 0, index = 0;
    bool inside = v->selected.id && row_holds(v, row, v->selected, &lane, &index);
    if (inside && view_row_lanes(v, row) == 1) {
        const SpansLane *l = view_row_lane(v, row, lane);
        if (by > 0 && index + 1 < l->n) to.id = l->id[index + 1];
        if (by < 0 && index > 0) to.id = l->id[index - 1];
    } else {
        uint64_t start = now, end;
        if (inside) view_span_times(v, v->selected, &start, &end);
        for (uint32_t k = 0, n = view_row_lanes(v, row); k < n; k++) {
            const SpansLane *l = view_row_lane(v, row, k);
            uint32_t i = spans_first_from(l, start);
            if (by > 0) {
                while (i < l->n && inside &&
                       (l->start_ns[i] == start && l->id[i] <= v->selected.id))
                    i++;
                if (i < l->n && (!to.id || l->start_ns[i] < best))
                    to.id = l->id[i], best = l->start_ns[i];
            } else {
                while (i < l->n && inside && l->start_ns[i] == start && l->id[i] < v->selected.id)
                    i++;
                if (i > 0 && (!to.id || l->start_ns[i - 1] > best))
                    to.id = l->id[i - 1], best = l->start_ns[i - 1];
            }
        }
    }
    if (!to.id)
        view_sayf(v, false,
                  by > 0 ? "That was the last span of this row"
                         : "That was the first span of this row");
    else view_go_to(v, to);
}

/* ---- search ---- */

static uint64_t candidates(const Trace *t) { return (uint64_t)t->n_ops + t->n_ranges + t->n_calls; }

static Selected candidate(const Trace *t, uint64_t at)
{
    if (at < t->n_ops) return (Selected){0, SPANS_OP, (uint32_t)at + 1};
    at -= t->n_ops;
    if (at < t->n_ranges) return (Selected){0, SPANS_RANGE, (uint32_t)at + 1};
    return (Selected){0, SPANS_CALL, (uint32_t)(at - t->n_ranges) + 1};
}

static bool name_matches(Search *s, const char *name)
{
    size_t slot = ((uintptr_t)name >> 3 ^ (uintptr_t)name >> 11) % 256;
    if (s->names[slot].name != name) {
        s->names[slot].name = name;
        s->names[slot].matches = strcasestr(name, s->text) != NULL;
    }
    return s->names[slot].matches;
}

static bool matches(View *v, Selected c)
{
    Search *s = &v->search;
    const Trace *t = v->sides[0].trace;
    if (c.what == SPANS_CALL) {
        const TraceCall *call = &t->calls[c.id];
        return call->end_ns > call->start_ns && call->start_ns != TRACE_OPEN_NS &&
               name_matches(s, call->name);
    }
    if (c.what == SPANS_RANGE)
        return t->ranges[c.id].start_ns != TRACE_OPEN_NS && name_matches(s, t->ranges[c.id].name);
    const TraceOp *op = &t->ops[c.id];
    if (!trace_op_is_shown(op) || op->start_ns == TRACE_OPEN_NS) return false;
    if (s->kinds[op->kind] || (op->name[0] && name_matches(s, op->name))) return true;
    if (op->stream <= s->n_streams && s->streams && s->streams[op->stream]) return true;
    const Labels *labels = view_labels(&v->sides[0], c.id);
    if (!s->numbered || labels_number(labels, c.id) != s->number) return false;
    char label[200];
    return strcasestr(labels_op(labels, c.id, label, sizeof label), s->text) != NULL;
}

/* Is it in the range that is shown? Ids say so, also where calls take no time. */
static bool is_inside(const Side *side, Selected c)
{
    if (!side->range) return true;
    const TraceRange *r = &side->trace->ranges[side->range];
    return c.what == SPANS_OP     ? trace_in_range(side->trace, side->range, c.id)
           : c.what == SPANS_CALL ? c.id >= r->first_call && c.id < r->end_call
                                  : c.id >= side->range && c.id < r->end_range;
}

static bool search_go(View *v)
{
    Search *s = &v->search;
    uint64_t n = candidates(v->sides[0].trace);
    for (uint32_t step = 0; step < SEARCH_STEPS && s->active; step++) {
        if (s->left == 0 && s->inside) { /* nothing there: then anywhere */
            s->inside = false;
            s->left = n;
            s->outside = true;
        }
        if (s->left == 0) {
            s->active = false;
            view_sayf(v, true, "Nothing in this trace matches '%s'", s->text);
            return true;
        }
        s->left--;
        if (s->backwards) s->at = s->at ? s->at - 1 : n - 1;
        else s->at = s->at + 1 < n ? s->at + 1 : 0;
        Selected c = candidate(v->sides[0].trace, s->at);
        if ((s->inside && !is_inside(&v->sides[0], c)) || !matches(v, c)) continue;
        s->active = false;
        Selected old = v->selected;
        view_remember_jump(v);
        if (!view_go_to(v, c)) view_sayf(v, true, "What matches '%s' is in no row", s->text);
        else if (old.id == c.id && old.what == c.what)
            view_sayf(v, false, "There is only this one that matches '%s'", s->text);
        else
            view_sayf(v, false, "/%s   (n next, N previous)%s", s->text,
                      s->outside ? "; not in the range, but outside" : "");
        return true;
    }
    return false;
}

void view_search_start(View *v, bool backwards)
{
    Search *s = &v->search;
    const Trace *t = v->sides[0].trace;
    static const char *const short_words[TRACE_OP_KINDS] =
        {[TRACE_H2D] = "H2D copy",      [TRACE_D2H] = "D2H copy",
         [TRACE_D2D] = "D2D copy",      [TRACE_H2H] = "H2H copy",
         [TRACE_P2P] = "P2P copy peer", [TRACE_MEMSET] = "memset",
         [TRACE_KERNEL] = "kernel",     [TRACE_HOSTFN] = "host function callback",
         [TRACE_GRAPH] = "graph launch"};
    if (!s->text[0]) return;
    memset(s->names, 0, sizeof s->names);
    for (int kind = 0; kind < TRACE_OP_KINDS; kind++)
        s->kinds[kind] = short_words[kind] && strcasestr(short_words[kind], s->text);
    size_t length = strlen(s->text), digits = length;
    while (digits > 0 && s->text[digits - 1] >= '0' && s->text[digits - 1] <= '9') digits--;
    s->numbered = digits < length && length - digits < 9;
    s->number = s->numbered ? (uint32_t)strtoul(s->text + digits, NULL, 10) : 0;
    free(s->streams);
    s->n_streams = t->n_streams < 100000 ? t->n_streams : 100000;
    s->streams = calloc((size_t)s->n_streams + 1, 1);
    for (uint32_t i = 1; s->streams && i <= s->n_streams; i++) {
        char text[200];
        labels_stream(v->sides[0].labels, i, text, sizeof text);
        /* "stream 1" is not "stream 12" */
        const char *found = strcasestr(text, s->text);
        if (found && s->numbered) {
            char after = found[length];
            if (after >= '0' && after <= '9') found = NULL;
        }
        s->streams[i] = found && length > 2;
    }
    s->left = candidates(t);
    s->backwards = backwards;
    Selected c = v->selected;
    s->at = !c.id || c.side         ? (backwards ? 0 : s->left - 1)
            : c.what == SPANS_OP    ? c.id - 1
            : c.what == SPANS_RANGE ? (uint64_t)t->n_ops + c.id - 1
                                    : (uint64_t)t->n_ops + t->n_ranges + c.id - 1;
    s->inside = v->sides[0].range && (!c.id || c.side || is_inside(&v->sides[0], c));
    s->outside = false;
    s->active = s->left > 0;
    if (!s->active) view_sayf(v, true, "There is nothing to search");
    else search_go(v); /* mostly this is all: the next key may count on it */
}

/* ---- compare ---- */

/* What two runs call the same operation: its kind, its number, and its name where names tell
 * operations apart. */
static uint64_t match_key(const Side *side, uint32_t id, bool with_name)
{
    const TraceOp *op = &side->trace->ops[id];
    uint64_t key = (uint64_t)op->kind << 32 | labels_number(view_labels(side, id), id);
    for (const char *c = with_name ? op->name : ""; *c; c++) key = hash_mix(key, (unsigned char)*c);
    key = hash_mix(key, 0);
    return key ? key : 1;
}

/* The ops that are compared: all, or those of the range that is shown. */
static bool is_compared(const Side *side, uint32_t id)
{
    return trace_op_is_work(&side->trace->ops[id]) &&
           (!side->range || trace_in_range(side->trace, side->range, id));
}

/* Pairs the operations of the two runs: by kind, number and name, then what is left by kind and
 * number. */
static bool match_sides(View *v)
{
    Side *a = &v->sides[0], *b = &v->sides[1];
    for (int i = 0; i < 2; i++) {
        Side *side = &v->sides[i];
        free(side->match);
        side->n_match = side->trace->n_ops;
        side->match = calloc((size_t)side->n_match + 1, sizeof *side->match);
    }
    size_t slots = 64;
    while (slots < 2 * (size_t)b->trace->n_ops) slots *= 2;
    struct Slot {
        uint64_t key;
        uint32_t op;
    } *table = calloc(slots, sizeof *table);
    bool ok = a->match && b->match && table;
    for (int with_name = 1; with_name >= 0 && ok; with_name--) {
        memset(table, 0, slots * sizeof *table);
        for (uint32_t id = 1; id <= b->trace->n_ops; id++) {
            if (!is_compared(b, id) || b->match[id]) continue;
            uint64_t key = match_key(b, id, with_name);
            size_t at = key & (slots - 1);
            while (table[at].op && table[at].key != key) at = (at + 1) & (slots - 1);
            if (!table[at].op) table[at] = (struct Slot){key, id};
        }
        for (uint32_t id = 1; id <= a->trace->n_ops; id++) {
            if (!is_compared(a, id) || a->match[id]) continue;
            uint64_t key = match_key(a, id, with_name);
            size_t at = key & (slots - 1);
            while (table[at].op && table[at].key != key) at = (at + 1) & (slots - 1);
            if (!table[at].op || b->match[table[at].op]) continue;
            a->match[id] = table[at].op;
            b->match[table[at].op] = id;
        }
    }
    free(table);
    for (int i = 0; i < 2 && !ok; i++) {
        free(v->sides[i].match);
        v->sides[i].match = NULL;
        v->sides[i].n_match = 0;
    }
    return ok;
}

bool view_op_differs(const View *v, uint8_t side, uint32_t op)
{
    if (!v->comparing || op > v->sides[side].n_match || !v->sides[side].match) return false;
    uint32_t other = v->sides[side].match[op];
    if (!is_compared(&v->sides[side], op)) return false;
    if (!other) return true;
    const Trace *a = v->sides[side].trace, *b = v->sides[!side].trace;
    /* it waited for something else */
    uint32_t call, x = critical_path_back(v->sides[side].trace, op, &call),
                   y = critical_path_back(v->sides[!side].trace, other, &call);
    if (x && !is_compared(&v->sides[side], x)) x = 0;
    if (y && !is_compared(&v->sides[!side], y)) y = 0;
    if ((x == 0) != (y == 0) || (x && v->sides[side].match[x] != y)) return true;
    /* on the same clock another start is a difference too, where it shows at the scale of the whole
     * run */
    if (v->aligned_scale || a->ops[op].start_ns == TRACE_OPEN_NS ||
        b->ops[other].start_ns == TRACE_OPEN_NS)
        return false;
    double span = side_span(&v->sides[0]);
    double start = (double)view_from_side(v, side, a->ops[op].start_ns) -
                   (double)view_from_side(v, !side, b->ops[other].start_ns);
    return start > span / 50 || start < -span / 50;
}

void view_next_difference(View *v)
{
    if (!v->comparing) {
        view_sayf(v, true, "There is nothing to compare with yet: type :compare FILE");
        return;
    }
    const Trace *t = v->sides[0].trace;
    uint32_t at = v->selected.id && v->selected.side == 0 && v->selected.what == SPANS_OP
                      ? v->selected.id
                      : 0;
    for (uint32_t looked = 0; looked < t->n_ops && looked < 20000; looked++) {
        at = at < t->n_ops ? at + 1 : 1;
        if (!trace_op_is_work(&t->ops[at]) || !view_op_differs(v, 0, at)) continue;
        if (view_go_to(v, (Selected){0, SPANS_OP, at})) return;
    }
    view_sayf(v, false, "No operation differs");
}

/* Counts and numbers from the first operation issued in the range. False when none has started. */
static bool side_show_range(Side *side, uint32_t range)
{
    const Trace *t = side->trace;
    uint64_t from, to;
    if (range == 0 || range > t->n_ranges || !analysis_window(t, range, &from, &to)) return false;
    if (from >= to) return false;
    labels_free(side->range_labels);
    side->range_labels = labels_new(t, range);
    side->range = range;
    side->origin_ns = from;
    side->range_end_ns = to;
    return true;
}

void view_fit_compared(View *v)
{
    const Side *shown = &v->sides[0];
    if (shown->range) {
        double span = side_span(shown),
               other = v->comparing ? side_span(&v->sides[1]) / side_scale(v) : 0;
        view_set_window(v, (double)shown->origin_ns,
                        (double)shown->origin_ns + (other > span ? other : span));
        if (v->cursor_ns < v->from_ns || v->cursor_ns >= v->to_ns) v->cursor_ns = v->from_ns;
    } else {
        view_fit(v, false);
    }
}

bool view_compare(View *v, const Trace *trace, const char *title)
{
    if (v->comparing) side_release(&v->sides[1]);
    v->comparing = false;
    if (v->selected.side) v->selected = (Selected){0};
    bool ok = true;
    if (trace) {
        ok = side_open(&v->sides[1], trace, title);
        v->comparing = ok;
    }
    if (v->comparing) {
        /* the range that is shown, in both */
        const Side *first = &v->sides[0];
        if (first->range)
            side_show_range(&v->sides[1],
                            analysis_range(trace, first->trace->ranges[first->range].name));
        double a = side_span(first), b = side_span(&v->sides[1]);
        /* different machines have different clocks (a textbook's units are no milliseconds): each
         * run fills the picture */
        v->aligned_scale = a > 3 * b || b > 3 * a ||
                           strcmp(trace_unit_name(first->trace), trace_unit_name(trace)) != 0;
        match_sides(v);
    }
    view_make_rows(v);
    view_fit_compared(v);
    view_select_here(v);
    return ok;
}

/* ---- play ---- */

static uint32_t call_at(const Trace *t, uint64_t ns)
{
    uint32_t lo = 1, hi = t->n_calls + 1;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (t->calls[middle].start_ns <= ns) lo = middle + 1;
        else hi = middle;
    }
    return lo - 1;
}

void view_play_start(View *v)
{
    if (v->play.on) return;
    v->play.on = true;
    v->play.head_ns = v->from_ns;
    v->play.call = call_at(v->sides[0].trace, v->from_ns);
}

static void head_in_sight(View *v)
{
    double span = (double)(v->to_ns - v->from_ns);
    if (v->play.head_ns < v->from_ns || v->play.head_ns > v->to_ns) {
        view_set_window(v, (double)v->play.head_ns - span / 8,
                        (double)v->play.head_ns + span * 7 / 8);
    }
}

/* To the next (previous) thing that happens: a call begins, an operation starts or ends. */
void view_play_step(View *v, bool back)
{
    const Trace *t = v->sides[0].trace;
    const Spans *s = v->sides[0].spans;
    bool was = v->play.on;
    view_play_start(v);
    v->play.running = false;
    if (!was) {
        v->play.head_ns = v->from_ns;
        v->play.call = call_at(t, v->from_ns);
    }
    uint64_t event;
    if (back) {
        bool any = spans_previous_event(s, v->play.head_ns, &event);
        const TraceCall *here = &t->calls[v->play.call];
        if (v->play.call > 1 && here->start_ns != TRACE_OPEN_NS &&
            (!any || here->start_ns > event || here->start_ns == v->play.head_ns)) {
            v->play.call--;
            if (t->calls[v->play.call].start_ns < v->play.head_ns &&
                (!any || t->calls[v->play.call].start_ns >= event)) {
                v->play.head_ns = t->calls[v->play.call].start_ns;
            } else if (any && here->start_ns != v->play.head_ns) {
                v->play.head_ns = event;
            }
        } else if (any) {
            v->play.head_ns = event;
        } else {
            view_sayf(v, false, "This is the start");
        }
    } else {
        bool any = spans_next_event(s, v->play.head_ns, &event);
        uint32_t next = v->play.call + 1;
        while (next <= t->n_calls && t->calls[next].start_ns == TRACE_OPEN_NS) next++;
        if (next <= t->n_calls && (!any || t->calls[next].start_ns <= event)) {
            v->play.call = next;
            if (t->calls[next].start_ns > v->play.head_ns)
                v->play.head_ns = t->calls[next].start_ns;
        } else if (any) {
            v->play.head_ns = event;
        } else {
            view_sayf(v, false, "This is the end");
        }
    }
    head_in_sight(v);
    v->panel_top = 0;
}

static bool play_go(View *v, uint64_t now_ms)
{
    Play *p = &v->play;
    uint64_t passed = now_ms > p->last_ms ? now_ms - p->last_ms : 0;
    p->last_ms = now_ms;
    if (!p->running) return false;
    if (passed > 500) passed = 30; /* the program was stopped: no leap */
    double step = (double)(v->to_ns - v->from_ns) / 10000 * p->speed * (double)passed + p->rest_ns;
    p->head_ns += (uint64_t)step;
    p->rest_ns = step - (double)(uint64_t)step;
    uint64_t first, last;
    view_extent(v, false, &first, &last);
    if (p->head_ns >= last) {
        p->head_ns = last;
        p->running = false;
        view_sayf(v, false, "The end: space plays again from the left edge");
    }
    p->call = call_at(v->sides[0].trace, p->head_ns);
    head_in_sight(v);
    return true;
}

bool view_moving(const View *v)
{
    bool path = v->show_path && v->sides[0].path.on && !v->sides[0].path.done;
    return v->play.running || v->search.active || path || !v->overlap.done || !v->overlap_known;
}

bool view_tick(View *v, uint64_t now_ms)
{
    bool changed = play_go(v, now_ms);
    if (v->search.active) changed |= search_go(v);
    if (v->show_path && v->sides[0].path.on && !v->sides[0].path.done) {
        critical_path_go(&v->sides[0].path, v->sides[0].trace, PATH_STEPS);
        changed |= v->sides[0].path.done;
    }
    if (!v->overlap_known) {
        spans_overlap_start(&v->overlap, v->from_ns, v->to_ns);
        v->overlap_known = true;
    }
    if (!v->overlap.done) {
        spans_overlap_go(v->sides[0].spans, &v->overlap, OVERLAP_STEPS);
        changed |= v->overlap.done;
    }
    return changed;
}

/* ---- making, updating ---- */

/* The operation that starts first, at or after ns. */
static void select_first(View *v, uint64_t ns)
{
    const Spans *s = v->sides[0].spans;
    uint64_t best = UINT64_MAX;
    Selected first = {0, SPANS_OP, 0};
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE]; i++) {
        const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
        for (uint32_t k = 0; k < track->n_lanes; k++) {
            uint32_t at = spans_first_from(&track->lanes[k], ns);
            if (at == track->lanes[k].n || track->lanes[k].start_ns[at] >= best) continue;
            best = track->lanes[k].start_ns[at];
            first.id = track->lanes[k].id[at];
        }
    }
    if (first.id) view_go_to(v, first);
    else view_select_here(v);
}

/* With so many engines of several devices a screen of 24 lines does not show all of them: it begins
 * with a row for each device. */
enum { MOST_ENGINES = 9 };

View *view_new(const Trace *trace, const char *title)
{
    View *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    if (!side_open(&v->sides[0], trace, title)) {
        free(v);
        return NULL;
    }
    v->following = !trace->ended;
    v->show_arrows = true;
    v->play.speed = 1;
    if (trace->n_devices > 1 && v->sides[0].spans->n_tracks[SPANS_BY_ENGINE] > MOST_ENGINES)
        v->mode = SPANS_BY_DEVICE;
    view_make_rows(v);
    view_fit(v, false);
    v->cursor_ns = v->from_ns;
    select_first(v, 0);
    return v;
}

void view_free(View *v)
{
    if (!v) return;
    side_release(&v->sides[0]);
    side_release(&v->sides[1]);
    free(v->rows);
    free(v->choices);
    free(v->search.streams);
    free(v->cells);
    free(v);
}

bool view_set_trace(View *v, const Trace *trace, const char *title)
{
    Side fresh;
    if (!side_open(&fresh, trace, title)) return false;
    const Side *old = &v->sides[0];
    bool fitted = v->fits;
    double offset = (double)v->from_ns - (double)old->origin_ns,
           cursor = (double)v->cursor_ns - (double)old->origin_ns;
    double span = (double)(v->to_ns - v->from_ns);
    if (old->range)
        side_show_range(&fresh, analysis_range(trace, old->trace->ranges[old->range].name));
    side_release(&v->sides[0]);
    v->sides[0] = fresh;
    v->selected = (Selected){0};
    v->n_jumps = v->n_zooms = 0;
    v->play.on = v->play.running = false;
    v->search.active = false;
    v->show_path = false;
    v->measuring = v->measured = false;
    v->following = !trace->ended;
    v->grown = false;
    v->message[0] = '\0';
    if (v->comparing) match_sides(v);
    view_make_rows(v);
    double from = (double)fresh.origin_ns + offset;
    if (fitted || from >= (double)fresh.spans->to_ns) view_fit(v, false);
    else view_set_window(v, from, from + span);
    cursor += (double)fresh.origin_ns;
    v->cursor_ns = cursor > 0 ? (uint64_t)cursor : 0;
    if (v->cursor_ns < v->from_ns || v->cursor_ns >= v->to_ns) v->cursor_ns = v->from_ns;
    v->overlap_known = false;
    view_select_here(v);
    view_row_in_sight(v);
    return true;
}

void view_set_title(View *v, const char *title) { set_title(&v->sides[0], title); }

/* A number that changes when tracks or their lanes do: what comes late can make one track's fewer,
 * another's more. */
static uint64_t shape_of(const Spans *s)
{
    const SpansTrack *const tracks[] = {s->tracks[SPANS_BY_ENGINE], s->tracks[SPANS_BY_STREAM],
                                        s->tracks[SPANS_BY_DEVICE], s->host};
    const uint32_t n[] = {s->n_tracks[SPANS_BY_ENGINE], s->n_tracks[SPANS_BY_STREAM],
                          s->n_tracks[SPANS_BY_DEVICE], s->n_host};
    uint64_t shape = HASH_START;
    for (int part = 0; part < 4; part++) {
        for (uint32_t i = 0; i < n[part]; i++) shape = hash_mix(shape, tracks[part][i].n_lanes);
        shape = hash_mix(shape, n[part] ^ 0x10000);
    }
    return shape;
}

bool view_update(View *v)
{
    bool changed = false;
    Side *side = &v->sides[0];
    uint64_t shape = shape_of(side->spans);
    if (!spans_update(side->spans, &changed))
        view_sayf(v, true, "Not enough memory: the picture is not complete");
    bool reshaped = shape_of(side->spans) != shape;
    /* numbers take a look at everything: often while the trace is small, then each time it has
     * grown by a quarter */
    uint32_t n = side->trace->n_ops;
    bool due = n < LABEL_AT_ONCE ? n != side->labelled : n - side->labelled > side->labelled / 4;
    if (due || (side->trace->ended && side->labelled != n) || (n < LABEL_AT_ONCE && changed)) {
        Labels *fresh = labels_new(side->trace, 0);
        if (fresh) {
            labels_free(side->labels);
            side->labels = fresh;
            side->labelled = n;
            if (side->range_labels) {
                labels_free(side->range_labels);
                side->range_labels = labels_new(side->trace, side->range);
            }
        }
    }
    mark_hazards(side);
    if (!side->range) side->origin_ns = side->spans->from_ns;
    if (reshaped) {
        view_make_rows(v);
        view_row_in_sight(v);
    }
    if (!changed) return reshaped;
    v->grown = true;
    if (v->show_path) critical_path_start(&side->path, side->trace);
    if (v->following || v->fits) {
        if (v->fits) {
            view_fit(v, false);
        } else {
            uint64_t span = v->to_ns - v->from_ns, end = side->spans->to_ns;
            if (end > span) {
                v->from_ns = end - span;
                v->to_ns = end;
            }
        }
    }
    v->overlap_known = false;
    view_pieces(v);
    if (!v->selected.id) view_select_here(v);
    return true;
}

void view_show_range(View *v, uint32_t range)
{
    Side *side = &v->sides[0];
    if (!side_show_range(side, range)) return;
    view_set_window(v, (double)side->origin_ns, (double)side->range_end_ns);
    v->cursor_ns = v->from_ns;
    select_first(v, side->origin_ns);
}

bool view_stand_on(View *v, uint32_t op)
{
    bool there = op && op <= v->sides[0].trace->n_ops;
    return there && view_go_to(v, (Selected){0, SPANS_OP, op});
}

uint32_t view_range(const View *v) { return v->sides[0].range; }

bool view_by_stream(const View *v) { return v->mode == SPANS_BY_STREAM; }

void view_set_source(View *v, ViewSource *source, void *context)
{
    v->source = source;
    v->source_context = context;
}

void view_leave_keys(View *v, const char *taken)
{
    snprintf(v->taken, sizeof v->taken, "%s", taken);
}

const char *view_command(const View *v) { return v->command; }
