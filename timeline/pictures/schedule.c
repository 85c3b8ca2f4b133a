#include "timeline/pictures/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "timeline/trace/labels.h"
#include "timeline/pictures/layout.h"
#include "timeline/pictures/palette.h"

enum { LABEL = 256, MOST_WIDTH = 1000, LEAST_PLOT = 8, MOST_RUNNING = 64 };

static int width_of(const ScheduleOptions *o)
{
    return o->width <= 0 ? 80 : o->width > MOST_WIDTH ? MOST_WIDTH : o->width;
}

const char *schedule_label(const Trace *t, uint32_t range, uint32_t op, char *label,
                           size_t label_size)
{
    Labels *labels = labels_new(t, range);
    if (labels) labels_op(labels, op, label, label_size);
    else if (label_size > 0) label[0] = '\0';
    labels_free(labels);
    return label;
}

/* ---- line ---- */

static void write_line(FILE *out, const Trace *t, const Labels *labels, uint32_t most)
{
    uint32_t n;
    const uint32_t *order = labels_order(labels, &n);
    char label[LABEL];
    uint32_t shown = most && most < n ? most : n;
    for (uint32_t i = 0; i < shown; i++) {
        bool started = t->ops[order[i]].start_ns != TRACE_OPEN_NS;
        fprintf(out, "[%s%s]", labels_op(labels, order[i], label, sizeof label),
                started ? "" : "?");
    }
    if (shown < n) fprintf(out, " and %u more", n - shown);
    fputs(n ? "\n" : "(nothing ran)\n", out);
}

/* ---- cells ---- */

typedef struct Cell {
    uint64_t row, end_row;
    uint32_t number, stream, op;
    const char *name;
} Cell;

static int compare_in_row(const void *left, const void *right)
{
    const Cell *a = left, *b = right;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    int names = strcmp(a->name, b->name);
    if (names) return names;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    return a->op < b->op ? -1 : a->op > b->op;
}

static int compare_cells(const void *left, const void *right)
{
    const Cell *a = left, *b = right;
    if (a->row != b->row) return a->row < b->row ? -1 : 1;
    return compare_in_row(left, right);
}

/* An exact trace: the row is the time unit in which the operation starts. */
static void rows_by_time(const Trace *t, Cell *cells, uint32_t n)
{
    uint64_t unit = trace_unit_ns(t), base = t->ops[cells[0].op].start_ns;
    for (uint32_t i = 0; i < n; i++) {
        const TraceOp *op = &t->ops[cells[i].op];
        uint64_t end = op->end_ns != TRACE_OPEN_NS ? op->end_ns : t->last_ns;
        cells[i].row = (op->start_ns - base) / unit;
        /* what reaches into the next unit by less than 1% of it is not shown there */
        cells[i].end_row =
            end > base + unit / 100 ? (end - base - unit / 100 + unit - 1) / unit : 0;
        if (cells[i].end_row <= cells[i].row) cells[i].end_row = cells[i].row + 1;
    }
}

typedef struct Ending {
    uint64_t end_ns;
    uint32_t engine, depth;
    uint32_t stream; /* of a graph's node: its stream gets there when the node ends */
} Ending;

static void sift(Ending *heap, uint32_t n)
{
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && heap[child + 1].end_ns < heap[child].end_ns) child++;
        if (heap[i].end_ns <= heap[child].end_ns) break;
        Ending swap = heap[i];
        heap[i] = heap[child];
        heap[child] = swap;
    }
}

/* A measured trace: the row is the depth in the partial order of stream order, engine order and the
 * waits that the trace names. cells are in order of start. False when out of memory. */
