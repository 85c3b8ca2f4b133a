/* site_table.c - see site_table.h. */
#include "grader/site/site_table.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/limits.h"
#include "common/text.h"

static char *trimmed(const char *from, size_t length)
{
    while (length && isspace((unsigned char)*from)) from++, length--;
    while (length && isspace((unsigned char)from[length - 1])) length--;
    return memory_format("%.*s", (int)length, from);
}

static bool add_row(SiteTable *t, const char *line, int number)
{
    const char *end = strchr(line, ']'), *space = strchr(line, ' ');
    if (!end || end[1 + strspn(end + 1, " \r")]) return false;
    t->rows = memory_grow(t->rows, t->n + 1, sizeof *t->rows);
    SiteRow *row = &t->rows[t->n++];
    size_t kind = space && space < end ? (size_t)(space - line) - 1 : (size_t)(end - line) - 1;
    *row = (SiteRow){.line = number, .kind = trimmed(line + 1, kind)};
    row->name = space && space < end ? trimmed(space, (size_t)(end - space)) : memory_copy("");
    return row->kind[0] != 0;
}

static bool known(const char *keys, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = keys; (at = strstr(at, key)); at += length)
        if (length && (at == keys || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

static const char *add_line(SiteTable *t, const char *line, const char *keys, int number)
{
    SiteRow *row = t->n ? &t->rows[t->n - 1] : NULL;
    const char *equals = strchr(line, '=');
    if (!line[strspn(line, " \t\r")] || *line == ';') return NULL;
    if (*line == '[') return add_row(t, line, number) ? NULL : "no [kind name]";
    if (!row) return "a line before the first [kind name]";
    if (*line == ' ') {
        if (!row->n) return "a line that goes on with nothing";
        char *more = trimmed(line, strlen(line)), *value = row->values[row->n - 1];
        row->values[row->n - 1] = memory_format("%s %s", value, more);
        free(more);
        free(value);
        return NULL;
    }
    if (!equals) return "neither [kind name] nor key = value";
    row->keys = memory_grow(row->keys, row->n + 1, sizeof *row->keys);
    row->values = memory_grow(row->values, row->n + 1, sizeof *row->values);
    row->keys[row->n] = trimmed(line, (size_t)(equals - line));
    row->values[row->n] = trimmed(equals + 1, strlen(equals + 1));
    const char *key = row->keys[row->n++];
    for (size_t i = 0; i + 1 < row->n; i++)
        if (!strcmp(row->keys[i], key)) return "a key that is there already";
    return known(keys, key) ? NULL : "a key that is not known";
}

bool site_table_read(SiteTable *t, const char *path, const char *keys, char *error,
                     size_t error_size)
{
    Text text = {0};
    *t = (SiteTable){0};
    int failed = text_read_file(&text, path, LIMIT_LESSON), number = 0;
    if (failed) snprintf(error, error_size, "%.400s: %s", path, strerror(failed));
    char *rest = failed ? NULL : text.data, *line;
    const char *wrong = NULL;
    while (!wrong && (line = strsep(&rest, "\n"))) {
        number++;
        wrong = add_line(t, line, keys, number);
    }
    if (wrong) snprintf(error, error_size, "%.400s:%d: %s", path, number, wrong);
    text_release(&text);
    if (failed || wrong) site_table_release(t);
    return !failed && !wrong;
}

void site_table_release(SiteTable *t)
{
    for (size_t i = 0; i < t->n; i++) {
        for (size_t k = 0; k < t->rows[i].n; k++) {
            free(t->rows[i].keys[k]);
            free(t->rows[i].values[k]);
        }
        free(t->rows[i].keys);
        free(t->rows[i].values);
        free(t->rows[i].kind);
        free(t->rows[i].name);
    }
    free(t->rows);
    *t = (SiteTable){0};
}

const char *site_value(const SiteRow *row, const char *key)
{
    for (size_t i = 0; i < row->n; i++)
        if (!strcmp(row->keys[i], key)) return row->values[i];
    return NULL;
}
