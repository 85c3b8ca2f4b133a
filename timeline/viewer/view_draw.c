/* view_draw.c - what a View looks like. Everything here costs as much as the box has cells, however
 * long the trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "timeline/pictures/layout.h"
#include "timeline/viewer/view_internal.h"

enum { ARROWS = 48, SHOWN = sizeof((View *)0)->shown / sizeof *((View *)0)->shown };

/* The glyphs of a picture, in UTF-8 and in ASCII. */
typedef struct Glyphs {
    const char *left[9];  /* so many eighths from the left */
    const char *right[9]; /* so many eighths up to the right edge */
    const char *thin, *tick, *texture[9], *cursor, *head, *dot, *marker, *down;
    const char *selected_open, *selected_close, *selected, *hazard, *path, *differs;
    const char *horizontal, *vertical, *corner[4], *to[4]; /* arrows: to the right, down, up;
                                                              corners by way */
    const char *window[3], *joined; /* joined: full, but told from what follows at once */
} Glyphs;

static const Glyphs utf8_glyphs = {
    .left = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
    .right = {" ", "▕", "▕", "▐", "▐", "▐", "▐", "█", "█"},
    .thin = "┃",
    .tick = "│",
    .texture = {" ", "░", "░", "░", "▒", "▒", "▒", "▓", "█"},
    .cursor = "│",
    .head = "┃",
    .dot = "·",
    .marker = "▶",
    .down = "▼",
    .selected_open = "‹",
    .selected_close = "›",
    .selected = "◆",
    .hazard = "!",
    .path = "*",
    .differs = "≠",
    .horizontal = "─",
    .vertical = "│",
    .corner = {"┐", "┘", "┌", "└"},
    .to = {"→", "↓", "↑", "←"},
    .window = {"├", "─", "┤"},
    .joined = "▉",
};
static const Glyphs ascii_glyphs = {
    .left = {" ", "|", "|", "|", "#", "#", "#", "#", "#"},
    .right = {" ", "|", "|", "|", "#", "#", "#", "#", "#"},
    .thin = "|",
    .tick = "|",
    .texture = {" ", ".", ".", ".", ":", ":", ":", "%", "%"},
    .cursor = "|",
    .head = "!",
    .dot = ".",
    .marker = ">",
    .down = "v",
    .selected_open = "[",
    .selected_close = "]",
    .selected = "@",
    .hazard = "!",
    .path = "*",
    .differs = "~",
    .horizontal = "-",
    .vertical = "|",
    .corner = {"+", "+", "+", "+"},
    .to = {">", "v", "^", "<"},
    .window = {"[", "-", "]"},
    .joined = "|",
};

typedef struct Drawing {
    View *v;
    Canvas *c;
    const Glyphs *g;
    CanvasBox box;
    int x, columns; /* the picture */
    int gutter;
} Drawing;

/* ---- time and columns ---- */

/* The column of a time of side 0; may lie outside. */
static int column_of(const Drawing *d, uint64_t ns)
{
    const View *v = d->v;
    double at = ((double)ns - (double)v->from_ns) * d->columns / (double)(v->to_ns - v->from_ns);
    return at < -1000 ? -1000 : at > 100000 ? 100000 : at < 0 ? -1 : (int)(at + 1e-9);
}

static bool in_picture(const Drawing *d, int column) { return column >= 0 && column < d->columns; }

/* ---- the frame: title, minimap, ruler ---- */

static void draw_title(Drawing *d, int y)
{
    const View *v = d->v;
    const Trace *t = v->sides[0].trace;
    static const char *const words[SPANS_MODES] = {"engine", "stream", "device"};
    char text[LINE], model[80] = "", end[60];
    const char *name = trace_meta(t, "model"), *card = trace_meta(t, "card");
    if (card && *card) name = card;
    if (name) glyphs_fit(name, 30, v->sides[0].trace && d->c->utf8, model, sizeof model);
    view_duration(v, 0, v->sides[0].spans->to_ns - v->sides[0].spans->from_ns, end, sizeof end);
    snprintf(text, sizeof text, "%s, rows per %s%s%s%s", end, words[v->mode],
             t->inferred ? ", recorded on hardware" : "", v->filter[0] ? ", filtered" : "",
             t->ended                   ? ""
             : v->grown && v->following ? ", following"
             : v->grown                 ? ", growing"
                                        : ", not ended");
    int used = canvas_text(d->c, d->box.x, y, d->box.columns, CANVAS_TITLE, v->sides[0].title);
    if (model[0])
        used += canvas_printf(d->c, d->box.x + used, y, d->box.columns - used, CANVAS_DIM,
                              "  on %s", model);
    if (t->n_hazards) {
        used += canvas_printf(d->c, d->box.x + used, y, d->box.columns - used, CANVAS_HAZARD,
                              "  %s %u %s", d->g->hazard, t->n_hazards,
                              t->n_hazards == 1 ? "hazard" : "hazards");
    }
    int width = glyphs_columns(text);
    int at = d->box.columns - width > used + 2 ? d->box.columns - width : used + 2;
    canvas_text(d->c, d->box.x + at, y, d->box.columns - at, CANVAS_DIM, text);
}