static bool rows_by_depth(const Trace *t, Cell *cells, uint32_t n)
{
    /* depths are 1 and up; 0: nothing there. engine_depth: the deepest that has ended on this
     * engine so far */
    uint32_t *stream_depth = calloc((size_t)t->n_streams + 1, sizeof *stream_depth);
    uint32_t *engine_depth = calloc((size_t)t->n_engines + 1, sizeof *engine_depth);
    uint32_t *op_depth = calloc((size_t)t->n_ops + 1, sizeof *op_depth);
    Ending *running = malloc(((size_t)n + 1) * sizeof *running); /* a heap by end */
    uint32_t n_running = 0;
    bool ok = stream_depth && engine_depth && op_depth && running;
    for (uint32_t i = 0; ok && i < n; i++) {
        const TraceOp *op = &t->ops[cells[i].op];
        while (n_running > 0 && running[0].end_ns <= op->start_ns) {
            if (running[0].depth > engine_depth[running[0].engine])
                engine_depth[running[0].engine] = running[0].depth;
            if (running[0].stream && running[0].depth > stream_depth[running[0].stream])
                stream_depth[running[0].stream] = running[0].depth;
            running[0] = running[--n_running];
            sift(running, n_running);
        }
        uint32_t depth = op->stream ? stream_depth[op->stream] : 0;
        if (op->engine && engine_depth[op->engine] > depth) depth = engine_depth[op->engine];
        for (uint32_t c = 0; c < op->n_causes; c++) {
            uint32_t by = t->causes[op->first_cause + c].by_op;
            if (t->ops[by].end_ns <= op->start_ns && op_depth[by] > depth) depth = op_depth[by];
        }
        cells[i].row = depth++;
        cells[i].end_row = depth;
        bool quick = op->kind == TRACE_HOSTFN && op->end_ns - op->start_ns < trace_unit_ns(t) / 4;
        if (quick) depth--;
        op_depth[cells[i].op] = depth;
        if (!op->launch) stream_depth[op->stream] = depth;
        Ending ending = {op->end_ns, op->engine, depth, op->launch ? op->stream : 0};
        uint32_t at = n_running++;
        for (uint32_t up; at > 0 && running[up = (at - 1) / 2].end_ns > ending.end_ns; at = up) {
            running[at] = running[up];
        }
        running[at] = ending;
    }
    free(stream_depth);
    free(engine_depth);
    free(op_depth);
    free(running);
    return ok;
}

static void write_cell(FILE *out, const Labels *labels, uint32_t op, bool continues, int columns)
{
    char label[LABEL];
    if (continues) snprintf(label, sizeof label, "|");
    else labels_op(labels, op, label, sizeof label);
    int blanks = columns - glyphs_columns(label);
    fprintf(out, " [%s%*s]", label, blanks > 0 ? blanks : 0, "");
}

/* When the operations that start in a row ran, counted from the schedule's first start. */
static void write_row_times(FILE *out, const Trace *t, const Cell *cells, uint32_t n,
                            uint64_t base_ns)
{
    uint64_t start_ns = TRACE_OPEN_NS, end_ns = 0;
    for (uint32_t i = 0; i < n; i++) {
        const TraceOp *op = &t->ops[cells[i].op];
        uint64_t end = op->end_ns != TRACE_OPEN_NS ? op->end_ns : t->last_ns;
        if (op->start_ns < start_ns) start_ns = op->start_ns;
        if (end > end_ns) end_ns = end;
    }
    fprintf(out, "\t%.2f - %.2f ms", (double)(start_ns - base_ns) / 1e6,
            (double)(end_ns - base_ns) / 1e6);
}

