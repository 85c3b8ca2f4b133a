/* grades_sql.c - statements and their values. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "grader/grades/grades_internal.h"

bool grades_run(Gradebook *book, const char *sql, char *error, size_t error_size)
{
    if (sqlite3_exec(gradebook_sql(book), sql, NULL, NULL, NULL) == SQLITE_OK) return true;
    snprintf(error, error_size, "gradebook: %s", sqlite3_errmsg(gradebook_sql(book)));
    return false;
}

bool grades_put(Gradebook *book, const char *sql, const char *types, ...)
{
    sqlite3_stmt *row = gradebook_query(book, sql);
    va_list values;
    va_start(values, types);
    for (int i = 0; row && types[i]; i++) {
        if (types[i] == 'i') {
            sqlite3_bind_int64(row, i + 1, va_arg(values, long long));
        } else if (types[i] == 'n') {
            (void)va_arg(values, long long);
            sqlite3_bind_null(row, i + 1);
        } else {
            const char *bytes = va_arg(values, const char *);
            sqlite3_bind_blob(row, i + 1, bytes, (int)strlen(bytes), SQLITE_TRANSIENT);
        }
    }
    va_end(values);
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    sqlite3_finalize(row);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

bool grades_wrong(char *error, size_t error_size, const char *file, size_t row, const char *words,
                  const char *what)
{
    snprintf(error, error_size, "%.300s, row %zu: %s%s%.100s%s", file, row + 1, words,
             what ? ": \"" : "", what ? what : "", what ? "\"" : "");
    return false;
}
