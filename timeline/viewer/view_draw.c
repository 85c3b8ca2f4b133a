/* view_draw.c - what a View looks like. Everything here costs as much as the box has cells, however
 * long the trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "timeline/pictures/layout.h"
#include "timeline/pictures/palette.h"
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
    const char *window[3];
    const char *edge; /* keeps neighbours of one colour apart */
    const char *below, *above, *hollow, *ghost[2], *fold;
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
    .edge = "▏",
    .below = "▁",
    .above = "▔",
    .hollow = "░",
    .ghost = {"├", "╌"},
    .fold = "┊",
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
    .edge = "[",
    .below = "_",
    .above = "~",
    .hollow = ".",
    .ghost = {"(", "-"},
    .fold = ":",
};

typedef struct Drawing {
    View *v;
    Canvas *c;
    const Glyphs *g;
    CanvasBox box;
    int x, columns; /* the picture */
    int gutter;
} Drawing;

static int column_of(const Drawing *d, uint64_t ns) { return view_column(d->v, ns); }

static bool in_picture(const Drawing *d, int column) { return column >= 0 && column < d->columns; }

static bool is_blank(const Canvas *c, int x, int y)
{
    CanvasCell cell = canvas_at(c, x, y);
    return !strcmp(cell.text, " ") && !cell.on;
}

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

/* The ruler's marks in a piece of the window. */
static void draw_ticks(Drawing *d, int y, const Piece *p, double step, int digits)
{
    const View *v = d->v;
    bool after = p > v->pieces; /* behind folded time the marks count from where it ends */
    double unit = (double)view_unit(v).ns,
           origin = (double)(after ? p->from_ns : v->sides[0].origin_ns),
           span = (double)(p->to_ns - p->from_ns), first = ((double)p->from_ns - origin) / step;
    int64_t k = first < 0 ? -(int64_t)-first : (int64_t)(first + 0.999999);
    int free_from = 0;

    if (p->idle) {
        char gap[60];
        view_duration(v, 0, p->to_ns - p->from_ns, gap, sizeof gap);
        canvas_text(d->c, d->x + p->x, y, p->columns, CANVAS_RULER, gap);
        return;
    }
    for (int guard = 0; guard < p->columns; guard++, k++) {
        double ns = origin + (double)k * step;
        int c = (int)((ns - (double)p->from_ns) * p->columns / span + 1e-6);
        if (c >= p->columns || ns > (double)p->to_ns) break;
        if (ns < (double)p->from_ns) continue;
        char text[48];
        snprintf(text, sizeof text, "%s%.*f", after ? "+" : "", digits, (double)k * step / unit);
        canvas_put(d->c, d->x + p->x + c, y, d->c->utf8 ? "┬" : "+", CANVAS_RULER, CANVAS_PLAIN);
        int width = (int)strlen(text);
        if (c + 1 + width <= p->columns && c >= free_from) {
            canvas_text(d->c, d->x + p->x + c + 1, y, width, CANVAS_RULER, text);
            free_from = c + width + 2;
        }
    }
}

static void draw_ruler(Drawing *d, int y)
{
    const View *v = d->v;
    int digits;
    AnalysisUnit unit = view_unit(v);
    const Piece *p = v->pieces->idle && v->n_pieces > 1 ? v->pieces + 1 : v->pieces;
    double step = layout_step(p->to_ns - p->from_ns, unit.ns, (uint32_t)p->columns, 10, &digits) *
                  (double)unit.ns;
    char unit_name[40];
    glyphs_fit(unit.name, d->gutter - 2, d->c->utf8, unit_name, sizeof unit_name);
    canvas_text(d->c, d->box.x + 1, y, d->gutter - 1, CANVAS_RULER, unit_name);
    for (int c = 0; c < d->columns; c++)
        canvas_put(d->c, d->x + c, y, d->g->horizontal, CANVAS_RULER, CANVAS_PLAIN);
    for (int i = 0; i < v->n_pieces; i++) draw_ticks(d, y, &v->pieces[i], step, digits);
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
    const char *mark;    /* the sign in front of the label */
    const char *texture; /* what the span is filled with, where that is not its colour alone */
    bool selected, marked;
} Ink;

/* How a span is drawn. Its kind keeps its colour, whatever else is to be said of it: that is said
 * by a sign in front of its label and a line along its edge. */
