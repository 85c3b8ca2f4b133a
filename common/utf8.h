/* utf8.h - text from programs, read character by character and made safe.
 *
 * Names come from the program under study and may hold anything. What cannot be shown (control
 * characters, what reorders a line, bytes that are not UTF-8) becomes '?'. Nothing here looks at
 * the locale, and nothing needs tables of a library: it is linked into every program that tlcc
 * builds. glyphs.h knows how wide characters are. */
#ifndef THREELANE_UTF8_H
#define THREELANE_UTF8_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_NONE UINT32_MAX

/* Decodes the character at text, of which `left` bytes (at least 1) are there: returns its bytes
 * (1..4) and its code point. Of bytes that are no character it takes one; the code is then
 * UTF8_NONE. */
size_t utf8_next(const char *text, size_t left, uint32_t *code);

/* True for a character that leaves what stands around it as it is: no control character, nothing
 * that reorders text. A page may hold it. */
bool utf8_harmless(uint32_t code);
/* True for one, besides, that takes the same room on every terminal: no joiner, nothing private. */
bool utf8_shown(uint32_t code);

/* Copies text, made safe, cut to out_size between characters; a cut is marked by an ellipsis where
 * that has room. Returns out, which always ends in NUL. */
char *utf8_safe(const char *text, char *out, size_t out_size);
#endif
