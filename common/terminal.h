/* terminal.h - what the output can show, and writing for it: width, colours, characters. */
#ifndef THREELANE_TERMINAL_H
#define THREELANE_TERMINAL_H
#include <stdbool.h>
#include <stdio.h>

typedef enum ColorChoice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;
typedef enum Style {
    STYLE_PLAIN,
    STYLE_BOLD,
    STYLE_DIM,
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_CARE,
    STYLES
} Style;

typedef struct Terminal {
    FILE *out;
    int width;  /* at least 10 */
    int colors; /* 0, 8 or 256 */
    bool utf8, is_terminal;
} Terminal;

/* width 0: the window's, else COLUMNS, else 80. Colours: only on a terminal that has them, and not
 * with NO_COLOR or TERM=dumb, unless told. Call setlocale before. */
Terminal terminal_open(FILE *out, ColorChoice, int width, bool ascii);

/* Writes text safely (control characters become visible) in a style, without a line feed of its
 * own. */
void terminal_text(const Terminal *, Style, const char *text);
void terminal_printf(const Terminal *, Style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes words wrapped to the width: the first line begins at column `column` (already written),
 * the others are indented. Ends the line. Words longer than a line are broken. */
void terminal_wrap(const Terminal *, Style, int column, int indent, const char *text);
/* A heading: a line of its own with a rule to the width. */
void terminal_heading(const Terminal *, const char *text);
#endif
