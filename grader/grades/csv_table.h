/* csv_table.h - tables of comma-separated values, as spreadsheets and learning platforms write
 * them: RFC 4180, UTF-8 with or without a mark at its beginning. Read by libcsv; a program that was
 * built without it says so. */
#ifndef THREELANE_CSV_TABLE_H
#define THREELANE_CSV_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct CsvTable {
    char ***rows; /* cells that end in NUL; a NUL within one ends it */
    size_t *widths;
    size_t n;
} CsvTable;

/* False and one line: no such syntax, more than a million cells, built without libcsv. Blank lines
 * are left out. Release it either way. */
bool csv_table_read(CsvTable *, const char *bytes, size_t length, char *error, size_t error_size);
/* The file's; false and one line that names it. */
bool csv_table_read_file(CsvTable *, const char *path, char *error, size_t error_size);
void csv_table_release(CsvTable *);

/* "" where the row has no such cell. */
const char *csv_table_cell(const CsvTable *, size_t row, int column);
/* The column with this heading in the first row, whatever its case; -1: none. */
int csv_table_column(const CsvTable *, const char *heading);
/* Makes the row as wide as that, and puts a copy there. */
void csv_table_put(CsvTable *, size_t row, int column, const char *text);

/* The table again, with the lines of RFC 4180. */
void csv_table_write(FILE *, const CsvTable *);
/* One cell, in quotes where it needs them. */
void csv_table_write_cell(FILE *, const char *text);
#endif