/* The whole run, as busy as its engines are, and the window in it. */
static void draw_minimap(Drawing *d, int y)
{
    View *v = d->v;
    uint64_t first, last;
    view_extent(v, false, &first, &last);
    const Spans *s = v->sides[0].spans;
    SpansCell *cells = v->cells, *other = v->cells + v->n_cells / 2;
    uint32_t columns = (uint32_t)d->columns, engines = 0;
    memset(cells, 0, columns * sizeof *cells);
    unsigned sum[1000] = {0};
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE] && i < 64; i++) {
        const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
        memset(cells, 0, columns * sizeof *cells);
        for (uint32_t k = 0; k < track->n_lanes; k++) {
            spans_cells(s, &track->lanes[k], first, last, columns, other);
            spans_add_cells(cells, other, columns);
        }
        engines++;
        for (uint32_t c = 0; c < columns; c++) sum[c] += cells[c].covered;
    }
    int from =
        (int)((double)((double)v->from_ns - (double)first) / (double)(last - first) * d->columns);
    int to =
        (int)((double)((double)v->to_ns - (double)first) / (double)(last - first) * d->columns);
    from = from < 0 ? 0 : from >= d->columns ? d->columns - 1 : from;
    to = to <= from ? from + 1 : to > d->columns ? d->columns : to;
    canvas_text(d->c, d->box.x + 1, y, d->gutter - 1, CANVAS_DIM, "all");
    bool everything = v->from_ns <= first && v->to_ns >= last;
    for (int c = 0; c < d->columns; c++) {
        unsigned level = engines ? (sum[c] + engines - 1) / engines : 0;
        if (sum[c] && !level) level = 1;
        bool inside = !everything && c >= from && c < to;
        const char *glyph = inside && c == from     ? d->g->window[0]
                            : inside && c == to - 1 ? d->g->window[2]
                            : inside && !level      ? d->g->window[1]
                                                    : d->g->texture[level > 8 ? 8 : level];
        canvas_put(d->c, d->x + c, y, glyph, inside ? CANVAS_CURSOR : CANVAS_DIM, CANVAS_PLAIN);
    }
}

static void draw_ruler(Drawing *d, int y)
{
    const View *v = d->v;
    const Trace *t = v->sides[0].trace;
    int digits;
    double unit = (double)trace_unit_ns(t), origin = (double)v->sides[0].origin_ns;
    double step =
        layout_step(v->to_ns - v->from_ns, trace_unit_ns(t), (uint32_t)d->columns, 10, &digits) *
        unit;
    char unit_name[40];
    glyphs_fit(trace_unit_name(t), d->gutter - 2, d->c->utf8, unit_name, sizeof unit_name);
    canvas_text(d->c, d->box.x + 1, y, d->gutter - 1, CANVAS_RULER, unit_name);
    for (int c = 0; c < d->columns; c++)
        canvas_put(d->c, d->x + c, y, d->g->horizontal, CANVAS_RULER, CANVAS_PLAIN);
    double first = ((double)v->from_ns - origin) / step;
    int64_t k = first < 0 ? -(int64_t)-first : (int64_t)(first + 0.999999);
    int free_from = 0;
    for (int guard = 0; guard < d->columns; guard++, k++) {
        double ns = origin + (double)k * step;
        int c =
            (int)((ns - (double)v->from_ns) * d->columns / (double)(v->to_ns - v->from_ns) + 1e-6);
        if (c >= d->columns || ns > (double)v->to_ns) break;
        if (ns < (double)v->from_ns) continue;
        char text[48];
        snprintf(text, sizeof text, "%.*f", digits, (double)k * step / unit);
        canvas_put(d->c, d->x + c, y, d->c->utf8 ? "┬" : "+", CANVAS_RULER, CANVAS_PLAIN);
        int width = (int)strlen(text);
        if (c + 1 + width <= d->columns && c >= free_from) {
            canvas_text(d->c, d->x + c + 1, y, width, CANVAS_RULER, text);
            free_from = c + width + 2;
        }
    }
    if (v->measuring || v->measured) {
        uint64_t a = v->measure_from_ns, b = v->measuring ? v->cursor_ns : v->measure_to_ns;
        if (a > b) {
            uint64_t swap = a;
            a = b;
            b = swap;
        }
        int from = column_of(d, a), to = column_of(d, b);
        char text[60];
        view_duration(v, 0, b - a, text, sizeof text);
        for (int c = from < 0 ? 0 : from; c <= to && c < d->columns; c++) {
            const char *glyph = c == from ? d->g->window[0]
                                : c == to ? d->g->window[2]
                                          : d->g->window[1];
            canvas_put(d->c, d->x + c, y, glyph, CANVAS_MEASURE, CANVAS_PLAIN);
        }
        int width = glyphs_columns(text), middle = (from + to + 1 - width) / 2;
        if (to - from <= width + 1) middle = to + 1;
        if (middle + width > d->columns) middle = d->columns - width;
        if (middle >= 0 && to >= 0 && from < d->columns)
            canvas_text(d->c, d->x + middle, y, width, CANVAS_MEASURE, text);
    }
    int cursor = column_of(d, v->cursor_ns);
    if (in_picture(d, cursor))
        canvas_put(d->c, d->x + cursor, y, d->g->down, CANVAS_CURSOR, CANVAS_PLAIN);
    int head = v->play.on ? column_of(d, v->play.head_ns) : -1;
    if (head == d->columns) head--;
    if (in_picture(d, head))
        canvas_put(d->c, d->x + head, y, d->g->down, CANVAS_GOOD, CANVAS_PLAIN);
}

/* ---- rows ---- */

typedef struct Ink {
    CanvasStyle style;
    const char *mark;
    bool selected;
} Ink;

