/* messages.h - what compilers and linkers say, which is only text: what we need to know of it is
 * found here, nowhere else. */
#ifndef THREELANE_MESSAGES_H
#define THREELANE_MESSAGES_H
#include <stdbool.h>

/* The first function that is called and nowhere to be found; NULL when the linker missed none. The
 * caller frees. */
char *messages_undefined(const char *messages);
/* They failed because there is no room left to write to. */
bool messages_disk_full(const char *messages);
/* What helps against the first error, where it is one that everybody makes once and that the
 * compiler says in words of its own; NULL: it speaks for itself. */
const char *messages_hint(const char *messages);
/* A line that names an error: others are warnings, notes, source lines and marks below them. */
bool messages_is_error(const char *line);
#endif
