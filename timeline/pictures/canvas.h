/* canvas.h - a screen as data: a grid of cells that is drawn on without a terminal.
 *
 * A cell holds one character (with the marks that combine with it) in a style. Styles say what
 * something means, never a colour; screen.h knows what a terminal makes of them. Text from programs
 * may hold anything: it is made safe as in glyphs.h, so no control character ever gets into a cell.
 * What does not fit is cut, and drawing outside the canvas or outside the clip box does nothing. A
 * wide character takes two cells; writing over one half blanks the other.
 */
#ifndef THREELANE_CANVAS_H
#define THREELANE_CANVAS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum CanvasStyle {
    CANVAS_PLAIN,
    CANVAS_DIM,
    CANVAS_BOLD,
    CANVAS_GOOD,
    CANVAS_BAD,
    CANVAS_CARE, /* words */
    CANVAS_TITLE,
    CANVAS_KEY,
    CANVAS_RULER,
    CANVAS_LINK, /* the frame around a picture */
    CANVAS_H2D,
    CANVAS_KERNEL,
    CANVAS_D2H,
    CANVAS_MEMSET,
    CANVAS_COPY,
    CANVAS_HOSTFN, /* what a span is */
    CANVAS_RANGE,
    CANVAS_CALL,
    CANVAS_GRAPH,
    CANVAS_MIXED,
    CANVAS_SELECTED, /* the terminal's own colours, reversed */
    CANVAS_CURSOR,
    CANVAS_PATH,
    CANVAS_HAZARD,
    CANVAS_DIFFERS,
    CANVAS_MEASURE,
    CANVAS_STYLES
} CanvasStyle;

/* What is added to a style. */
typedef enum CanvasMarks { CANVAS_UNDERLINED = 1 } CanvasMarks;

enum { CANVAS_TEXT = 14 };

typedef struct CanvasCell {
    char text[CANVAS_TEXT]; /* UTF-8, ends in NUL; "" in the right half of a wide character */
    uint8_t style;          /* of the character */
    uint8_t on;             /* what it stands on: CANVAS_PLAIN is the terminal's own background */
    uint8_t marks;          /* CanvasMarks */
} CanvasCell;

typedef struct CanvasBox {
    int x, y, columns, rows;
} CanvasBox;

typedef struct Canvas {
    int columns, rows;
    bool utf8;         /* false: only ASCII is put into cells */
    CanvasBox clip;    /* drawing outside it does nothing */
    CanvasCell *cells; /* rows * columns, row by row */
} Canvas;

/* Columns and rows are brought between 1 and 1000. All cells are blank. False when out of
 * memory. */
bool canvas_init(Canvas *, int columns, int rows, bool utf8);
void canvas_release(Canvas *);
/* Another size; blank again. False when out of memory (the canvas is then as it was). */
bool canvas_resize(Canvas *, int columns, int rows);

/* Limits drawing to a box (cut to the canvas); canvas_unclip takes the limit away. */
void canvas_clip(Canvas *, CanvasBox);
void canvas_unclip(Canvas *);

void canvas_clear(Canvas *);
void canvas_fill(Canvas *, CanvasBox, const char *glyph, CanvasStyle style, CanvasStyle on);

/* One character (the first of glyph) at x, y. Without utf8, what is not ASCII becomes '?'. */
void canvas_put(Canvas *, int x, int y, const char *glyph, CanvasStyle style, CanvasStyle on);

/* Text cut to at most so many columns (a cut shows as an ellipsis or "~"). Returns the columns it
 * took. */
int canvas_text(Canvas *, int x, int y, int columns, CanvasStyle style, const char *text);
int canvas_text_on(Canvas *, int x, int y, int columns, CanvasStyle style, CanvasStyle on,
                   const char *text);
int canvas_printf(Canvas *, int x, int y, int columns, CanvasStyle style, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Words wrapped into the box from its row `first` on (rows before it are skipped: scrolling);
 * further lines are indented. Returns the rows that the whole text takes. */
int canvas_wrap(Canvas *, CanvasBox, int first, int indent, CanvasStyle style, const char *text);

/* A frame with a title on its upper edge. */
void canvas_frame(Canvas *, CanvasBox, CanvasStyle, const char *title);

/* Only how a cell is shown changes. */
void canvas_restyle(Canvas *, int x, int y, CanvasStyle style, CanvasStyle on);

/* Adds to how a cell is shown. */
void canvas_mark(Canvas *, int x, int y, CanvasMarks);

/* The cell at x, y; a blank one outside. */
CanvasCell canvas_at(const Canvas *, int x, int y);

/* The canvas as text, blanks at the ends of lines left out. With styles, each line is followed by
 * one in which a letter stands for every cell's style (tests compare both). 0, or -1 when the
 * stream reports an error. */
int canvas_write(FILE *, const Canvas *, bool styles);
#endif