static void write_cells(FILE *out, const Trace *t, const Labels *labels, Cell *cells, uint32_t n,
                        bool times)
{
    char label[LABEL];
    int columns = 0;
    for (uint32_t i = 0; i < n; i++) {
        int c = glyphs_columns(labels_op(labels, cells[i].op, label, sizeof label));
        if (c > columns) columns = c;
    }
    Cell running[MOST_RUNNING], row[MOST_RUNNING];
    uint32_t n_running = 0, next = 0;
    uint64_t base_ns = TRACE_OPEN_NS;
    for (uint32_t i = 0; i < n; i++) {
        if (t->ops[cells[i].op].start_ns < base_ns) base_ns = t->ops[cells[i].op].start_ns;
    }
    while (next < n) {
        /* a row in which something starts: what goes on and what starts, by batch */
        uint64_t now = cells[next].row, change = UINT64_MAX;
        uint32_t old = 0;
        memcpy(row, running, sizeof row);
        fprintf(out, "t=%llu:", (unsigned long long)now);
        uint32_t first = next;
        while (next < n && cells[next].row == now) {
            while (old < n_running && compare_in_row(&row[old], &cells[next]) < 0) {
                write_cell(out, labels, row[old++].op, true, columns);
            }
            write_cell(out, labels, cells[next++].op, false, columns);
        }
        while (old < n_running) write_cell(out, labels, row[old++].op, true, columns);
        if (times) write_row_times(out, t, cells + first, next - first, base_ns);
        fputc('\n', out);
        for (uint32_t i = first; i < next && n_running < MOST_RUNNING; i++)
            running[n_running++] = cells[i];
        qsort(running, n_running, sizeof *running, compare_in_row);
        /* the rows until the next start, those that are alike as one line */
        for (uint64_t at = now + 1;; at = change) {
            uint32_t left = 0;
            change = next < n ? cells[next].row : UINT64_MAX;
            for (uint32_t i = 0; i < n_running; i++) {
                if (running[i].end_row <= at) continue;
                running[left++] = running[i];
                if (running[left - 1].end_row < change) change = running[left - 1].end_row;
            }
            n_running = left;
            if (at >= change || change == UINT64_MAX) break;
            fprintf(out, "t=%llu", (unsigned long long)at);
            if (change - at > 1) fprintf(out, "..%llu", (unsigned long long)(change - 1));
            fputc(':', out);
            for (uint32_t i = 0; i < n_running; i++)
                write_cell(out, labels, running[i].op, true, columns);
            fputs(n_running ? "\n" : " (idle)\n", out);
        }
    }
}

static bool write_all_cells(FILE *out, const Trace *t, const Labels *labels, bool times)
{
    uint32_t n, started = 0;
    const uint32_t *order = labels_order(labels, &n);
    while (started < n && t->ops[order[started]].start_ns != TRACE_OPEN_NS) started++;
    Cell *cells = malloc(((size_t)started + 1) * sizeof *cells);
    if (!cells) return false;
    for (uint32_t i = 0; i < started; i++) {
        Cell cell = {0,
                     0,
                     labels_number(labels, order[i]) + 1,
                     t->ops[order[i]].stream,
                     order[i],
                     t->ops[order[i]].name};
        cells[i] = cell;
    }
    bool ok = true;
    if (started && trace_exact(t)) rows_by_time(t, cells, started);
    else if (started) ok = rows_by_depth(t, cells, started);
    if (ok) {
        qsort(cells, started, sizeof *cells, compare_cells);
        write_cells(out, t, labels, cells, started, times);
        if (started < n) {
            fputs("never started:", out);
            for (uint32_t i = started; i < n; i++) write_cell(out, labels, order[i], false, 0);
            fputc('\n', out);
        } else if (n == 0) {
            fputs("(nothing ran)\n", out);
        }
    }
    free(cells);
    return ok;
}

/* ---- a line of glyphs with colours ---- */

/* What a span is, by which it is coloured; its label and row say the same in words. A kind of the
 * palette, plus one. */
typedef unsigned char Tone;
enum { TONE_NONE, TONE_DIM = PALETTE_KINDS + 1, TONES };

/* A colour as 256 or 8 colours have it, and what is written on it. */
static int tone_shade(Tone tone, int colors)
{
    enum { DIM = 243, WHITE = 7 };
    if (tone == TONE_DIM) return colors >= 256 ? DIM : WHITE;
    return colors >= 256 ? palette[tone - 1].of_256 : palette[tone - 1].of_8;
}

static int tone_ink(Tone tone, int colors)
{
    if (tone == TONE_DIM) return 0;
    return colors >= 256 ? palette[tone - 1].ink_256 : palette[tone - 1].ink_8;
}

typedef struct Style {
    Tone fg, bg;
    bool reverse, ink; /* ink: of bg's */
} Style;

typedef struct Glyph {
    char bytes[12];
    Style style;
    bool tail;
} Glyph; /* tail: the right half of a wide one */

typedef struct Paper {
    int width, colors;
    bool utf8;
    Glyph glyphs[MOST_WIDTH];
} Paper;

