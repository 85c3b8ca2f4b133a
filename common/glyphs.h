/* glyphs.h - text from programs, made safe (utf8.h) and measured for a terminal or a picture.
 *
 * Nothing here looks at the locale. What cannot be shown becomes '?', one column wide. */
#ifndef THREELANE_GLYPHS_H
#define THREELANE_GLYPHS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the character at text (not at its end): returns its bytes (1..4), its code point ('?'
 * when it cannot be shown) and its width in columns (0, 1 or 2). */
size_t glyphs_next(const char *text, uint32_t *code, int *columns);

/* Columns that text takes once made safe. */
int glyphs_columns(const char *text);

/* Copies text, made safe, cut to at most so many columns (a cut is marked by a last "~" or, with
 * utf8, an ellipsis) and to out_size. Without utf8 the result is ASCII. Returns the columns it
 * takes; out always ends in NUL. */
int glyphs_fit(const char *text, int columns, bool utf8, char *out, size_t out_size);
#endif