static Ink ink_of(const Drawing *d, uint8_t side_index, SpansWhat what, uint32_t id)
{
    const View *v = d->v;
    const Side *side = &v->sides[side_index];
    Ink ink = {view_style(side, what, id), "", NULL, false, false};

    if (what == SPANS_OP) {
        if (v->show_path && critical_path_has(&side->path, id)) {
            ink.mark = d->g->path;
            ink.texture = d->g->below;
        }
        if (view_op_differs(v, side_index, id)) {
            ink.mark = d->g->differs;
            ink.texture = d->g->above;
        }
        if (view_op_hazard(side, id)) ink.mark = d->g->hazard;
        ink.marked = ink.texture != NULL;
    }
    if (v->selected.id == id && v->selected.what == what && v->selected.side == side_index) {
        ink.style = CANVAS_SELECTED;
        ink.selected = true;
    }
    return ink;
}

/* What a line of a row says of its spans. */
typedef enum RowWords { WORDS_LABEL, WORDS_LENGTH } RowWords;

/* The row that is being drawn. */
typedef struct RowDrawing {
    Drawing *d;
    const Row *row;
    const SpansTrack *track;
    const SpansLane *lane;
    const SpansCell *cells;
    int y;
} RowDrawing;

/* A column that is full of a span. edge: another one of its colour ends where it begins. */
static void draw_full(const RowDrawing *r, int c, const Ink *ink, bool edge)
{
    const Drawing *d = r->d;
    if (edge) canvas_put(d->c, d->x + c, r->y, d->g->edge, CANVAS_PLAIN, ink->style);
    else if (ink->texture) canvas_put(d->c, d->x + c, r->y, ink->texture, CANVAS_PLAIN, ink->style);
    else if (d->c->utf8) canvas_put(d->c, d->x + c, r->y, d->g->left[8], ink->style, CANVAS_PLAIN);
    else canvas_put(d->c, d->x + c, r->y, "=", CANVAS_PLAIN, ink->style);
}

/* A column that a span shares with nothing but time in which nothing runs. */
static void draw_part(const RowDrawing *r, int c, int from, int to, const Ink *ink)
{
    const Drawing *d = r->d;
    const char *glyph = from == 0       ? d->g->left[to]
                        : to == 8       ? d->g->right[8 - from]
                        : to - from > 2 ? d->g->thin
                                        : d->g->tick;
    if (!d->c->utf8 && to - from >= 4) draw_full(r, c, ink, false);
    else canvas_put(d->c, d->x + c, r->y, glyph, ink->style, CANVAS_PLAIN);
}

/* Whether two spans meet in this cell: one goes out, the next comes in, nothing else. */
static bool is_meeting(const SpansCell *cell)
{
    return cell->count == 2 && cell->first_from == 0 && cell->last_to == 8 && !cell->begins &&
           !cell->ends && cell->first_to <= cell->last_from;
}

/* Whether the span that fills column c begins there, right where one of its colour has ended. */
static bool is_edge(const RowDrawing *r, int c, uint32_t index, CanvasStyle style)
{
    if (c == 0 || r->cells[c].first != index || !r->cells[c].begins) return false;
    const SpansCell *before = &r->cells[c - 1];
    if (!before->count || before->last >= r->lane->n || before->last_to != 8) return false;
    return ink_of(r->d, r->row->side, r->track->what, r->lane->id[before->last]).style == style;
}

/* Columns with several spans each: the busier, the denser. How many there are says the panel. */
static CanvasStyle dense_style(const RowDrawing *r, const SpansCell *cell)
{
    if (cell->first == UINT32_MAX || r->row->tracks > 1) { /* only in lanes that are folded away */
        if (r->track->what != SPANS_OP) return CANVAS_CALL;
        return CANVAS_MIXED;
    }
    if (r->track->what != SPANS_OP)
        return r->track->what == SPANS_CALL ? CANVAS_CALL : CANVAS_RANGE;
    const Side *side = &r->d->v->sides[r->row->side];
    CanvasStyle style = view_style(side, SPANS_OP, r->lane->id[cell->first]);
    /* a look at a few of them */
    for (uint32_t k = 1; k <= 4; k++) {
        uint32_t i = cell->first + (uint32_t)((uint64_t)(cell->last - cell->first) * k / 4);
        if (i < r->lane->n && view_style(side, SPANS_OP, r->lane->id[i]) != style)
            style = CANVAS_MIXED;
    }
    return style;
}

