/* final_grades.c - what everybody gets, and a class without names. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"
#include "grader/grades/grades_internal.h"

bool grades_take(Gradebook *book, const GradesFiles *files, GradesRoster **rosters, char *error,
                 size_t error_size)
{
    *rosters = NULL;
    if (files->amend && !grades_take_table(book, files->amend, false, error, error_size))
        return false;
    if (files->due && !grades_take_table(book, files->due, true, error, error_size)) return false;
    if (!files->roster) return true;
    *rosters = roster_read(files->roster, error, error_size);
    return *rosters != NULL;
}

/* ---- points ---- */
typedef struct Standing {
    int points, possible;
    bool amended, final; /* final: points are the whole, by hand */
    bool dated, marked;  /* it was due; the platform marks it late, and no more */
    long long due, handed;
    int percent, days; /* days -1: any number is taken */
} Standing;

enum { DAY = 24 * 3600 };

/* Days that have begun since it was due; -1: not known. */
static int days_late(const Standing *s)
{
    if (s->marked) return 1; /* the least that it can be */
    if (!s->dated) return -1;
    long long late = s->handed - s->due;
    if (late <= 0) return 0;
    long long days = (late + DAY - 1) / DAY;
    return days < INT_MAX ? (int)days : INT_MAX;
}

static int points_of(const Standing *s, int late)
{
    if (s->final || late <= 0) return s->points;
    if (s->days >= 0 && late > s->days) return 0;
    long long less = (long long)s->possible * s->percent * late / 100;
    return less >= s->points ? 0 : s->points - (int)less;
}

static void read_standing(sqlite3_stmt *row, Standing *s)
{
    bool handed = sqlite3_column_type(row, 5) != SQLITE_NULL,
         due = sqlite3_column_type(row, 7) != SQLITE_NULL;
    *s =
        (Standing){.points = sqlite3_column_int(row, 3),
                   .possible = sqlite3_column_int(row, 4),
                   .marked = !handed && sqlite3_column_int(row, 6),
                   .dated = handed && due,
                   .handed = sqlite3_column_int64(row, 5),
                   .due = sqlite3_column_int64(row, 7),
                   .percent = sqlite3_column_int(row, 8),
                   .days = sqlite3_column_type(row, 9) == SQLITE_NULL ? -1
                                                                      : sqlite3_column_int(row, 9)};
    int changed = sqlite3_column_int(row, 10); /* by checks that were given other points */
    s->amended = changed != 0;
    s->points += changed;
    if (sqlite3_column_type(row, 11) == SQLITE_NULL) return;
    s->points = sqlite3_column_int(row, 11);
    s->final = s->amended = true;
}

/* One row of `standings`, kept. */
static bool settle_one(Gradebook *book, sqlite3_stmt *row)
{
    Standing s;
    read_standing(row, &s);
    int late = days_late(&s), points = points_of(&s, late), judged = sqlite3_column_int(row, 3);
    sqlite3_stmt *put = gradebook_query(
        book, "UPDATE submission SET given = ?, days_late = ?, comment = ? WHERE student = ? AND "
              "exercise = ?");
    if (!put) return false;
    if (points != judged || s.final) sqlite3_bind_int(put, 1, points);
    if (late >= 0) sqlite3_bind_int(put, 2, late);
    sqlite3_bind_value(put, 3, sqlite3_column_value(row, 12));
    sqlite3_bind_value(put, 4, sqlite3_column_value(row, 0));
    sqlite3_bind_value(put, 5, sqlite3_column_value(row, 1));
    bool fine = sqlite3_step(put) == SQLITE_DONE;
    sqlite3_finalize(put);
    return fine;
}

