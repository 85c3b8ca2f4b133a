/* grades_internal.h - what the files of this room share. */
#ifndef THREELANE_GRADES_INTERNAL_H
#define THREELANE_GRADES_INTERNAL_H
#include <sqlite3.h>
#include "grader/grades/csv_table.h"
#include "grader/grades/grades.h"

/* Runs statements as one transaction: all or nothing. Letters of values: B string as bytes, i long
 * long, n NULL instead of one. */
bool grades_run(Gradebook *, const char *sql, char *error, size_t error_size);
bool grades_put(Gradebook *, const char *sql, const char *types, ...);
/* "FILE, row 3: WORDS". Always false. */
bool grades_wrong(char *error, size_t error_size, const char *file, size_t row, const char *words,
                  const char *what);
/* The tables that are named there; NULL and one line. */
GradesRoster *roster_read(const char *words, char *error, size_t error_size);
/* The instructor's own tables (instructor_tables.c), whole or not at all. */
bool grades_take_table(Gradebook *, const char *file, bool due, char *error, size_t error_size);
#endif
