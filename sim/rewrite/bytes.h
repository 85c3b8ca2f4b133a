/* bytes.h - a growable run of bytes (kept zero-terminated) and a growable list of arguments. Both
 * are valid when zeroed. Running out of memory ends the program with a message: a compiler driver
 * has nothing better to do. */
#ifndef THREELANE_BYTES_H
#define THREELANE_BYTES_H
#include <stdbool.h>
#include <stddef.h>

typedef struct Bytes {
    char *data; /* NULL while empty */
    size_t size, room;
} Bytes;

void bytes_add(Bytes *, const char *bytes, size_t size);
void bytes_add_string(Bytes *, const char *string);
void bytes_add_char(Bytes *, char);
void bytes_add_spaces(Bytes *, size_t count);
void bytes_format(Bytes *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bytes_release(Bytes *);

typedef struct Args {
    char **item; /* NULL-terminated once anything was added; the strings are owned */
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

bool starts_with(const char *text, const char *start);
#endif