/* How a span is drawn, and the mark that says it without colours. */
static Ink ink_of(const Drawing *d, uint8_t side_index, SpansWhat what, uint32_t id)
{
    const View *v = d->v;
    const Side *side = &v->sides[side_index];
    Ink ink = {view_style(side, what, id), "", false};
    uint64_t start = what == SPANS_OP     ? side->trace->ops[id].start_ns
                     : what == SPANS_CALL ? side->trace->calls[id].start_ns
                                          : side->trace->ranges[id].start_ns;
    if (v->play.on && view_from_side(v, side_index, start) >= v->play.head_ns)
        ink.style = CANVAS_FUTURE;
    if (what == SPANS_OP) {
        if (v->show_path && path_has(&side->path, id)) ink = (Ink){CANVAS_PATH, d->g->path, false};
        if (view_op_differs(v, side_index, id)) ink = (Ink){CANVAS_DIFFERS, d->g->differs, false};
        if (view_op_hazard(side, id)) ink = (Ink){CANVAS_HAZARD, d->g->hazard, false};
    }
    if (v->selected.id == id && v->selected.what == what && v->selected.side == side_index) {
        ink.style = CANVAS_SELECTED;
        ink.selected = true;
    }
    return ink;
}

/* A cell that one span shares with nothing. */
static void draw_one(Drawing *d, int x, int y, const SpansCell *cell, bool joined,
                     CanvasStyle style)
{
    const char *glyph;
    int from = cell->first_from, to = cell->first_to;
    if (from == 0 && to == 8 && style == CANVAS_FUTURE) glyph = d->g->texture[1];
    else if (from == 0 && to == 8) glyph = joined ? d->g->joined : d->g->left[8];
    else if (from == 0) glyph = d->g->left[to];
    else if (to == 8) glyph = d->g->right[8 - from];
    else glyph = to - from > 2 ? d->g->thin : d->g->tick;
    canvas_put(d->c, x, y, glyph, style, CANVAS_PLAIN);
}

static void print_count(uint64_t n, char *text, size_t size)
{
    if (n < 10000) snprintf(text, size, "%llu", (unsigned long long)n);
    else if (n < 1000000) snprintf(text, size, "%.1fk", (double)n / 1e3);
    else snprintf(text, size, "%.1fM", (double)n / 1e6);
}

/* The label of the span whose cells first..end (end not included) are full. */
static void draw_label(Drawing *d, int y, const Row *row, const SpansTrack *track, uint32_t id,
                       Ink ink, int first, int end)
{
    char label[300], text[340];
    Selected s = {row->side, track->what, id};
    int room = end - first;
    if (room < 1) return;
    view_label(d->v, s, label, sizeof label);
    snprintf(text, sizeof text, "%s%s%s%s", ink.selected ? d->g->selected_open : "", ink.mark,
             label, ink.selected ? d->g->selected_close : "");
    int width = glyphs_columns(text);
    if (width > room && room >= 6) width = room; /* cut, with a mark for the cut */
    if (width <= room) {
        bool future = ink.style == CANVAS_FUTURE;
        canvas_text_on(d->c, d->x + first + (room - width) / 2, y, width,
                       future ? CANVAS_DIM : CANVAS_BOLD, future ? CANVAS_PLAIN : ink.style, text);
        return;
    }
    const char *letter = ink.selected  ? d->g->selected
                         : ink.mark[0] ? ink.mark
                                       : view_letter(&d->v->sides[row->side], track->what, id);
    canvas_put(d->c, d->x + first + room / 2, y, letter, CANVAS_BOLD, ink.style);
}

/* Whether two spans meet in this cell: one goes out, the next comes in, nothing else. */
static bool is_meeting(const SpansCell *cell)
{
    return cell->count == 2 && cell->first_from == 0 && cell->last_to == 8 && !cell->begins &&
           !cell->ends && cell->first_to <= cell->last_from;
}

static CanvasStyle dense_style(const Drawing *d, const Row *row, const SpansTrack *track,
                               const SpansLane *lane, const SpansCell *cell)
{
    if (track->what != SPANS_OP) return track->what == SPANS_CALL ? CANVAS_CALL : CANVAS_RANGE;
    const Side *side = &d->v->sides[row->side];
    CanvasStyle style = view_style(side, SPANS_OP, lane->id[cell->first]);
    /* a look at a few of them */
    for (uint32_t k = 1; k <= 4; k++) {
        uint32_t i = cell->first + (uint32_t)((uint64_t)(cell->last - cell->first) * k / 4);
        if (i < lane->n && view_style(side, SPANS_OP, lane->id[i]) != style) style = CANVAS_MIXED;
    }
    uint64_t start = side->trace->ops[lane->id[cell->first]].start_ns;
    if (d->v->play.on && view_from_side(d->v, row->side, start) >= d->v->play.head_ns)
        style = CANVAS_FUTURE;
    return style;
}

/* How many spans the columns c..end show: what touches two of them counts once. */
static uint64_t count_spans(const Drawing *d, const Row *row, const SpansTrack *track, int c,
                            int end)
{
    const View *v = d->v;
    uint64_t from = view_to_side(v, row->side, v->from_ns),
             to = view_to_side(v, row->side, v->to_ns), count = 0;
    double column = (double)(to - from) / d->columns;
    uint64_t left = from + (uint64_t)(c * column), right = from + (uint64_t)(end * column);
    for (uint32_t k = row->lane; k < row->lane + row->lanes; k++) {
        SpansCell cell;
        spans_cells(v->sides[row->side].spans, &track->lanes[k], left,
                    right > left ? right : left + 1, 1, &cell);
        count += cell.count;
    }
    return count;
}

