/* text.h - a growable run of bytes (kept zero-terminated) and a growable list of arguments.
 * Both are valid when zeroed. Running out of memory ends the program with a message: a compiler driver has nothing
 * better to do. */
#ifndef THREELANE_TLCC_TEXT_H
#define THREELANE_TLCC_TEXT_H
#include <stdbool.h>
#include <stddef.h>

typedef struct Text {
    char *data;                       /* NULL while empty */
    size_t size, room;
} Text;

void text_add(Text *, const char *bytes, size_t size);
void text_add_string(Text *, const char *string);
void text_add_char(Text *, char);
void text_add_spaces(Text *, size_t count);
void text_format(Text *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_release(Text *);

typedef struct Args {
    char **item;                      /* NULL-terminated once anything was added; the strings are owned */
    int count, room;
} Args;

void args_add(Args *, const char *string);
void args_add_all(Args *, const Args *);
void args_format(Args *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void args_release(Args *);

/* Memory that is there, or the end of the program. */
void *must_alloc(size_t size);
void *must_resize(void *, size_t size);
char *must_copy(const char *string);
#endif
