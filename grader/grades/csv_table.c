/* csv_table.c - see csv_table.h. */
#include "grader/grades/csv_table.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "common/limits.h"
#include "common/text.h"
#ifndef WITHOUT_CSV
#include <csv.h>
#endif

enum { MOST_CELLS = 1000000, MOST_BYTES = 64 << 20 };

/* ---- the table ---- */
static void add_row(CsvTable *table)
{
    if ((table->n & (table->n + 1)) == 0) {
        table->rows = memory_grow(table->rows, 2 * (table->n + 1), sizeof *table->rows);
        table->widths = memory_grow(table->widths, 2 * (table->n + 1), sizeof *table->widths);
    }
    table->rows[table->n] = NULL;
    table->widths[table->n++] = 0;
}

static void add_cell(CsvTable *table, size_t row, const char *bytes, size_t length)
{
    size_t width = table->widths[row];
    if ((width & (width + 1)) == 0)
        table->rows[row] = memory_grow(table->rows[row], 2 * (width + 1), sizeof *table->rows[row]);
    char *copy = memory_get(length + 1, 1);
    if (length) memcpy(copy, bytes, length);
    table->rows[row][table->widths[row]++] = copy;
}

void csv_table_release(CsvTable *table)
{
    for (size_t i = 0; i < table->n; i++) {
        for (size_t k = 0; k < table->widths[i]; k++) free(table->rows[i][k]);
        free(table->rows[i]);
    }
    free(table->rows);
    free(table->widths);
    *table = (CsvTable){0};
}

const char *csv_table_cell(const CsvTable *table, size_t row, int column)
{
    bool there = row < table->n && column >= 0 && (size_t)column < table->widths[row];
    return there ? table->rows[row][column] : "";
}

int csv_table_column(const CsvTable *table, const char *heading)
{
    for (size_t i = 0; table->n && i < table->widths[0]; i++) {
        if (!strcasecmp(table->rows[0][i], heading)) return (int)i;
    }
    return -1;
}

void csv_table_put(CsvTable *table, size_t row, int column, const char *text)
{
    while (table->widths[row] <= (size_t)column) add_cell(table, row, "", 0);
    free(table->rows[row][column]);
    table->rows[row][column] = memory_copy(text);
}

/* ---- reading ---- */
#ifndef WITHOUT_CSV
typedef struct Reading {
    CsvTable *table;
    size_t cells;
    bool inside; /* a row that has begun */
} Reading;

static void take_cell(void *bytes, size_t length, void *data)
{
    Reading *r = data;
    if (++r->cells > MOST_CELLS) return;
    if (!r->inside) add_row(r->table);
    r->inside = true;
    add_cell(r->table, r->table->n - 1, bytes, bytes ? length : 0);
}

static void take_end(int character, void *data)
{
    (void)character;
    ((Reading *)data)->inside = false;
}

bool csv_table_read(CsvTable *table, const char *bytes, size_t length, char *error,
                    size_t error_size)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct csv_parser parser;
    Reading reading = {.table = table};
    *table = (CsvTable){0};
    if (length >= 3 && !memcmp(bytes, mark, 3)) bytes += 3, length -= 3;
    if (csv_init(&parser, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI) != 0) {
        snprintf(error, error_size, "no memory");
        return false;
    }
    bool fine = csv_parse(&parser, bytes, length, take_cell, take_end, &reading) == length &&
                csv_fini(&parser, take_cell, take_end, &reading) == 0;
    if (!fine)
        snprintf(error, error_size,
                 "row %zu is no comma-separated text: a quotation mark in it is never closed, or "
                 "stands where none may",
                 table->n + !reading.inside);
    csv_free(&parser);
    if (fine && reading.cells > MOST_CELLS) {
        snprintf(error, error_size, "it has more than %d cells", MOST_CELLS);
        return false;
    }
    return fine;
}
#else
bool csv_table_read(CsvTable *table, const char *bytes, size_t length, char *error,
                    size_t error_size)
{
    (void)bytes, (void)length;
    *table = (CsvTable){0};
    snprintf(error, error_size,
             "this was built without libcsv, which reads tables: install "
             "libcsv-dev and build again");
    return false;
}
#endif

bool csv_table_read_file(CsvTable *table, const char *path, char *error, size_t error_size)
{
    Text bytes = {0};
    char why[300] = "";
    int failed = text_read_file(&bytes, path, MOST_BYTES);
    *table = (CsvTable){0};
    if (failed) snprintf(why, sizeof why, "%s", strerror(failed));
    bool fine =
        !failed && csv_table_read(table, text_string(&bytes), bytes.length, why, sizeof why);
    if (!fine) snprintf(error, error_size, "%.400s: %s", path, why);
    text_release(&bytes);
    return fine;
}

/* ---- writing ---- */
void csv_table_write_cell(FILE *to, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")] && text[0] != ' ') {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

void csv_table_write(FILE *to, const CsvTable *table)
{
    for (size_t i = 0; i < table->n; i++) {
        bool blank = table->widths[i] == 1 && !table->rows[i][0][0];
        if (blank) fputs("\"\"", to); /* a line with nothing on it would be no row */
        for (size_t k = 0; k < table->widths[i]; k++) {
            if (k) fputc(',', to);
            csv_table_write_cell(to, table->rows[i][k]);
        }
        fputs("\r\n", to);
    }
}