/* Rows are copied first: what is read is not what is changed. */
static const char standings[] =
    "CREATE TEMP TABLE standing AS SELECT s.student, s.exercise, s.kind, s.points, s.possible, "
    "h.at, h.late, coalesce(own.at, d.at) AS due, coalesce(own.percent, d.percent) AS percent, "
    "CASE WHEN own.at IS NULL THEN d.days ELSE own.days END AS days, (SELECT sum(a.points - "
    "r.points) FROM amendment a JOIN result r ON r.student = a.student AND r.exercise = a.exercise "
    "AND r.id = a.id WHERE a.student = s.student AND a.exercise = s.exercise AND a.points NOT "
    "NULL) AS changed, w.points AS whole, (SELECT group_concat(CAST(a.comment AS TEXT), char(10)) "
    "FROM (SELECT comment FROM amendment WHERE student = s.student AND exercise = s.exercise AND "
    "length(comment) > 0 ORDER BY id) a) AS comment FROM submission s LEFT JOIN handed h ON "
    "h.student = s.student AND h.exercise = s.exercise LEFT JOIN due d ON d.exercise = s.exercise "
    "AND length(d.student) = 0 LEFT JOIN due own ON own.exercise = s.exercise AND own.student = "
    "s.student LEFT JOIN amendment w ON w.student = s.student AND w.exercise = s.exercise AND "
    "w.id = '' WHERE s.kind != 7";

bool grades_finalize(Gradebook *book, char *error, size_t error_size)
{
    char ignored[300];
    bool fine = grades_run(book, "BEGIN IMMEDIATE", error, error_size) &&
                grades_run(book, standings, error, error_size);
    sqlite3_stmt *row = fine ? gradebook_query(book, "SELECT * FROM standing") : NULL;
    while (row && fine && sqlite3_step(row) == SQLITE_ROW) {
        fine = settle_one(book, row);
        if (!fine) snprintf(error, error_size, "the gradebook cannot be written");
    }
    sqlite3_finalize(row);
    fine = fine && grades_run(book, "DROP TABLE standing; COMMIT", error, error_size);
    if (!fine) grades_run(book, "ROLLBACK", ignored, sizeof ignored);
    return fine;
}

/* ---- without names ---- */
static void code(sqlite3_context *context, int n, sqlite3_value **values)
{
    Hash hash = hash_start();
    char name[33];
    (void)n;
    hash_add(&hash, sqlite3_value_blob(values[0]), (size_t)sqlite3_value_bytes(values[0]));
    hash_add(&hash, sqlite3_value_blob(values[1]), (size_t)sqlite3_value_bytes(values[1]));
    hash_name(&hash, name);
    char *words = memory_format("student-%.8s", name);
    sqlite3_result_blob(context, words, (int)strlen(words), SQLITE_TRANSIENT);
    free(words);
}

Gradebook *grades_anonymous(Gradebook *book, char *error, size_t error_size)
{
    static const char without[] =
        "UPDATE OR REPLACE submission SET student = code((SELECT value FROM grading WHERE name = "
        "'seed'), student), path = '', source = '', output = '', message = CASE kind WHEN 3 THEN "
        "'It does not compile.' ELSE '' END, hidden = '', comment = NULL;"
        "UPDATE OR REPLACE result SET student = code((SELECT value FROM grading WHERE name = "
        "'seed'), student);"
        "UPDATE OR REPLACE score SET student = code((SELECT value FROM grading WHERE name = "
        "'seed'), student);"
        "UPDATE OR REPLACE card SET student = code((SELECT value FROM grading WHERE name = 'seed'),"
        " student), message = '';"
        "UPDATE OR REPLACE card_result SET student = code((SELECT value FROM grading WHERE name = "
        "'seed'), student);"
        "UPDATE OR REPLACE history SET student = code((SELECT value FROM grading WHERE name = "
        "'seed'), student);"
        "DELETE FROM note; DELETE FROM likeness; DELETE FROM handed; DELETE FROM due; DELETE FROM "
        "amendment;";
    Gradebook *copy = gradebook_copy(book, error, error_size);
    if (!copy) return NULL;
    sqlite3_create_function(gradebook_sql(copy), "code", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                            NULL, code, NULL, NULL);
    if (grades_run(copy, without, error, error_size)) return copy;
    gradebook_close(copy);
    return NULL;
}
