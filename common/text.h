/* text.h - growable text, files as text, and text that is safe to show.
 *
 * A Text starts as zeros, is always terminated, and is released with text_release. Functions that
 * allocate end the command with status 7 and one line when there is no memory left: a command-line
 * tool has nothing better to do. */
#ifndef THREELANE_TEXT_H
#define THREELANE_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Text {
    char *data;
    size_t length, room;
} Text;

void text_release(Text *);
void text_clear(Text *);
const char *text_string(const Text *); /* never NULL; valid until the next change */
void text_append(Text *, const void *bytes, size_t length);
void text_add(Text *, const char *string);
void text_printf(Text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *text_take(Text *); /* the caller frees; the Text is empty again */

void *memory_get(size_t count, size_t size); /* zeroed */
void *memory_grow(void *, size_t count, size_t size);
/* Ends the command in the same way when an array of `room` elements, of which so many are used,
 * takes no other one. */
void memory_room(size_t used, size_t room);
char *memory_copy(const char *string);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads a regular file of at most `most` bytes; 0, or an errno (EFBIG: larger, EISDIR, EINVAL: not
 * a regular file). */
int text_read_file(Text *, const char *path, size_t most);
/* Writes through a temporary file and a rename: readers see the old bytes or the new. 0 or an
 * errno. */
int text_write_file(const char *path, const void *bytes, size_t length);

/* Appends what may be shown on a terminal: control characters, bytes that are not UTF-8 and
 * characters that reorder text become \xHH (or ? with `ascii`, which lets only ASCII through); tabs
 * and line feeds stay. */
void text_add_shown(Text *, const char *bytes, size_t length, bool ascii);

/* Splits at a separator; blanks around the parts are removed. The array ends with NULL; free with
 * list_free. */
char **list_split(const char *string, char separator, size_t *count);
void list_free(char **list);
#endif