static void wipe(Paper *p)
{
    for (int i = 0; i < p->width; i++) p->glyphs[i] = (Glyph){.bytes = " "};
}

static void put(Paper *p, int column, const char *bytes, Style style)
{
    if (column < 0 || column >= p->width) return;
    snprintf(p->glyphs[column].bytes, sizeof p->glyphs[column].bytes, "%s", bytes);
    p->glyphs[column].style = style;
    p->glyphs[column].tail = false;
}

/* Writes text, already fitted, over what is there; with keep its background stays. */
static void put_text(Paper *p, int column, const char *text, Style style)
{
    while (*text) {
        uint32_t code;
        int columns;
        char bytes[8];
        size_t length = glyphs_next(text, &code, &columns);
        memcpy(bytes, text, length);
        bytes[length] = '\0';
        text += length;
        if (columns == 0) continue;
        if (column + columns > p->width) return;
        put(p, column, bytes, style);
        if (columns == 2) {
            put(p, column + 1, "", style);
            p->glyphs[column + 1].tail = true;
        }
        column += columns;
    }
}

static bool same_style(Style a, Style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.reverse == b.reverse && a.ink == b.ink;
}

static void write_style(FILE *out, const Paper *p, Style s)
{
    int front = s.ink && s.bg ? tone_ink(s.bg, p->colors)
                : s.fg        ? tone_shade(s.fg, p->colors)
                              : -1,
        back = s.bg ? tone_shade(s.bg, p->colors) : -1;
    const char *form = p->colors >= 256 ? ";%d8;5;%d" : ";%d%d";

    fputs("\x1b[0", out);
    if (s.reverse) fputs(";7", out);
    if (front >= 0) fprintf(out, form, 3, front);
    if (back >= 0) fprintf(out, form, 4, back);
    fputc('m', out);
}

static bool is_blank(const Glyph *g)
{
    static const Style none;
    return strcmp(g->bytes, " ") == 0 && same_style(g->style, none);
}

static void write_paper(FILE *out, const Paper *p)
{
    int last = p->width;
    static const Style none;
    while (last > 0 && is_blank(&p->glyphs[last - 1])) last--;
    Style now = none;
    for (int i = 0; i < last; i++) {
        if (p->glyphs[i].tail) continue;
        if (p->colors && !same_style(now, p->glyphs[i].style)) {
            now = p->glyphs[i].style;
            if (same_style(now, none)) fputs("\x1b[0m", out);
            else write_style(out, p, now);
        }
        fputs(p->glyphs[i].bytes, out);
    }
    if (!same_style(now, none)) fputs("\x1b[0m", out);
    fputc('\n', out);
}

/* ---- lanes ---- */

static Tone tone_of(const Trace *t, const LayoutItem *item)
{
    return (Tone)(palette_of_item(t, item) + 1);
}

static const char *const left_blocks[9] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* A column that one item covers from one eighth to another. after: the column before it belongs to
 * another item, of the same colour: a thin line keeps them apart, always as thin. */
static void draw_piece(Paper *p, int column, Tone tone, int from, int to, bool after)
{
    Style on = {.bg = tone, .ink = true}, in = {.fg = tone};
    if (p->colors && from == 0 && to == 8) {
        put(p, column, !after ? " " : p->utf8 ? "▏" : "|", on);
    } else if (!p->utf8) {
        if (p->colors && to - from >= 4) put(p, column, " ", on);
        else put(p, column, "|", in);
    } else if (from == 0 && to == 8) {
        put(p, column, after ? "▐" : "█", in);
    } else if (from == 0) {
        put(p, column, left_blocks[to], in);
    } else if (to == 8 && p->colors) {
        in.reverse = true;
        put(p, column, left_blocks[from], in);
    } else if (to == 8) {
        put(p, column, from <= 2 ? "█" : from <= 5 ? "▐" : "▕", in);
    } else {
        put(p, column, to <= 4 ? left_blocks[to - from] : from >= 4 ? "▕" : "│", in);
    }
}