/* Runs of columns with several spans each: a texture, and how many there are. */
static int draw_dense(Drawing *d, int y, const Row *row, const SpansTrack *track,
                      const SpansLane *lane, const SpansCell *cells, int c)
{
    int end = c;
    CanvasStyle style = CANVAS_PLAIN;
    bool chosen = false;
    const Selected s = d->v->selected;
    for (; end < d->columns && cells[end].count > 1 && !is_meeting(&cells[end]); end++) {
        const SpansCell *cell = &cells[end];
        bool elsewhere = cell->first == UINT32_MAX; /* only in lanes that are folded away */
        style = !elsewhere                ? dense_style(d, row, track, lane, cell)
                : track->what == SPANS_OP ? CANVAS_MIXED
                                          : CANVAS_CALL;
        uint32_t covered = cell->covered > 8 ? 8 : cell->covered;
        bool few = cell->count <= 9;
        bool here = false;
        if (!elsewhere && s.id && s.side == row->side && s.what == track->what) {
            uint64_t start, stop;
            view_span_times(d->v, s, &start, &stop);
            uint32_t at = spans_find(lane, start, s.id);
            here = at < lane->n && at >= cell->first && at <= cell->last;
        }
        char digit[2] = {(char)('0' + cell->count % 10), 0};
        if (here) {
            canvas_put(d->c, d->x + end, y, d->g->selected, CANVAS_SELECTED, CANVAS_PLAIN);
            chosen = true;
        } else if (few) {
            canvas_put(d->c, d->x + end, y, digit, CANVAS_BOLD, style);
        } else {
            canvas_put(d->c, d->x + end, y, d->g->texture[covered], style, CANVAS_PLAIN);
        }
    }
    char text[40];
    uint64_t count = count_spans(d, row, track, c, end);
    print_count(count, text, sizeof text);
    int width = (int)strlen(text);
    bool many = count > 9 * (uint64_t)(end - c) / 2;
    if (many && end - c >= width + 6) {
        int at = c + (end - c - width) / 2;
        for (int i = -1; i <= width; i++) {
            char glyph[2] = {i < 0 || i == width ? ' ' : text[i], 0};
            /* the selected one's place is not written over */
            if (chosen && !strcmp(canvas_at(d->c, d->x + at + i, y).text, d->g->selected)) continue;
            canvas_put(d->c, d->x + at + i, y, glyph, CANVAS_BOLD, CANVAS_PLAIN);
        }
    }
    return end;
}

/* A folded track: cells in which the first lane shows nothing take what another one shows, as a
 * texture. */
static void fold_lanes(Drawing *d, const Row *row, const SpansTrack *track, uint64_t from,
                       uint64_t to)
{
    View *v = d->v;
    SpansCell *cells = v->cells, *other = v->cells + v->n_cells / 2;
    for (uint32_t k = row->lane + 1; k < row->lane + row->lanes; k++) {
        spans_cells(v->sides[row->side].spans, &track->lanes[k], from, to, (uint32_t)d->columns,
                    other);
        for (int c = 0; c < d->columns; c++) {
            if (!other[c].count) continue;
            unsigned covered = cells[c].covered + other[c].covered;
            uint32_t count = cells[c].count + other[c].count;
            if (!cells[c].count) cells[c].first = cells[c].last = UINT32_MAX;
            cells[c].count = count < 2 ? 2 : count;
            cells[c].covered = (uint8_t)(covered > 8 ? 8 : covered);
            cells[c].begins = true;
        }
    }
}

/* A cell in which one span ends and another begins. */
static void draw_meeting(Drawing *d, int x, int y, const SpansCell *cell, CanvasStyle before,
                         CanvasStyle style)
{
    bool gap = cell->last_from > cell->first_to;
    if (gap && d->c->utf8) {
        bool left = cell->first_to >= 8 - cell->last_from;
        canvas_put(d->c, x, y, left ? d->g->left[cell->first_to] : d->g->right[8 - cell->last_from],
                   left ? before : style, CANVAS_PLAIN);
    } else if (before == style || !d->c->utf8) {
        canvas_put(d->c, x, y, d->c->utf8 ? "▏" : "|", CANVAS_PLAIN, style);
        if (d->c->utf8 && cell->first_to > 1)
            canvas_put(d->c, x, y, d->g->left[cell->first_to - 1], style, CANVAS_PLAIN);
    } else {
        canvas_put(d->c, x, y, d->g->left[cell->first_to], before, style);
    }
}

/* One span, from where it begins or comes in at cell c, up to where it ends or the next one comes.
 * Returns the cell there. */
static int draw_single(Drawing *d, int y, const Row *row, const SpansTrack *track,
                       const SpansLane *lane, int c)
{
    const SpansCell *cells = d->v->cells, *cell = &cells[c];
    bool meets = cell->count == 2;
    uint32_t index = meets ? cell->last : cell->first, id = lane->id[index];
    Ink ink = ink_of(d, row->side, track->what, id);
    if (meets) {
        Ink before = ink_of(d, row->side, track->what, lane->id[cell->first]);
        draw_meeting(d, d->x + c, y, cell, before.style, ink.style);
        c++;
    }

    int first_full = -1, end_full = -1, begin = c;
    for (; c < d->columns && cells[c].count == 1 && cells[c].first == index; c++) {
        const SpansCell *at = &cells[c];
        bool full = at->first_from == 0 && at->first_to == 8;
        bool joined = full && at->ends && c + 1 < d->columns && cells[c + 1].count > 0 &&
                      cells[c + 1].first != index && cells[c + 1].first_from == 0;
        draw_one(d, d->x + c, y, at, joined, ink.style);
        if (full) {
            if (first_full < 0) first_full = c;
            end_full = c + 1;
            if (joined && end_full - first_full > 1) end_full--; /* the thin gap stays */
        }
    }

    if (first_full >= 0) draw_label(d, y, row, track, id, ink, first_full, end_full);
    else if (ink.selected && c > begin)
        canvas_put(d->c, d->x + begin, y, d->g->selected, CANVAS_SELECTED, CANVAS_PLAIN);
    else if (ink.mark[0] && c > begin)
        canvas_put(d->c, d->x + begin, y, ink.mark, ink.style, CANVAS_PLAIN);
    return c;
}

