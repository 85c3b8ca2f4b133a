#include "timeline/pictures/canvas.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/glyphs.h"

enum { MOST = 1000 };

static int between(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static CanvasCell *cell_at(const Canvas *c, int x, int y)
{
    return &c->cells[(size_t)y * (size_t)c->columns + (size_t)x];
}

static void blank(CanvasCell *cell)
{
    memset(cell, 0, sizeof *cell);
    cell->text[0] = ' ';
}

void canvas_clear(Canvas *c)
{
    for (size_t i = 0; i < (size_t)c->columns * (size_t)c->rows; i++) blank(&c->cells[i]);
}

bool canvas_resize(Canvas *c, int columns, int rows)
{
    columns = between(columns, 1, MOST);
    rows = between(rows, 1, MOST);
    CanvasCell *cells = malloc((size_t)columns * (size_t)rows * sizeof *cells);
    if (!cells) return false;
    free(c->cells);
    c->cells = cells;
    c->columns = columns;
    c->rows = rows;
    canvas_unclip(c);
    canvas_clear(c);
    return true;
}

bool canvas_init(Canvas *c, int columns, int rows, bool utf8)
{
    *c = (Canvas){.utf8 = utf8};
    return canvas_resize(c, columns, rows);
}

void canvas_release(Canvas *c)
{
    free(c->cells);
    *c = (Canvas){0};
}

void canvas_clip(Canvas *c, CanvasBox box)
{
    int right = between(box.x + box.columns, 0, c->columns),
        bottom = between(box.y + box.rows, 0, c->rows);
    box.x = between(box.x, 0, c->columns);
    box.y = between(box.y, 0, c->rows);
    box.columns = right > box.x ? right - box.x : 0;
    box.rows = bottom > box.y ? bottom - box.y : 0;
    c->clip = box;
}

void canvas_unclip(Canvas *c) { c->clip = (CanvasBox){0, 0, c->columns, c->rows}; }

static bool inside(const Canvas *c, int x, int y)
{
    return x >= c->clip.x && y >= c->clip.y && x < c->clip.x + c->clip.columns &&
           y < c->clip.y + c->clip.rows;
}

/* A cell is about to be written: what would be left of a wide character becomes blank. */
static void cut_wide(Canvas *c, int x, int y)
{
    CanvasCell *cell = cell_at(c, x, y);
    if (!cell->text[0] && x > 0) {
        cell[-1].text[0] = ' ';
        cell[-1].text[1] = '\0';
    }
    if (x + 1 < c->columns && !cell[1].text[0]) cell[1].text[0] = ' ';
}

/* Puts a decoded character of one or two columns. */
static void put(Canvas *c, int x, int y, const char *bytes, size_t length, int columns,
                CanvasStyle style, CanvasStyle on)
{
    if (!inside(c, x, y)) return;
    if (columns == 2 && !inside(c, x + 1, y)) {
        bytes = " ";
        length = 1;
        columns = 1;
    }
    for (int i = 0; i < columns; i++) {
        cut_wide(c, x + i, y);
        CanvasCell *cell = cell_at(c, x + i, y);
        memset(cell->text, 0, sizeof cell->text);
        if (i == 0) memcpy(cell->text, bytes, length);
        cell->style = (uint8_t)style;
        cell->on = (uint8_t)on;
        cell->marks = 0;
    }
}

void canvas_put(Canvas *c, int x, int y, const char *glyph, CanvasStyle style, CanvasStyle on)
{
    uint32_t code;
    int columns;
    if (!*glyph) glyph = " ";
    size_t length = glyphs_next(glyph, &code, &columns);
    if (columns == 0 || code == '?' || (code >= 0x80 && !c->utf8)) {
        glyph = "?";
        length = 1;
        columns = 1;
    }
    put(c, x, y, glyph, length, columns, style, on);
}

void canvas_fill(Canvas *c, CanvasBox box, const char *glyph, CanvasStyle style, CanvasStyle on)
{
    int right = between(box.x + box.columns, 0, c->columns),
        bottom = between(box.y + box.rows, 0, c->rows);
    for (int y = between(box.y, 0, c->rows); y < bottom; y++) {
        for (int x = between(box.x, 0, c->columns); x < right; x++)
            canvas_put(c, x, y, glyph, style, on);
    }
}

int canvas_text_on(Canvas *c, int x, int y, int columns, CanvasStyle style, CanvasStyle on,
                   const char *text)
{
    char safe[4 * MOST];
    if (columns <= 0) return 0;
    int width = glyphs_fit(text, between(columns, 1, MOST), c->utf8, safe, sizeof safe), at = x;
    CanvasCell *last = NULL;
    for (const char *s = safe; *s;) {
        uint32_t code;
        int wide;
        size_t length = glyphs_next(s, &code, &wide);
        if (wide == 0) { /* joins the character before it */
            size_t used = last ? strlen(last->text) : 0;
            if (last && used && used + length < sizeof last->text)
                memcpy(last->text + used, s, length);
        } else {
            put(c, at, y, s, length, wide, style, on);
            last = inside(c, at, y) ? cell_at(c, at, y) : NULL;
            at += wide;
        }
        s += length;
    }
    return width;
}

int canvas_text(Canvas *c, int x, int y, int columns, CanvasStyle style, const char *text)
{
    return canvas_text_on(c, x, y, columns, style, CANVAS_PLAIN, text);
}

int canvas_printf(Canvas *c, int x, int y, int columns, CanvasStyle style, const char *format, ...)
{
    char text[4 * MOST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return canvas_text(c, x, y, columns, style, text);
}

int canvas_wrap(Canvas *c, CanvasBox box, int first, int indent, CanvasStyle style,
                const char *text)
{
    if (box.columns < 1) return 0;
    if (indent >= box.columns) indent = 0;
    int row = 0, at = 0;
    while (*text == ' ') text++;
    while (*text) {
        /* the next word, or as much of it as a line of its own takes */
        size_t length = 0;
        int width = 0, room = box.columns - (row ? indent : 0);
        while (text[length] && text[length] != ' ' && text[length] != '\n') {
            uint32_t code;
            int columns;
            size_t bytes = glyphs_next(text + length, &code, &columns);
            if (width + columns > room) break;
            width += columns;
            length += bytes;
        }
        int start = row ? indent : 0;
        if (at > start && at + 1 + width > box.columns) {
            row++;
            at = indent;
        } else if (at > start) {
            at++;
        } else {
            at = start;
        }
        if (length == 0 && width == 0 && text[0] != ' ' && text[0] != '\n')
            return row + 1; /* a wide one, no room */
        char word[4 * MOST];
        size_t kept = length < sizeof word - 1 ? length : sizeof word - 1;
        memcpy(word, text, kept);
        word[kept] = '\0';
        if (row >= first && row - first < box.rows) {
            canvas_text(c, box.x + at, box.y + row - first, box.columns - at, style, word);
        }
        at += width;
        text += length;
        if (*text && *text != ' ' && *text != '\n') { /* a word longer than the line goes on in the
                                                         next */
            row++;
            at = indent;
        }
        while (*text == ' ' || *text == '\n') {
            if (*text == '\n') {
                row++;
                at = indent;
            }
            text++;
        }
    }
    return row + 1;
}

void canvas_frame(Canvas *c, CanvasBox b, CanvasStyle style, const char *title)
{
    if (b.columns < 2 || b.rows < 2) return;
    const char *const *edge = c->utf8 ? (const char *const[]){"─", "│", "┌", "┐", "└", "┘"}
                                      : (const char *const[]){"-", "|", "+", "+", "+", "+"};
    int right = b.x + b.columns - 1, bottom = b.y + b.rows - 1;
    for (int x = b.x + 1; x < right; x++) {
        canvas_put(c, x, b.y, edge[0], style, CANVAS_PLAIN);
        canvas_put(c, x, bottom, edge[0], style, CANVAS_PLAIN);
    }
    for (int y = b.y + 1; y < bottom; y++) {
        canvas_put(c, b.x, y, edge[1], style, CANVAS_PLAIN);
        canvas_put(c, right, y, edge[1], style, CANVAS_PLAIN);
    }
    canvas_put(c, b.x, b.y, edge[2], style, CANVAS_PLAIN);
    canvas_put(c, right, b.y, edge[3], style, CANVAS_PLAIN);
    canvas_put(c, b.x, bottom, edge[4], style, CANVAS_PLAIN);
    canvas_put(c, right, bottom, edge[5], style, CANVAS_PLAIN);
    if (title && *title && b.columns > 6) {
        int width = canvas_text(c, b.x + 3, b.y, b.columns - 6, CANVAS_TITLE, title);
        canvas_put(c, b.x + 2, b.y, " ", style, CANVAS_PLAIN);
        canvas_put(c, b.x + 3 + width, b.y, " ", style, CANVAS_PLAIN);
    }
}

void canvas_restyle(Canvas *c, int x, int y, CanvasStyle style, CanvasStyle on)
{
    if (!inside(c, x, y)) return;
    cell_at(c, x, y)->style = (uint8_t)style;
    cell_at(c, x, y)->on = (uint8_t)on;
}

void canvas_mark(Canvas *c, int x, int y, CanvasMarks marks)
{
    if (inside(c, x, y)) cell_at(c, x, y)->marks |= (uint8_t)marks;
}

CanvasCell canvas_at(const Canvas *c, int x, int y)
{
    CanvasCell none;
    blank(&none);
    return x < 0 || y < 0 || x >= c->columns || y >= c->rows ? none : *cell_at(c, x, y);
}

int canvas_write(FILE *to, const Canvas *c, bool styles)
{
    static const char letters[] = ".dbgxctkr_HKDSCFRAGM[|pz%m";
    _Static_assert(sizeof letters - 1 == CANVAS_STYLES, "a letter for every style");
    for (int y = 0; y < c->rows; y++) {
        int end = c->columns, last = c->columns;
        while (end > 0 && !strcmp(cell_at(c, end - 1, y)->text, " ")) end--;
        for (int x = 0; x < end; x++) fputs(cell_at(c, x, y)->text, to);
        fputc('\n', to);
        if (!styles) continue;
        for (; last > 0; last--) {
            const CanvasCell *cell = cell_at(c, last - 1, y);
            if (cell->on || (cell->style && strcmp(cell->text, " ") != 0)) break;
        }
        for (int x = 0; x < last; x++) {
            const CanvasCell *cell = cell_at(c, x, y);
            bool nothing = !strcmp(cell->text, " ") && !cell->on;
            fputc(nothing ? ' ' : letters[cell->on ? cell->on : cell->style], to);
        }
        fputc('\n', to);
    }
    return ferror(to) ? -1 : 0;
}