/* Where one item ends in the column and the next begins (UTF-8 only: ASCII has no such columns). */
static void draw_border(Paper *p, int column, const LayoutCell *cell, Tone left, Tone right)
{
    Style in = {.fg = left};
    bool touch = cell->last_from <= cell->first_to + 1;
    if (p->colors && touch && left == right) {
        put(p, column, cell->first_to >= 4 ? "▕" : "▏", (Style){.bg = right, .ink = true});
        return;
    }
    if (p->colors && touch) in.bg = right;
    put(p, column,
        left_blocks[p->colors            ? cell->first_to
                    : cell->first_to > 6 ? 6
                                         : cell->first_to],
        in);
}

static void draw_density(Paper *p, int column, Tone tone, int covered)
{
    static const char *const blocks[3] = {"░", "▒", "▓"}, *const ascii[3] = {".", ":", "%"};
    int level = covered <= 2 ? 0 : covered <= 5 ? 1 : 2;
    Style in = {.fg = tone};
    put(p, column, p->utf8 ? blocks[level] : ascii[level], in);
}

/* The label of an item that alone covers columns first..last of the paper, as much of it as
 * fits. */
static void draw_label(Paper *p, const Trace *t, const Labels *labels, const LayoutItem *item,
                       int first, int last, bool letters)
{
    char label[LABEL], fitted[LABEL];
    int room = last - first + 1;
    Tone tone = tone_of(t, item);
    Style style = {.bg = tone, .ink = true};
    layout_label(t, labels, item, label, sizeof label);
    if (!p->colors) style = (Style){0};
    if (room <= 0) return;
    int columns = glyphs_columns(label);
    if (columns > room) {
        uint32_t number = item->what == LAYOUT_OP ? labels_number(labels, item->id) : LABELS_NONE;
        bool generic = item->what == LAYOUT_OP && (!t->ops[item->id].name[0] || label[0] == 'K');
        char digits[16] = "";
        if (number != LABELS_NONE && !letters) snprintf(digits, sizeof digits, "%u", number);
        if (digits[0] && (int)strlen(digits) <= room && generic)
            snprintf(label, sizeof label, "%s", digits);
        else if (room < 3)
            label[letters && label[0] > ' ' && (signed char)label[0] > 0 ? 1 : 0] = '\0';
        columns = glyphs_columns(label);
    }
    columns = glyphs_fit(label, columns < room ? columns : room, p->utf8, fitted, sizeof fitted);
    put_text(p, first + (room - columns) / 2, fitted, style);
}

/* Whether column c begins with an item while the column before it is full of another. */
static bool is_edge(const LayoutCell *cells, int c)
{
    return c > 0 && cells[c - 1].count == 1 && cells[c - 1].last != cells[c].first &&
           cells[c - 1].last_to == 8;
}

static bool same_tone_before(const Trace *t, const LayoutRow *row, const LayoutCell *cells, int c)
{
    return tone_of(t, &row->items[cells[c - 1].last]) == tone_of(t, &row->items[cells[c].first]);
}

/* Whether column c is where one item ends and another begins, both of which show in the columns
 * beside it. */
static bool is_border(const LayoutRow *row, const LayoutCell *cells, int c, int n)
{
    return cells[c].count == 2 && !row->stacked && cells[c].first_from == 0 &&
           cells[c].last_to == 8 && c > 0 && c + 1 < n && cells[c - 1].count == 1 &&
           cells[c - 1].last == cells[c].first && cells[c + 1].count == 1 &&
           cells[c + 1].first == cells[c].last;
}

/* ASCII has no parts of columns: each is given to the item that covers most of it. What shows
 * nowhere else stays. */
static void round_cells(const LayoutRow *row, LayoutCell *cells, int n)
{
    for (int c = 0; c < n; c++) {
        LayoutCell *cell = &cells[c];
        if (is_border(row, cells, c, n)) {
            cell->count = 1;
            if (cell->first_to >= 4) cell->last = cell->first;
            else cell->first = cell->last;
            cell->first_from = cell->last_from = 0;
            cell->first_to = cell->last_to = 8;
        } else if (cell->count == 1 && cell->first_to - cell->first_from < 8) {
            bool before = c > 0 && cells[c - 1].count == 1 && cells[c - 1].last == cell->first;
            bool after = c + 1 < n && cells[c + 1].count == 1 && cells[c + 1].first == cell->first;
            if (cell->first_to - cell->first_from >= 4 && (before || after)) {
                cell->first_from = cell->last_from = 0;
                cell->first_to = cell->last_to = 8;
            } else if (before || after) {
                cell->count = 0;
            }
        }
    }
}