static void draw_spans(Drawing *d, int y, const Row *row)
{
    View *v = d->v;
    const SpansTrack *track = view_track(v, row);
    const SpansLane *lane = &track->lanes[row->lane];
    SpansCell *cells = v->cells;
    uint64_t from = view_to_side(v, row->side, v->from_ns),
             to = view_to_side(v, row->side, v->to_ns);
    if (to <= from) to = from + 1;
    spans_cells(v->sides[row->side].spans, lane, from, to, (uint32_t)d->columns, cells);
    fold_lanes(d, row, track, from, to);

    for (int c = 0; c < d->columns;) {
        if (cells[c].count == 0) c++;
        else if (cells[c].count == 1 || is_meeting(&cells[c]))
            c = draw_single(d, y, row, track, lane, c);
        else c = draw_dense(d, y, row, track, lane, cells, c);
    }
}

static bool is_blank(const Canvas *c, int x, int y)
{
    CanvasCell cell = canvas_at(c, x, y);
    return !strcmp(cell.text, " ") && !cell.on;
}

static void draw_row(Drawing *d, int y, uint32_t index)
{
    View *v = d->v;
    const Row *row = &v->rows[index];
    if (row->heading) {
        char text[LINE];
        snprintf(text, sizeof text, "%s", v->sides[row->side].title);
        int used = canvas_text(d->c, d->box.x, y, d->box.columns, CANVAS_TITLE, text);
        for (int x = used + 1; x < d->box.columns; x++) {
            canvas_put(d->c, d->box.x + x, y, d->g->horizontal, CANVAS_RULER, CANVAS_PLAIN);
        }
        return;
    }
    bool here = index == v->row;
    const SpansTrack *track = view_track(v, row);
    if (here) canvas_put(d->c, d->box.x, y, d->g->marker, CANVAS_CURSOR, CANVAS_PLAIN);
    if (row->first) {
        char title[128];
        view_track_title(v, row, title, sizeof title);
        int used = canvas_text(d->c, d->box.x + 1, y, d->gutter - 3,
                               here ? CANVAS_BOLD : CANVAS_PLAIN, title);
        const char *state = row->folded && track->n_lanes > 1 ? "+" : row->pinned ? "^" : "";
        if (*state && used < d->gutter - 2)
            canvas_put(d->c, d->box.x + d->gutter - 2, y, state, CANVAS_CARE, CANVAS_PLAIN);
    }
    if (row->lanes > 1 && !row->folded) {
        canvas_printf(d->c, d->box.x + 2, y, d->gutter - 3, CANVAS_DIM, "+%u more", row->lanes - 1);
    }
    draw_spans(d, y, row);
}

/* The lines that stand in a row's empty places: the cursor, the play head. */
static void draw_lines(Drawing *d, int y0, int rows)
{
    const View *v = d->v;
    int cursor = column_of(d, v->cursor_ns), head = v->play.on ? column_of(d, v->play.head_ns) : -1;
    for (int y = y0; y < y0 + rows; y++) {
        if (in_picture(d, cursor) && is_blank(d->c, d->x + cursor, y)) {
            canvas_put(d->c, d->x + cursor, y, d->g->cursor, CANVAS_CURSOR, CANVAS_PLAIN);
        }
        if (in_picture(d, head) && is_blank(d->c, d->x + head, y)) {
            canvas_put(d->c, d->x + head, y, d->g->head, CANVAS_GOOD, CANVAS_PLAIN);
        }
    }
}

/* ---- arrows ---- */

/* The line on the screen where an operation is shown; -1 when it is not. */
static int line_of(const Drawing *d, uint8_t side, uint32_t op)
{
    const View *v = d->v;
    uint32_t track, lane, index;
    if (!spans_place(v->sides[side].spans, v->mode, op, &track, &lane, &index)) return -1;
    for (int i = 0; i < v->n_shown; i++) {
        if (v->shown[i] >= v->n_rows) continue;
        const Row *row = &v->rows[v->shown[i]];
        if (row->heading || row->host || row->side != side || row->track != track) continue;
        if (lane >= row->lane && lane < row->lane + row->lanes) return v->rows_y + i;
    }
    return -1;
}

static void arrow_cell(Drawing *d, int x, int y, const char *glyph, CanvasStyle style)
{
    CanvasCell cell = canvas_at(d->c, x, y);
    /* over a span the span's colour stays behind the line */
    bool span = !cell.on && cell.style >= CANVAS_H2D && cell.style <= CANVAS_DIFFERS &&
                strcmp(cell.text, " ") != 0;
    bool word = cell.on != CANVAS_PLAIN;
    if (word && cell.text[0] != ' ') return; /* labels stay readable */
    canvas_put(d->c, x, y, glyph, span ? CANVAS_BOLD : style,
               span ? (CanvasStyle)cell.style : CANVAS_PLAIN);
}