static int draw_dense(const RowDrawing *r, int c)
{
    const Drawing *d = r->d;
    const Selected s = d->v->selected;
    for (; c < d->columns && r->cells[c].count > 1 && !is_meeting(&r->cells[c]); c++) {
        const SpansCell *cell = &r->cells[c];
        bool here = false;
        if (cell->first != UINT32_MAX && s.id && s.side == r->row->side &&
            s.what == r->track->what) {
            uint64_t start, stop;
            view_span_times(d->v, s, &start, &stop);
            uint32_t at = spans_find(r->lane, start, s.id);
            here = at < r->lane->n && at >= cell->first && at <= cell->last;
        }
        if (here) {
            canvas_put(d->c, d->x + c, r->y, d->g->selected, CANVAS_BOLD, CANVAS_SELECTED);
            continue;
        }
        canvas_put(d->c, d->x + c, r->y, d->g->texture[cell->covered > 8 ? 8 : cell->covered],
                   dense_style(r, cell), CANVAS_PLAIN);
    }
    return c;
}

/* A folded track or group: cells in which the first lane shows nothing take what another one shows,
 * as a texture. Several spans at once fill a column no more than one does; a group is as dense as
 * its lanes are busy. */
static void fold_lanes(Drawing *d, const Row *row)
{
    View *v = d->v;
    SpansCell *cells = v->cells, *other = v->cells + v->n_cells / 2;
    uint32_t lanes = view_row_lanes(v, row);
    for (uint32_t k = 1; k < lanes; k++) {
        view_cells(v, row, k, other);
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

/* A cell in which one span ends and another begins. Where nothing is between them, nothing is drawn
 * between them: two colours share the cell, one colour has a line of always the same width. */
static void draw_meeting(const RowDrawing *r, int c, const Ink *before, const Ink *ink)
{
    const Drawing *d = r->d;
    const SpansCell *cell = &r->cells[c];
    bool gap = cell->last_from > cell->first_to, left = cell->first_to >= 8 - cell->last_from;
    if (!d->c->utf8 || (!gap && before->style == ink->style)) {
        if (cell->first_to >= 4) draw_full(r, c, before, false);
        else draw_full(r, c, ink, true);
    } else if (!gap) {
        canvas_put(d->c, d->x + c, r->y, d->g->left[cell->first_to], before->style, ink->style);
    } else if (left) {
        draw_part(r, c, 0, cell->first_to, before);
    } else {
        draw_part(r, c, cell->last_from, 8, ink);
    }
}

/* The label of the span whose cells first..end (end not included) are full. */
static void draw_label(const RowDrawing *r, uint32_t id, const Ink *ink, int first, int end,
                       RowWords words)
{
    Drawing *d = r->d;
    char label[300], text[340];
    Selected s = {r->row->side, r->track->what, id};
    int room = end - first;
    if (room < 1) return;
    if (words == WORDS_LENGTH) {
        uint64_t start, stop;
        if (!view_span_times(d->v, s, &start, &stop)) return;
        view_duration(d->v, s.side, stop - start, text, sizeof text);
        int width = glyphs_columns(text);
        if (width + 2 <= room)
            canvas_text_on(d->c, d->x + first + (room - width) / 2, r->y, width, CANVAS_PLAIN,
                           ink->style, text);
        return;
    }
    view_label(d->v, s, label, sizeof label);
    snprintf(text, sizeof text, "%s%s%s%s", ink->selected ? d->g->selected_open : "", ink->mark,
             label, ink->selected ? d->g->selected_close : "");
    int width = glyphs_columns(text);
    if (width > room && room >= 6) width = room; /* cut, with a mark for the cut */
    if (width <= room) {
        canvas_text_on(d->c, d->x + first + (room - width) / 2, r->y, width, CANVAS_BOLD,
                       ink->style, text);
        return;
    }
    /* one character: what it is, underlined where there is more to say of it */
    bool hazard = ink->mark == d->g->hazard;
    const char *letter = ink->selected ? d->g->selected
                         : hazard      ? ink->mark
                                  : view_letter(&d->v->sides[r->row->side], r->track->what, id);
    int x = d->x + first + room / 2;
    canvas_put(d->c, x, r->y, letter, CANVAS_BOLD, ink->style);
    if (ink->marked) canvas_mark(d->c, x, r->y, CANVAS_UNDERLINED);
}

/* One span, from where it begins or comes in at cell c, up to where it ends or the next one comes.
 * Returns the cell there. */
static int draw_single(const RowDrawing *r, int c, RowWords words)
{
    const Drawing *d = r->d;
    const SpansCell *cell = &r->cells[c];
    bool meets = cell->count == 2, edge = false;
    uint32_t index = meets ? cell->last : cell->first, id = r->lane->id[index];
    Ink ink = ink_of(d, r->row->side, r->track->what, id);
    int begin = c, first_full = -1, end_full = -1;
    if (meets) {
        Ink before = ink_of(d, r->row->side, r->track->what, r->lane->id[cell->first]);
        bool alike = !d->c->utf8 || before.style == ink.style;
        draw_meeting(r, c, &before, &ink);
        /* the cell was given to the one before: the line is in the next one */
        edge = alike && cell->first_to <= cell->last_from + 0 && cell->first_to >= 4 &&
               cell->first_to == cell->last_from;
        c++;
    }

    for (; c < d->columns && r->cells[c].count == 1 && r->cells[c].first == index; c++) {
        const SpansCell *at = &r->cells[c];
        if (at->first_from > 0 || at->first_to < 8) {
            draw_part(r, c, at->first_from, at->first_to, &ink);
            continue;
        }
        edge |= c == begin && is_edge(r, c, index, ink.style);
        bool more = c + 1 < d->columns && r->cells[c + 1].count == 1 &&
                    r->cells[c + 1].first == index && r->cells[c + 1].first_to == 8;
        if (first_full < 0) first_full = c + (edge && more);
        draw_full(r, c, &ink, edge && more);
        edge = false;
        end_full = c + 1;
    }

    if (first_full >= 0) draw_label(r, id, &ink, first_full, end_full, words);
    else if (words != WORDS_LABEL) return c;
    else if (ink.selected && c > begin)
        canvas_put(d->c, d->x + begin, r->y, d->g->selected, CANVAS_BOLD, CANVAS_SELECTED);
    else if (ink.mark == d->g->hazard && c > begin)
        canvas_put(d->c, d->x + begin, r->y, ink.mark, ink.style, CANVAS_PLAIN);
    return c;
}

/* What has not happened yet at the play head is hollow. */
static void draw_future(const RowDrawing *r)
{
    const Drawing *d = r->d;
    int head = view_column(d->v, d->v->play.head_ns);
    for (int c = head < 0 ? 0 : head; c < d->columns; c++) {
        CanvasCell cell = canvas_at(d->c, d->x + c, r->y);
        bool block = !strcmp(cell.text, " ") || !strcmp(cell.text, d->g->left[8]) ||
                     !strcmp(cell.text, d->g->edge) || (!d->c->utf8 && !strcmp(cell.text, "="));
        CanvasStyle kind = (CanvasStyle)(cell.on ? cell.on : cell.style);
        if (!cell.on && kind < CANVAS_H2D) continue;
        if (kind == CANVAS_SELECTED && r->track->what == SPANS_OP && d->v->selected.id)
            kind = view_style(&d->v->sides[r->row->side], SPANS_OP, d->v->selected.id);
        if (block) canvas_put(d->c, d->x + c, r->y, d->g->hollow, kind, CANVAS_PLAIN);
        else if (cell.on) canvas_restyle(d->c, d->x + c, r->y, CANVAS_PLAIN, CANVAS_PLAIN);
    }
}

/* Where the selected operation could have started, had nothing but what it depends on kept it. */
static void draw_ghost(const RowDrawing *r)
{
    const Drawing *d = r->d;
    const View *v = d->v;
    const Selected s = v->selected;
    if (!s.id || s.what != SPANS_OP || r->track->what != SPANS_OP || s.side != r->row->side) return;
    const Trace *t = v->sides[s.side].trace;
    const TraceOp *op = &t->ops[s.id];
    uint64_t ready = critical_path_ready_ns(t, s.id);
    if (op->start_ns == TRACE_OPEN_NS || ready >= op->start_ns ||
        spans_find(r->lane, op->start_ns, s.id) == r->lane->n)
        return;
    int from = view_column(v, view_from_side(v, s.side, ready)),
        to = view_column(v, view_from_side(v, s.side, op->start_ns));
    for (int c = from < 0 ? 0 : from; c < to && c < d->columns; c++) {
        if (!is_blank(d->c, d->x + c, r->y)) continue;
        canvas_put(d->c, d->x + c, r->y, c == from ? d->g->ghost[0] : d->g->ghost[1],
                   view_style(&v->sides[s.side], SPANS_OP, s.id), CANVAS_PLAIN);
    }
}

/* A line of a row: the first bears the labels, the second how long each span lasts. */
static void draw_spans(Drawing *d, int y, const Row *row, RowWords words)
{
    View *v = d->v;
    RowDrawing r = {.d = d, .row = row, .track = view_track(v, row), .cells = v->cells, .y = y};
    r.lane = view_row_lane(v, row, 0);
    view_cells(v, row, 0, v->cells);
    fold_lanes(d, row);

    for (int c = 0; c < d->columns;) {
        if (v->cells[c].count == 0) c++;
        else if (v->cells[c].count == 1 || is_meeting(&v->cells[c])) c = draw_single(&r, c, words);
        else c = draw_dense(&r, c);
    }
    if (v->play.on) draw_future(&r);
    if (words == WORDS_LABEL) draw_ghost(&r);
}

/* What stands left of a row. Where the column is narrow, a stream keeps its number: "s12". */
static void draw_gutter(Drawing *d, int y, const Row *row, bool here)
{
    const View *v = d->v;
    const SpansTrack *track = view_track(v, row);
    bool group = row->tracks > 1, many = row->lanes > 1 && !row->folded;
    char title[300], state[2] = "";
    if (group) view_group_title(v, row, title, sizeof title);
    else view_track_title(v, row, title, sizeof title);
    int room = d->gutter - 3;
    if (glyphs_columns(title) > room && !strncmp(title, "stream ", 7))
        memmove(title + 1, title + 7, strlen(title + 7) + 1);
    if (glyphs_columns(title) > room && !strncmp(title, "GPU", 3))
        memmove(title + 1, title + 3, strlen(title + 3) + 1);
    if (group || (row->folded && track->n_lanes > 1)) state[0] = '+';
    else if (row->pinned) state[0] = '^';
    if (here) canvas_put(d->c, d->box.x, y, d->g->marker, CANVAS_CURSOR, CANVAS_PLAIN);
    if (row->first) {
        int used =
            canvas_text(d->c, d->box.x + 1, y, room, here ? CANVAS_BOLD : CANVAS_PLAIN, title);
        if (state[0] && used < d->gutter - 2)
            canvas_put(d->c, d->box.x + d->gutter - 2, y, state, CANVAS_CARE, CANVAS_PLAIN);
    }
    if (many) canvas_printf(d->c, d->box.x + 2, y, room, CANVAS_DIM, "+%u more", row->lanes - 1);
}

/* How many lines a row takes: what the host does needs no more than one. */
static int lines_of(const View *v, uint32_t index)
{
    return index < v->n_rows && !v->rows[index].heading && !v->rows[index].host ? v->row_lines : 1;
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
    int lines = lines_of(v, index);
    draw_gutter(d, y, row, index == v->row);
    /* the last line of a tall row is the space to the next one */
    int filled = lines > 2 ? lines - 1 : lines;
    for (int i = 0; i < filled; i++) draw_spans(d, y + i, row, i == 0 ? WORDS_LABEL : WORDS_LENGTH);
}

/* The lines that stand in a row's empty places: the cursor, the play head. */
static void draw_lines(Drawing *d, int y0, int rows)
{
    const View *v = d->v;
    int cursor = column_of(d, v->cursor_ns), head = v->play.on ? column_of(d, v->play.head_ns) : -1;
    for (int y = y0; y < y0 + rows; y++) {
        for (int i = 0; i < v->n_pieces; i++) {
            int c = v->pieces[i].x + v->pieces[i].columns / 2;
            if (v->pieces[i].idle && c != cursor && is_blank(d->c, d->x + c, y))
                canvas_put(d->c, d->x + c, y, d->g->fold, CANVAS_RULER, CANVAS_PLAIN);
        }
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
        bool other = row->heading || row->host || row->side != side;
        if (other || track < row->track || track >= row->track + row->tracks) continue;
        if (row->tracks > 1 || (lane >= row->lane && lane < row->lane + row->lanes))
            return v->rows_y + i;
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
        if (i > 0 && v->shown[i] == v->shown[i - 1]) continue; /* another line of the same row */
        const Side *side = &v->sides[row->side];
        uint64_t from = view_to_side(v, row->side, v->from_ns),
                 to = view_to_side(v, row->side, v->to_ns);
        for (uint32_t k = 0, n = view_row_lanes(v, row); k < n && k < ARROWS; k++) {
            const SpansLane *lane = view_row_lane(v, row, k);
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
    uint32_t by =
        s.id && s.what == SPANS_OP ? critical_path_back(v->sides[s.side].trace, s.id, &call) : 0;
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
    view_describe(v, &words, rows <= 3);
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
        snprintf(text, sizeof text, " %d more line%s: %s ", below, below == 1 ? "" : "s",
                 v->n_rows > (uint32_t)v->rows_shown ? "}" : "PgDn");
        int width = (int)strlen(text);
        if (width < d->box.columns)
            canvas_text(d->c, d->box.x + d->box.columns - width, y + rows - 1, width, CANVAS_KEY,
                        text);
    }
    words_release(&words);
}

/* While playing: what each stream holds at the play head, from what runs to what was issued last. A
 * sign says what the first of those that wait waits for. Returns the lines that it took. */
static int draw_queues(Drawing *d, int y, int rows)
{
    enum { MOST = 40 };
    const View *v = d->v;
    const Side *side = &v->sides[0];
    const Spans *s = side->spans;
    const Trace *t = side->trace;
    uint64_t head = v->play.head_ns;
    int lines = 0;
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_STREAM] && lines < rows; i++) {
        const SpansTrack *track = &s->tracks[SPANS_BY_STREAM][i];
        int x = d->x, end = d->box.x + d->box.columns;
        bool any = false;
        /* the lanes of a stream's track do not overlap in time but where graphs fork */
        for (uint32_t k = 0; k < track->n_lanes && k < 4; k++) {
            const SpansLane *l = &track->lanes[k];
            uint32_t first = spans_first_after(s, l, head);
            for (uint32_t n = first; n < l->n && n < first + MOST; n++) {
                const TraceOp *op = &t->ops[l->id[n]];
                if (op->issued_ns > head || !trace_op_is_work(op)) continue;
                if (spans_end_ns(s, l, n) <= head) continue;
                bool runs = op->start_ns <= head;
                CanvasStyle style = view_style(side, SPANS_OP, l->id[n]);
                char label[300];
                labels_op(view_labels(side, l->id[n]), l->id[n], label, sizeof label);
                int width = glyphs_columns(label) + 2;
                if (x + width + 2 > end) break;
                any = true;
                if (runs) {
                    canvas_put(d->c, x, y + lines, " ", CANVAS_BOLD, style);
                    canvas_text_on(d->c, x + 1, y + lines, width - 2, CANVAS_BOLD, style, label);
                    canvas_put(d->c, x + width - 1, y + lines, " ", CANVAS_BOLD, style);
                } else {
                    canvas_put(d->c, x, y + lines, d->g->hollow, style, CANVAS_PLAIN);
                    canvas_text(d->c, x + 1, y + lines, width - 2, CANVAS_PLAIN, label);
                    canvas_put(d->c, x + width - 1, y + lines, d->g->hollow, style, CANVAS_PLAIN);
                }
                x += width + 1;
            }
        }
        if (!any) continue;
        char title[200];
        labels_stream(side->labels, track->ref, title, sizeof title);
        title[strcspn(title, "(")] = '\0';
        canvas_text(d->c, d->box.x + 2, y + lines, d->gutter - 3, CANVAS_PLAIN, title);
        lines++;
    }
    return lines;
}

/* Whether there is such an operation; looks at the first of them, as a legend needs no more. */
static bool has_kind(const Side *side, PaletteKind kind)
{
    enum { LOOK = 2000 };
    for (uint32_t id = 1; id <= side->trace->n_ops && id <= LOOK; id++) {
        const TraceOp *op = &side->trace->ops[id];
        if (trace_op_is_shown(op) && palette_of_op(op) == kind) return true;
    }
    return false;
}

static void draw_legend(Drawing *d, int y)
{
    const Side *side = &d->v->sides[0];
    int x = d->box.x + 1, end = d->box.x + d->box.columns;
    for (int i = 0; i < PALETTE_KINDS; i++) {
        bool rare =
            i == PALETTE_GRAPH || i == PALETTE_COPY || i == PALETTE_MEMSET || i == PALETTE_HOSTFN;
        if (rare && !has_kind(side, (PaletteKind)i)) continue;
        int width = 2 + (int)strlen(palette[i].brief) + 2;
        if (x + width > end) return;
        canvas_put(d->c, x, y, palette[i].letter, CANVAS_BOLD, (CanvasStyle)(CANVAS_H2D + i));
        canvas_text(d->c, x + 2, y, width - 3, CANVAS_DIM, palette[i].brief);
        x += width;
    }
    char text[80];
    snprintf(text, sizeof text, "%s%s%s many%s%s%s%s%s%s%s%s%s", d->g->texture[1], d->g->texture[4],
             d->g->texture[7], d->v->show_path ? "  " : "", d->v->show_path ? d->g->path : "",
             d->v->show_path ? " path" : "", side->trace->n_hazards ? "  " : "",
             side->trace->n_hazards ? d->g->hazard : "", side->trace->n_hazards ? " hazard" : "",
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
        canvas_put(d->c, d->box.x + used, y, " ", CANVAS_BOLD, CANVAS_SELECTED);
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

/* One line of the help at a row of the box, counted from where it is scrolled to; returns the rows
 * that it takes. */
static int draw_help_line(Drawing *d, CanvasBox inside, int row, const char *text)
{
    enum { KEYS = 14 };
    size_t length = strlen(text);
    if (length && text[length - 1] == ':') { /* a heading, with a blank line above */
        int y = row + (row > 0);
        if (y >= 0 && y < inside.rows)
            canvas_text(d->c, inside.x, inside.y + y, inside.columns, CANVAS_TITLE, text);
        return 2;
    }
    char keys[4 * KEYS + 1] = "";
    size_t at = 0;
    for (int columns = 0; text[at] && columns < KEYS;) {
        uint32_t code;
        int wide;
        size_t bytes = glyphs_next(text + at, &code, &wide);
        memcpy(keys + at, text + at, bytes);
        keys[at += bytes] = '\0';
        columns += wide;
    }
    for (size_t end = strlen(keys); end > 0 && keys[end - 1] == ' ';) keys[--end] = '\0';
    CanvasBox box = {inside.x + KEYS, inside.y + (row > 0 ? row : 0), inside.columns - KEYS, 0};
    box.rows = inside.y + inside.rows - box.y;
    if (row >= 0 && box.rows > 0) canvas_text(d->c, inside.x, box.y, KEYS - 1, CANVAS_KEY, keys);
    return canvas_wrap(d->c, box, row < 0 ? -row : 0, 0, CANVAS_PLAIN, text + at);
}

static void draw_help(Drawing *d)
{
    View *v = d->v;
    CanvasBox box = d->box, nowhere = {d->box.x, d->box.y, 0, 0};
    int width = box.columns < 84 ? box.columns : 84, lines = 0;
    const char *text;
    box.x += (box.columns - width) / 2;
    box.columns = width;
    canvas_fill(d->c, box, " ", CANVAS_PLAIN, CANVAS_PLAIN);
    canvas_frame(d->c, box, CANVAS_RULER, "Keys");
    CanvasBox inside = {box.x + 2, box.y + 1, box.columns - 4, box.rows - 3};
    nowhere.columns = inside.columns;
    for (size_t i = 0; (text = view_key_line(i, d->c->utf8)); i++)
        lines += draw_help_line(d, nowhere, 0, text);
    clamp(&v->help_top, lines - inside.rows);
    int top = (int)v->help_top, last = top + inside.rows, line = 0;
    for (size_t i = 0; (text = view_key_line(i, d->c->utf8)); i++)
        line += draw_help_line(d, inside, line - top, text);
    int y = box.y + box.rows - 2;
    if (lines > inside.rows)
        canvas_printf(d->c, inside.x, y, inside.columns, CANVAS_DIM,
                      "%d-%d of %d lines: arrows, PgDn and Space scroll, any other key closes this",
                      top + 1, last < lines ? last : lines, lines);
    else canvas_text(d->c, inside.x, y, inside.columns, CANVAS_DIM, "any key closes this");
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
    if (v->sides[0].trace->n_devices > 1 && d->gutter < 16)
        d->gutter += 3; /* "GPU0 Kernels", "G0 Kernels" */
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
    view_pieces(v);
    return true;
}

/* How many lines of the picture's rows there are where there is room for so many lines of picture
 * and panel together. What is left over makes the rows taller: up to three lines. */
static int lines_shown(View *v, int room)
{
    enum { TALL = 3 };
    int panel = v->box.rows >= 30   ? 10
                : v->box.rows >= 20 ? 8
                : v->box.rows >= 14 ? 3
                : v->box.rows >= 10 ? 2
                                    : 0;
    int wanted = 0, tall = 0;
    for (uint32_t i = 0; i < v->n_rows && wanted < SHOWN; i++) {
        wanted++;
        tall += !v->rows[i].heading && !v->rows[i].host;
    }
    if (v->comparing && wanted > room - panel) panel /= 2; /* two runs need the room more */
    int least = v->box.rows >= 40 ? 16 : v->box.rows >= 30 ? 12 : 1000;
    v->row_lines = 1;
    while (v->row_lines < TALL && wanted + tall * v->row_lines <= room - least) v->row_lines++;
    int lines = wanted + tall * (v->row_lines - 1);
    if (lines > room - panel) lines = room - panel;
    if (lines < 1) lines = 1;
    return lines > SHOWN ? SHOWN : lines;
}

/* Pinned rows first, then the others from the top one on. */
static void draw_rows(Drawing *d, int lines)
{
    View *v = d->v;
    uint32_t pinned = 0, rows = (uint32_t)lines;
    bool all = v->n_rows <= rows; /* rows of several lines are drawn only where all have room */
    if (all) rows = v->n_rows;
    while (pinned < v->n_rows && v->rows[pinned].pinned) pinned++;
    if (pinned > rows - (rows > 1) && rows) pinned = rows - (rows > 1);
    v->n_shown = lines;
    v->rows_shown = (int)(rows ? rows : 1);
    uint32_t most = v->n_rows > rows ? v->n_rows - rows : 0;
    if (v->top > most) v->top = most;
    view_row_in_sight(v);
    int y = 0;
    for (uint32_t i = 0; i < (uint32_t)v->rows_shown && y < lines; i++) {
        uint32_t row = i < pinned ? i : i + v->top;
        int of_row = lines_of(v, row);
        for (int k = 0; k < of_row && y + k < lines; k++) v->shown[y + k] = row;
        if (row < v->n_rows) draw_row(d, v->rows_y + y, row);
        y += of_row;
    }
    for (; y < lines; y++) v->shown[y] = UINT32_MAX;
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

    /* in a small box what the selected span says comes before the frame */
    uint64_t first, last;
    view_extent(v, false, &first, &last);
    bool legend = box.rows >= 20, stats = box.rows >= 14,
         minimap = box.rows >= 14 || v->from_ns > first || v->to_ns < last;
    v->minimap_y = minimap ? box.y + 1 : -1;
    v->rows_y = box.y + 2 + minimap;
    int room = box.rows - 2 - minimap - 1 - legend - stats, rows = lines_shown(v, room),
        panel = room - rows;
    draw_title(&d, box.y);
    if (minimap) draw_minimap(&d, v->minimap_y);
    draw_ruler(&d, v->rows_y - 1);
    draw_rows(&d, rows);
    if (v->n_rows) draw_lines(&d, v->rows_y, rows);
    draw_arrows(&d);

    char text[LINE];
    int y = v->rows_y + rows;
    uint32_t shown = v->top + (uint32_t)v->rows_shown;
    if (v->n_rows > (uint32_t)v->rows_shown && shown < v->n_rows) {
        /* below the last row, or, where there is no line for that, behind its name */
        int n = snprintf(text, sizeof text, stats ? "%u more" : " +%u", v->n_rows - shown);
        int x = stats ? 0 : d.gutter - 1 > n ? d.gutter - 1 - n : 0;
        canvas_text(c, box.x + x, y - (stats ? 0 : 1), d.gutter - 1, CANVAS_CARE, text);
    }
    if (stats) {
        view_overlap_words(v, text, sizeof text);
        int x = shown < v->n_rows ? d.x : box.x + 1; /* beside how many rows more there are */
        canvas_text(c, x, y, box.x + box.columns - x, CANVAS_DIM, text);
        y++;
    }
    int queues = v->play.on && panel > 4 ? draw_queues(&d, y, panel - 4) : 0;
    if (panel > 0) draw_panel(&d, y + queues, panel - queues);
    y += panel;
    if (legend) draw_legend(&d, y++);
    draw_status(&d, y);
    if (v->show_help) draw_help(&d);
    if (v->menu.on) view_menu_draw(v, c, box);
    c->clip = clip;
}