/* Draws a row's items into columns left..left + n of the paper. Returns whether a column held
 * several. */
static bool draw_row(Paper *p, const Trace *t, const Labels *labels, const LayoutRow *row,
                     LayoutCell *cells, int left, int n, bool letters)
{
    bool dense = false;
    if (!p->utf8) round_cells(row, cells, n);
    for (int c = 0; c < n; c++) {
        const LayoutCell *cell = &cells[c];
        if (cell->count == 0) continue;
        Tone first = tone_of(t, &row->items[cell->first]),
             last = tone_of(t, &row->items[cell->last]);
        if (cell->count == 1) {
            draw_piece(p, left + c, first, cell->first_from, cell->first_to,
                       is_edge(cells, c) && (!p->colors || same_tone_before(t, row, cells, c)));
        } else if (is_border(row, cells, c, n)) {
            draw_border(p, left + c, cell, first, last);
        } else {
            draw_density(p, left + c, first, cell->covered);
            dense = true;
        }
    }
    /* labels, and in ASCII the shape of the spans: [H2D0===] */
    for (int c = 0; c < n; c++) {
        if (cells[c].count != 1 || cells[c].first_from != 0 || cells[c].first_to != 8) continue;
        uint32_t item = cells[c].first;
        int from = c;
        while (c + 1 < n && cells[c + 1].count == 1 && cells[c + 1].first == item &&
               cells[c + 1].first_to == 8)
            c++;
        int to = c;
        if (!p->colors && !p->utf8) {
            bool begins = from == 0 || cells[from - 1].count == 0 || cells[from - 1].last != item;
            bool ends = to + 1 >= n || cells[to + 1].count == 0 || cells[to + 1].first != item;
            Style none = {0};
            for (int i = from; i <= to; i++) put(p, left + i, "=", none);
            if (begins) put(p, left + from, to == from ? "|" : "[", none);
            if (ends && to > from) put(p, left + to, "]", none);
            from += begins;
            to -= ends;
        } else if (is_edge(cells, from) &&
                   (!p->colors || (to > from && same_tone_before(t, row, cells, from)))) {
            from++;
        }
        draw_label(p, t, labels, &row->items[item], left + from, left + to, letters);
    }
    return dense;
}

static void draw_ruler(FILE *out, Paper *p, const Trace *t, const Layout *layout, int left, int n)
{
    uint64_t span = layout->end_ns > layout->start_ns ? layout->end_ns - layout->start_ns : 1;
    double unit = (double)trace_unit_ns(t);
    int digits;
    char number[64], name[64];
    double step = layout_step(span, trace_unit_ns(t), (uint32_t)n, 7, &digits);
    Style dim = {.fg = TONE_DIM};
    Paper *marks = malloc(sizeof *marks);
    if (!marks) return;
    *marks = *p;
    wipe(p);
    wipe(marks);
    for (int c = 0; c < n; c++) put(marks, left + c, p->utf8 ? "─" : "-", dim);
    glyphs_fit(trace_unit_name(t), left - 1, p->utf8, name, sizeof name);
    put_text(p, 0, name, dim);
    int free_from = left;
    for (double k = 0; k * step * unit <= (double)span * 1.0000001 && k <= n; k++) {
        /* the column that holds the moment, or in ASCII the nearest, where the spans are rounded to
         * as well */
        int column = (int)(k * step * unit / (double)span * n + (p->utf8 ? 1e-6 : 0.5));
        if (column >= n) column = n - 1;
        put(marks, left + column,
            !p->utf8          ? "+"
            : column == 0     ? "├"
            : column == n - 1 ? "┤"
                              : "┼",
            dim);
        int columns = snprintf(number, sizeof number, "%.*f", digits, k * step);
        int at = left + column;
        if (at + columns > p->width) at = p->width - columns;
        if (at < free_from) continue;
        put_text(p, at, number, dim);
        free_from = at + columns + 1;
    }
    write_paper(out, marks);
    write_paper(out, p);
    free(marks);
}

