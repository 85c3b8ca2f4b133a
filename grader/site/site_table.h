/* site_table.h - a table of the course as a text file: sections, and in them lines of key = value,
 * where a line that begins with a blank goes on with the value above it. */
#ifndef THREELANE_SITE_TABLE_H
#define THREELANE_SITE_TABLE_H
#include <stdbool.h>
#include <stddef.h>

typedef struct SiteRow {
    char *kind, *name; /* of [kind name]; name "" when there is one word only */
    char **keys, **values;
    size_t n;
    int line;
} SiteRow;

typedef struct SiteTable {
    SiteRow *rows;
    size_t n;
} SiteTable;

/* keys: the names that there may be, between blanks. False and one line ("file:3: ...") when the
 * file cannot be read or is not of that form. */
bool site_table_read(SiteTable *, const char *path, const char *keys, char *error,
                     size_t error_size);
void site_table_release(SiteTable *);
/* The value, or NULL. */
const char *site_value(const SiteRow *, const char *key);
#endif