static void draw_arrow(Drawing *d, uint8_t side, uint32_t by, uint32_t op, CanvasStyle style)
{
    const View *v = d->v;
    const Trace *t = v->sides[side].trace;
    int y0 = line_of(d, side, by), y1 = line_of(d, side, op);
    if (y0 < 0 || y1 < 0) return;
    uint64_t end = t->ops[by].end_ns == TRACE_OPEN_NS ? t->last_ns : t->ops[by].end_ns;
    uint64_t x_end = view_from_side(v, side, end),
             x_start = view_from_side(v, side, t->ops[op].start_ns);
    int c0 = column_of(d, x_end > v->from_ns ? x_end - 1 : x_end), c1 = column_of(d, x_start);
    if (!in_picture(d, c1)) return;
    if (c0 > c1) c0 = c1;
    /* along the line of the first, then up or down, then onto the start of the second */
    for (int c = c0 + 1 < 0 ? 0 : c0 + 1; c < c1; c++) {
        if (is_blank(d->c, d->x + c, y0))
            canvas_put(d->c, d->x + c, y0, d->g->horizontal, style, CANVAS_PLAIN);
    }
    if (y0 == y1) {
        if (c1 > c0 + 1 && is_blank(d->c, d->x + c1 - 1, y1))
            canvas_put(d->c, d->x + c1 - 1, y1, d->g->to[0], style, CANVAS_PLAIN);
        return;
    }
    int way = y1 > y0 ? 1 : -1;
    arrow_cell(d, d->x + c1, y0, d->g->corner[way > 0 ? 0 : 1], style);
    for (int y = y0 + way; y != y1; y += way) arrow_cell(d, d->x + c1, y, d->g->vertical, style);
    CanvasCell cell = canvas_at(d->c, d->x + c1, y1);
    canvas_put(d->c, d->x + c1, y1, d->g->to[way > 0 ? 1 : 2], CANVAS_BOLD,
               (CanvasStyle)(cell.on ? cell.on : cell.style));
}

static void draw_arrows(Drawing *d)
{
    View *v = d->v;
    int drawn = 0;
    for (int i = 0; v->show_arrows && i < v->n_shown && drawn < ARROWS; i++) {
        if (v->shown[i] >= v->n_rows) continue;
        const Row *row = &v->rows[v->shown[i]];
        if (row->heading || row->host) continue;
        const SpansTrack *track = view_track(v, row);
        const Side *side = &v->sides[row->side];
        uint64_t from = view_to_side(v, row->side, v->from_ns),
                 to = view_to_side(v, row->side, v->to_ns);
        for (uint32_t k = row->lane; k < row->lane + row->lanes; k++) {
            const SpansLane *lane = &track->lanes[k];
            uint32_t first = spans_first_after(side->spans, lane, from),
                     end = spans_first_from(lane, to);
            if (end - first > (uint32_t)d->columns / 2 || end < first)
                continue; /* too many to be told apart */
            for (uint32_t s = first; s < end && drawn < ARROWS; s++) {
                const TraceOp *op = &side->trace->ops[lane->id[s]];
                for (uint32_t c = 0; c < op->n_causes; c++) {
                    const TraceCause *cause = &side->trace->causes[op->first_cause + c];
                    if (cause->kind != TRACE_BY_EVENT || !cause->by_op) continue;
                    draw_arrow(d, row->side, cause->by_op, lane->id[s], CANVAS_LINK);
                    drawn++;
                    break;
                }
            }
        }
    }
    uint32_t call;
    Selected s = v->selected;
    uint32_t by = s.id && s.what == SPANS_OP ? path_back(v->sides[s.side].trace, s.id, &call) : 0;
    if (by) draw_arrow(d, s.side, by, s.id, CANVAS_CURSOR);
}

/* ---- below the rows ---- */

/* Scrolled at most so far that the last line is the lowest. Keys may have come before what they
 * scroll was drawn. */
static void clamp(uint32_t *top, int most)
{
    if (most < 0) most = 0;
    if (*top > (uint32_t)most) *top = (uint32_t)most;
}

static void draw_panel(Drawing *d, int y, int rows)
{
    View *v = d->v;
    Words words = {0};
    view_describe(v, &words);
    int line = 0;
    for (uint32_t i = 0; i < words.n; i++) {
        const struct Word *w = &words.lines[i];
        line += canvas_wrap(d->c, (CanvasBox){d->box.x, y, d->box.columns - w->indent, 0}, 0, 3,
                            w->style, w->text);
    }
    clamp(&v->panel_top, line - rows);
    line = 0;
    for (uint32_t i = 0; i < words.n; i++) {
        const struct Word *w = &words.lines[i];
        int offset = line - (int)v->panel_top;
        CanvasBox box = {d->box.x + w->indent, y + (offset > 0 ? offset : 0),
                         d->box.columns - w->indent, 0};
        box.rows = y + rows - box.y;
        line += canvas_wrap(d->c, box, offset < 0 ? -offset : 0, 3, w->style, w->text);
    }
    v->panel_y = y;
    v->panel_rows = rows;
    int below = line - (int)v->panel_top - rows;
    if (below > 0 && rows > 0) {
        char text[60];
        snprintf(text, sizeof text, " %d more line%s: PgDn ", below, below == 1 ? "" : "s");
        int width = (int)strlen(text);
        if (width < d->box.columns)
            canvas_text(d->c, d->box.x + d->box.columns - width, y + rows - 1, width, CANVAS_KEY,
                        text);
    }
    words_release(&words);
}