/* A line of plain text, cut to the width. */
static void write_text(FILE *out, const Paper *p, const char *text)
{
    char fitted[4 * MOST_WIDTH + 8];
    glyphs_fit(text, p->width, p->utf8, fitted, sizeof fitted);
    fprintf(out, "%s\n", fitted);
}

static void write_not_started(FILE *out, const Paper *p, const Trace *t, const Labels *labels,
                              uint32_t left)
{
    uint32_t n;
    const uint32_t *order = labels_order(labels, &n);
    char text[4 * MOST_WIDTH + LABEL], label[LABEL];
    size_t length = (size_t)snprintf(text, sizeof text, "not started (%u):", left);
    for (uint32_t i = n - left; i < n && length < (size_t)p->width; i++) {
        if (t->ops[order[i]].start_ns != TRACE_OPEN_NS) continue;
        length += (size_t)snprintf(text + length, sizeof text - length, " %s",
                                   labels_op(labels, order[i], label, sizeof label));
    }
    write_text(out, p, text);
}

/* For terminals too narrow for lanes: a line per operation. */
static void write_list(FILE *out, const Paper *p, const Trace *t, const Labels *labels,
                       const Layout *layout)
{
    uint32_t n;
    const uint32_t *order = labels_order(labels, &n);
    for (uint32_t i = 0; i < n; i++) {
        const TraceOp *op = &t->ops[order[i]];
        char label[LABEL], from[64] = "?", to[64] = "?", text[2 * LABEL];
        labels_op(labels, order[i], label, sizeof label);
        double unit = (double)trace_unit_ns(t),
               start = (double)(op->start_ns - layout->start_ns) / unit;
        double end = (double)(op->end_ns - layout->start_ns) / unit;
        if (op->start_ns != TRACE_OPEN_NS) snprintf(from, sizeof from, "%.4g", start);
        if (op->end_ns != TRACE_OPEN_NS) snprintf(to, sizeof to, "%.4g", end);
        snprintf(text, sizeof text, "%s %s-%s", label, from, to);
        write_text(out, p, text);
    }
    if (n == 0) write_text(out, p, "(nothing ran)");
}

static bool write_lanes(FILE *out, const Trace *t, const Labels *labels,
                        const ScheduleOptions *options)
{
    Layout *layout = layout_new(t, labels, options->by_stream);
    Paper *paper = malloc(sizeof *paper);
    LayoutCell *cells = malloc(MOST_WIDTH * sizeof *cells);
    bool ok = layout && paper && cells;
    if (ok) {
        if (layout->end_ns - layout->start_ns < options->least_ns)
            layout->end_ns = layout->start_ns + options->least_ns;
        paper->width = width_of(options);
        paper->colors = options->colors;
        paper->utf8 = options->utf8;
        int left = 0;
        for (uint32_t i = 0; i < layout->n_rows; i++) {
            int columns = glyphs_columns(layout->rows[i].title);
            if (columns > left) left = columns;
        }
        int unit_columns = glyphs_columns(trace_unit_name(t));
        if (unit_columns > left) left = unit_columns < 12 ? unit_columns : 12;
        if (left > 14) left = 14;
        left++;
        int plot = paper->width - left;
        if (paper->width < 20 || plot < LEAST_PLOT) {
            write_list(out, paper, t, labels, layout);
        } else if (layout->n_rows == 0 && layout->n_not_started == 0) {
            write_text(out, paper, "(nothing ran)");
        } else {
            bool dense = false;
            for (uint32_t i = 0; i < layout->n_rows; i++) {
                const LayoutRow *row = &layout->rows[i];
                char title[LABEL];
                Style none = {0};
                wipe(paper);
                glyphs_fit(row->title, left - 1, paper->utf8, title, sizeof title);
                put_text(paper, 0, title, none);
                layout_cells(row, layout->start_ns, layout->end_ns, (uint32_t)plot, cells);
                dense |= draw_row(paper, t, labels, row, cells, left, plot, options->by_stream);
                write_paper(out, paper);
            }
            if (layout->n_rows > 0) draw_ruler(out, paper, t, layout, left, plot);
            if (dense) {
                char legend[128];
                snprintf(legend, sizeof legend,
                         "%s several operations in one column: little, half, fully busy",
                         paper->utf8 ? "░▒▓" : ".:%");
                write_text(out, paper, legend);
            }
            if (trace_meta(t, "estimates"))
                write_text(out, paper,
                           "How long some kernels last is an estimate: no clock told it.");
            if (layout->n_not_started)
                write_not_started(out, paper, t, labels, layout->n_not_started);
        }
    }
    free(cells);
    free(paper);
    layout_free(layout);
    return ok;
}

