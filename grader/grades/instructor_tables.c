/* instructor_tables.c - the instructor's own tables: points and comments by hand, due dates. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/grades/grades_internal.h"

enum { MOST_POINTS = 1000000, MOST_DAYS = 10000 };

/* A whole number in a cell; empty: *there is false. */
static bool whole(const char *cell, long least, long most, bool *there, long *number)
{
    char *end;
    cell += strspn(cell, " ");
    *there = *cell != 0;
    *number = 0;
    if (!*there) return true;
    errno = 0;
    *number = strtol(cell, &end, 10);
    return !errno && end != cell && !end[strspn(end, " ")] && *number >= least && *number <= most;
}

static bool is_exercise(Gradebook *book, const char *id)
{
    sqlite3_stmt *row = gradebook_query(book, "SELECT 1 FROM exercise WHERE id = ?");
    if (row) sqlite3_bind_text(row, 1, id, -1, SQLITE_STATIC);
    bool there = row && sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return there;
}

/* The columns of a table by their headings; false and one line when one that is needed is not
 * there. */
typedef struct Heading {
    const char *name;
    bool needed;
} Heading;

static bool find_columns(const CsvTable *table, const char *file, const Heading *headings, size_t n,
                         int *columns, char *error, size_t error_size)
{
    for (size_t i = 0; i < n; i++) {
        columns[i] = csv_table_column(table, headings[i].name);
        if (columns[i] >= 0 || !headings[i].needed) continue;
        Text all = {0};
        for (size_t k = 0; k < n; k++) text_printf(&all, "%s%s", k ? ", " : "", headings[k].name);
        snprintf(error, error_size,
                 "%.300s: there is no column \"%s\"; its first row names the columns: %s", file,
                 headings[i].name, text_string(&all));
        text_release(&all);
        return false;
    }
    return true;
}

static bool take_amendment(Gradebook *book, const CsvTable *t, size_t i, const int *columns,
                           const char *file, char *error, size_t error_size)
{
    const char *student = csv_table_cell(t, i, columns[0]), *id = csv_table_cell(t, i, columns[1]),
               *check = csv_table_cell(t, i, columns[3]),
               *comment = csv_table_cell(t, i, columns[4]),
               *points = csv_table_cell(t, i, columns[2]);
    bool there;
    long number;
    if (!*student) return grades_wrong(error, error_size, file, i, "it names no student", NULL);
    if (!is_exercise(book, id))
        return grades_wrong(error, error_size, file, i, "no such exercise has been graded", id);
    if (!whole(points, -MOST_POINTS, MOST_POINTS, &there, &number))
        return grades_wrong(error, error_size, file, i, "points are a whole number", points);
    if (!there && !*comment)
        return grades_wrong(error, error_size, file, i, "it has neither points nor a comment",
                            NULL);
    bool fine = grades_put(book,
                           "INSERT INTO amendment VALUES(?1, CAST(?2 AS TEXT), CAST(?3 AS "
                           "TEXT), ?4, ?5)",
                           there ? "BBBiB" : "BBBnB", student, id, check,
                           there ? (long long)number : 0, comment);
    return fine || grades_wrong(error, error_size, file, i, "it is there twice", student);
}

static bool take_due(Gradebook *book, const CsvTable *t, size_t i, const int *columns,
                     const char *file, char *error, size_t error_size)
{
    const char *id = csv_table_cell(t, i, columns[0]), *due = csv_table_cell(t, i, columns[1]),
               *student = csv_table_cell(t, i, columns[2]),
               *percent = csv_table_cell(t, i, columns[3]),
               *days = csv_table_cell(t, i, columns[4]);
    bool there;
    long less, most;
    long long at;
    if (!is_exercise(book, id))
        return grades_wrong(error, error_size, file, i, "no such exercise has been graded", id);
    if (!grades_time(due, &at))
        return grades_wrong(error, error_size, file, i,
                            "a due date looks like 2026-11-20 23:59 or 2026-11-20T23:59:00Z", due);
    if (!whole(percent, 0, 100, &there, &less))
        return grades_wrong(error, error_size, file, i, "percent is what a day costs, 0 to 100",
                            percent);
    if (!whole(days, 0, MOST_DAYS, &there, &most))
        return grades_wrong(error, error_size, file, i, "days is how many late ones are taken",
                            days);
    return grades_put(book, "INSERT INTO due VALUES(CAST(?1 AS TEXT), ?2, ?3, ?4, ?5)",
                      there ? "BBiii" : "BBiin", id, student, at, (long long)less,
                      there ? (long long)most : 0) ||
           grades_wrong(error, error_size, file, i, "it is there twice", *student ? student : id);
}

static bool take_rows(Gradebook *book, const char *file, bool due, char *error, size_t error_size)
{
    static const Heading amended[] = {{"student", true},
                                      {"exercise", true},
                                      {"points", true},
                                      {"check", false},
                                      {"comment", false}},
                         dated[] = {{"exercise", true},
                                    {"due", true},
                                    {"student", false},
                                    {"percent", false},
                                    {"days", false}};
    enum { COLUMNS = sizeof amended / sizeof *amended };
    CsvTable table;
    int columns[COLUMNS];
    bool fine =
        csv_table_read_file(&table, file, error, error_size) &&
        find_columns(&table, file, due ? dated : amended, COLUMNS, columns, error, error_size);
    for (size_t i = 1; i < table.n && fine; i++)
        fine = due ? take_due(book, &table, i, columns, file, error, error_size)
                   : take_amendment(book, &table, i, columns, file, error, error_size);
    csv_table_release(&table);
    return fine;
}

bool grades_take_table(Gradebook *book, const char *file, bool due, char *error, size_t error_size)
{
    char ignored[300];
    bool fine = grades_run(book,
                           due ? "BEGIN IMMEDIATE; DELETE FROM due"
                               : "BEGIN IMMEDIATE; DELETE FROM amendment",
                           error, error_size) &&
                take_rows(book, file, due, error, error_size);
    if (fine) return grades_run(book, "COMMIT", error, error_size);
    grades_run(book, "ROLLBACK", ignored, sizeof ignored);
    return false;
}