static void draw_legend(Drawing *d, int y)
{
    static const struct {
        CanvasStyle style;
        const char *letter, *word;
    } entries[] = {{CANVAS_H2D, ">", "H2D"},         {CANVAS_KERNEL, "K", "kernel"},
                   {CANVAS_D2H, "<", "D2H"},         {CANVAS_MEMSET, "0", "memset"},
                   {CANVAS_COPY, "=", "other copy"}, {CANVAS_HOSTFN, "f", "host fn"},
                   {CANVAS_CALL, "c", "call"},       {CANVAS_RANGE, "r", "range"}};
    int x = d->box.x + 1, end = d->box.x + d->box.columns;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        int width = 2 + (int)strlen(entries[i].word) + 2;
        if (x + width > end) return;
        canvas_put(d->c, x, y, entries[i].letter, CANVAS_BOLD, entries[i].style);
        canvas_text(d->c, x + 2, y, width - 3, CANVAS_DIM, entries[i].word);
        x += width;
    }
    char text[80];
    snprintf(text, sizeof text, "%s%s%s many  %s path  %s hazard%s%s%s", d->g->texture[1],
             d->g->texture[4], d->g->texture[7], d->g->path, d->g->hazard,
             d->v->comparing ? "  " : "", d->v->comparing ? d->g->differs : "",
             d->v->comparing ? " differs" : "");
    if (x + glyphs_columns(text) < end) canvas_text(d->c, x, y, end - x, CANVAS_DIM, text);
}

static void draw_status(Drawing *d, int y)
{
    const View *v = d->v;
    if (v->prompt != PROMPT_NONE) {
        const char *sign = v->prompt == PROMPT_SEARCH   ? "/"
                           : v->prompt == PROMPT_FILTER ? "&"
                                                        : ":";
        int used = canvas_text(d->c, d->box.x, y, 1, CANVAS_KEY, sign);
        int room = d->box.columns - used - 1, width = glyphs_columns(v->input);
        const char *text = v->input;
        while (width > room && *text) {
            uint32_t code;
            int columns;
            text += glyphs_next(text, &code, &columns);
            width -= columns;
        }
        used += canvas_text(d->c, d->box.x + used, y, room, CANVAS_PLAIN, text);
        canvas_put(d->c, d->box.x + used, y, " ", CANVAS_BOLD, CANVAS_CURSOR);
        return;
    }
    if (v->search.active) {
        canvas_printf(d->c, d->box.x, y, d->box.columns, CANVAS_CARE,
                      "Searching for %s (Esc ends it)", v->search.text);
        return;
    }
    if (v->message[0]) {
        canvas_text(d->c, d->box.x, y, d->box.columns, v->message_care ? CANVAS_CARE : CANVAS_PLAIN,
                    v->message);
        return;
    }
    static const char *const hints[][2] =
        {{"?", "keys"},   {"Tab", "next span"}, {"c", "what it waited for"},
         {"+ -", "zoom"}, {"0", "all"},         {"t", "streams"},
         {"/", "search"}, {"Space", "play"},    {"C", "critical path"},
         {"q", "leave"}};
    int x = d->box.x, end = d->box.x + d->box.columns;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        const char *word = hints[i][1];
        bool devices = v->sides[0].spans->n_tracks[SPANS_BY_DEVICE] > 0;
        if (hints[i][0][0] == 't' && v->mode == SPANS_BY_STREAM)
            word = devices ? "devices" : "engines";
        if (hints[i][0][0] == 't' && v->mode == SPANS_BY_DEVICE) word = "engines";
        int width = (int)strlen(hints[i][0]) + 1 + (int)strlen(word) + 2;
        if (hints[i][0][1] == '\0' && strchr(v->taken, hints[i][0][0])) continue;
        if (x + width - 2 > end) break;
        int used = canvas_text(d->c, x, y, end - x, CANVAS_KEY, hints[i][0]);
        canvas_text(d->c, x + used + 1, y, end - x, CANVAS_DIM, word);
        x += width;
    }
}

static void draw_help(Drawing *d)
{
    View *v = d->v;
    CanvasBox box = d->box;
    int width = box.columns < 84 ? box.columns : 84;
    box.x += (box.columns - width) / 2;
    box.columns = width;
    canvas_fill(d->c, box, " ", CANVAS_PLAIN, CANVAS_PLAIN);
    canvas_frame(d->c, box, CANVAS_RULER, "Keys");
    CanvasBox inside = {box.x + 2, box.y + 1, box.columns - 4, box.rows - 3};
    int line = 0;
    const char *text;
    for (size_t i = 0; (text = view_key_line(i)); i++)
        line += canvas_wrap(d->c, (CanvasBox){inside.x, inside.y, inside.columns - 13, 0}, 0, 0,
                            CANVAS_PLAIN, strlen(text) > 13 ? text + 13 : "");
    clamp(&v->help_top, line - inside.rows);
    line = 0;
    for (size_t i = 0; (text = view_key_line(i)); i++) {
        int offset = line - (int)v->help_top;
        CanvasBox at = {inside.x, inside.y + (offset > 0 ? offset : 0), inside.columns, 0};
        at.rows = inside.y + inside.rows - at.y;
        char keys[16], what[160];
        snprintf(keys, sizeof keys, "%.12s", text);
        snprintf(what, sizeof what, "%s", strlen(text) > 13 ? text + 13 : "");
        if (offset >= 0 && at.rows > 0) canvas_text(d->c, at.x, at.y, 12, CANVAS_KEY, keys);
        at.x += 13;
        at.columns -= 13;
        line += canvas_wrap(d->c, at, offset < 0 ? -offset : 0, 0, CANVAS_PLAIN, what);
    }
    canvas_text(d->c, inside.x, box.y + box.rows - 2, inside.columns, CANVAS_DIM,
                line > inside.rows ? "arrows scroll, any other key closes this"
                                   : "any key closes this");
}