int schedule_write(FILE *out, const Trace *t, ScheduleForm form, const ScheduleOptions *options)
{
    Labels *labels = labels_new(t, options->range);
    bool ok = labels;
    if (ok && form == SCHEDULE_LINE) write_line(out, t, labels, options->most);
    else if (ok && form == SCHEDULE_CELLS) ok = write_all_cells(out, t, labels, options->times);
    else if (ok) ok = write_lanes(out, t, labels, options);
    labels_free(labels);
    return ok && !ferror(out) ? 0 : -1;
}

/* ---- reasons ---- */

/* Writes text after an indent that is already there, wrapped at blanks. */
static void write_wrapped(FILE *out, const char *text, int indent, int width)
{
    int column = indent, room = width - indent < 8 ? 8 : width - indent;
    while (*text) {
        const char *end = text, *blank = NULL;
        int columns = 0;
        while (*end) {
            uint32_t code;
            int c;
            size_t bytes = glyphs_next(end, &code, &c);
            if (columns + c > room) break;
            if (code == ' ') blank = end;
            columns += c;
            end += bytes;
        }
        if (*end && *end != ' ' && blank && blank > text) end = blank;
        fprintf(out, "%*s%.*s\n", indent - column, "", (int)(end - text), text);
        column = 0;
        text = end;
        while (*text == ' ') text++;
    }
}

int schedule_write_waits(FILE *out, const Trace *t, const ScheduleOptions *options, uint32_t most)
{
    Labels *labels = labels_new(t, options->range);
    if (!labels) return -1;
    uint32_t n;
    const uint32_t *order = labels_order(labels, &n);
    uint32_t shown = most && most < n ? most : n;
    uint64_t base = n && t->ops[order[0]].start_ns != TRACE_OPEN_NS ? t->ops[order[0]].start_ns : 0;
    int width = width_of(options);
    for (uint32_t i = 0; i < shown; i++) {
        const TraceOp *op = &t->ops[order[i]];
        double unit = (double)trace_unit_ns(t);
        char text[2048], from[32] = "?", to[32] = "?";
        if (op->start_ns != TRACE_OPEN_NS)
            snprintf(from, sizeof from, "%.2f", (double)(op->start_ns - base) / unit);
        if (op->end_ns != TRACE_OPEN_NS)
            snprintf(to, sizeof to, "%.2f", (double)(op->end_ns - base) / unit);
        analysis_explain_with(t, labels, order[i], text, sizeof text);
        int indent = width >= 40 ? fprintf(out, "%7s - %-7s ", from, to) : 0;
        if (indent > 0 && options->streams) {
            char stream[128];
            labels_stream(labels, op->stream, stream, sizeof stream);
            stream[strcspn(stream, "(")] = '\0';
            indent += fprintf(out, "%-10.40s ", stream);
        }
        write_wrapped(out, text, indent > 0 ? indent : 0, width);
    }
    if (shown < n) fprintf(out, "and %u more\n", n - shown);
    labels_free(labels);
    return ferror(out) ? -1 : 0;
}

char *schedule_cells(const Trace *t, uint32_t range, size_t *length)
{
    char *text = NULL;
    const ScheduleOptions options = {.range = range, .utf8 = true};
    FILE *to = open_memstream(&text, length);
    bool fine = to && schedule_write(to, t, SCHEDULE_CELLS, &options) == 0;

    if (to && fclose(to) != 0) fine = false;
    if (fine) return text;
    free(text);
    return NULL;
}
