/* year_internal.h - what the files of this room share. */
#ifndef THREELANE_YEAR_INTERNAL_H
#define THREELANE_YEAR_INTERNAL_H
#include <sqlite3.h>
#include "grader/year/csv_table.h"
#include "grader/year/year.h"

/* Runs statements as one transaction: all or nothing. Letters of values: B string as bytes, i long
 * long, n NULL instead of one. */
bool year_run(Gradebook *, const char *sql, char *error, size_t error_size);
bool year_put(Gradebook *, const char *sql, const char *types, ...);
/* "FILE, row 3: WORDS". Always false. */
bool year_wrong(char *error, size_t error_size, const char *file, size_t row, const char *words,
                const char *what);
/* The tables that are named there; NULL and one line. */
YearRoster *roster_read(const char *words, char *error, size_t error_size);
/* The instructor's own tables (take.c), whole or not at all. */
bool year_take_table(Gradebook *, const char *file, bool due, char *error, size_t error_size);
#endif