static void draw_too_small(Canvas *c, CanvasBox box)
{
    char text[120];
    snprintf(text, sizeof text,
             "Too small: the timeline needs %d columns and %d rows, here are %d and %d. q leaves.",
             VIEW_COLUMNS, VIEW_ROWS, box.columns, box.rows);
    canvas_wrap(c, box, 0, 0, CANVAS_CARE, text);
}

/* Where the picture is, and a cell for each of its columns, twice. False when memory is short. */
static bool lay_out(Drawing *d)
{
    View *v = d->v;
    d->gutter = d->box.columns < 64 ? 10 : d->box.columns < 120 ? 12 : 16;
    if (v->sides[0].trace->n_devices > 1 && d->gutter == 12) d->gutter = 15; /* "GPU0 Kernels" */
    d->x = d->box.x + d->gutter;
    d->columns = d->box.columns - d->gutter;
    if (d->columns > 1000) d->columns = 1000;
    if (v->n_cells < 2 * (uint32_t)d->columns) {
        SpansCell *cells = realloc(v->cells, 2 * (size_t)d->columns * sizeof *cells);
        if (!cells) return false;
        v->cells = cells;
        v->n_cells = 2 * (uint32_t)d->columns;
    }
    if (v->picture_columns != d->columns) v->overlap_known = false;
    v->picture_x = d->x;
    v->picture_columns = d->columns;
    v->minimap_y = d->box.y + 1;
    v->rows_y = d->box.y + 3;
    return true;
}

/* How many rows of the picture are shown where there is room for that many rows of picture and
 * panel together. */
static int rows_shown(const View *v, int room)
{
    int panel = v->box.rows >= 30 ? 10 : v->box.rows >= 20 ? 8 : v->box.rows >= 14 ? 3 : 0;
    int wanted = (int)(v->n_rows < 1000 ? v->n_rows : 1000);
    if (v->comparing && wanted > room - panel) panel /= 2; /* two runs need the room more */
    int rows = wanted < room - panel ? wanted : room - panel;
    if (rows < 1) rows = 1;
    return rows > SHOWN ? SHOWN : rows;
}

/* Pinned rows first, then the others from the top one on. */
static void draw_rows(Drawing *d, int rows)
{
    View *v = d->v;
    uint32_t pinned = 0;
    while (pinned < v->n_rows && v->rows[pinned].pinned) pinned++;
    if (pinned > (uint32_t)rows - (rows > 1)) pinned = (uint32_t)rows - (rows > 1);
    v->n_shown = rows;
    uint32_t most = v->n_rows > (uint32_t)rows ? v->n_rows - (uint32_t)rows : 0;
    if (v->top > most) v->top = most;
    view_row_in_sight(v);
    for (int i = 0; i < rows; i++) {
        uint32_t row = (uint32_t)i < pinned ? (uint32_t)i : (uint32_t)i + v->top;
        v->shown[i] = row;
        if (row < v->n_rows) draw_row(d, v->rows_y + i, row);
    }
    if (!v->n_rows)
        canvas_text(d->c, d->box.x + 1, v->rows_y, d->box.columns - 1, CANVAS_DIM,
                    "Nothing has run yet");
}

void view_draw(View *v, Canvas *c, CanvasBox box)
{
    v->box = box;
    v->n_shown = 0;
    v->panel_rows = 0;
    CanvasBox clip = c->clip;
    canvas_clip(c, box);
    canvas_fill(c, box, " ", CANVAS_PLAIN, CANVAS_PLAIN);
    if (box.columns < VIEW_COLUMNS || box.rows < VIEW_ROWS) {
        draw_too_small(c, box);
        c->clip = clip;
        return;
    }
    Drawing d = {.v = v, .c = c, .g = c->utf8 ? &utf8_glyphs : &ascii_glyphs, .box = box};
    if (!lay_out(&d)) return;

    bool legend = box.rows >= 14, stats = box.rows >= 11;
    int room = box.rows - 3 - 1 - legend - stats, rows = rows_shown(v, room), panel = room - rows;
    draw_title(&d, box.y);
    draw_minimap(&d, box.y + 1);
    draw_ruler(&d, box.y + 2);
    draw_rows(&d, rows);
    draw_lines(&d, v->rows_y, rows);
    draw_arrows(&d);

    char text[LINE];
    int y = v->rows_y + rows;
    uint32_t shown = v->top + (uint32_t)rows;
    if (v->n_rows > (uint32_t)rows && shown < v->n_rows) {
        snprintf(text, sizeof text, "%u more", v->n_rows - shown);
        canvas_text(c, box.x, y - (stats ? 0 : 1), d.gutter - 1, CANVAS_CARE, text);
    }
    if (stats) {
        view_overlap_words(v, text, sizeof text);
        int x = shown < v->n_rows ? d.x : box.x + 1; /* beside how many rows more there are */
        canvas_text(c, x, y, box.x + box.columns - x, CANVAS_DIM, text);
        y++;
    }
    if (panel > 0) draw_panel(&d, y, panel);
    y += panel;
    if (legend) draw_legend(&d, y++);
    draw_status(&d, y);
    if (v->show_help) draw_help(&d);
    if (v->menu.on) view_menu_draw(v, c, box);
    c->clip = clip;
}
