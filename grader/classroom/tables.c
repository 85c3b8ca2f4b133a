/* tables.c - see tables.h. */
#include "grader/classroom/tables.h"
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "common/json.h"
#include "common/markup.h"

/* ---- texts in other people's syntax ---- */
static void put_json(FILE *to, const char *bytes, size_t length)
{
    Text safe = {0};
    text_add_shown(&safe, bytes, length, false);
    json_bytes(to, text_string(&safe), safe.length);
    text_release(&safe);
}

static void put_json_string(FILE *to, const char *string)
{
    if (string) put_json(to, string, strlen(string));
    else fputs("null", to);
}

void tables_markup(FILE *to, const char *bytes, size_t length)
{
    Text safe = {0};
    text_add_shown(&safe, bytes, length, false);
    markup_write(to, text_string(&safe));
    text_release(&safe);
}

static void put_markup(FILE *to, const char *string)
{
    if (string) tables_markup(to, string, strlen(string));
}

static void put_csv(FILE *to, const char *bytes, size_t length)
{
    Text safe = {0};
    text_add_shown(&safe, bytes, length, false);
    const char *text = text_string(&safe);
    fputc('"', to);
    if (*text && strchr("=+-@\t", *text)) fputc('\'', to);
    for (; *text; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text == '\n' ? ' ' : *text, to);
    }
    fputc('"', to);
    text_release(&safe);
}

/* ---- rows ---- */
typedef struct Column {
    const char *bytes;
    size_t length;
} Column;

static Column column(sqlite3_stmt *row, int i)
{
    const char *bytes = sqlite3_column_blob(row, i);
    return (Column){bytes ? bytes : "", (size_t)sqlite3_column_bytes(row, i)};
}

static const char *string(sqlite3_stmt *row, int i) /* NULL stays NULL; valid until the next row */
{
    return (const char *)sqlite3_column_text(row, i);
}

static sqlite3_stmt *query_of(Gradebook *book, const char *sql, sqlite3_stmt *submission)
{
    sqlite3_stmt *statement = gradebook_query(book, sql);
    if (!statement) return NULL;
    sqlite3_bind_value(statement, 1, sqlite3_column_value(submission, 0));
    sqlite3_bind_value(statement, 2, sqlite3_column_value(submission, 1));
    return statement;
}

static const char submissions[] =
    "SELECT s.student, s.exercise, s.path, s.kind, coalesce(s.given, s.points), "
    "s.possible, s.gone, s.sandbox, s.label, s.message,"
    " e.xp, e.title, s.golden_printed, c.name, c.kind, c.points, "
    "c.possible, c.sandbox, c.message, s.hidden, s.attempt, s.points, s.days_late, s.comment FROM "
    "submission s"
    " LEFT JOIN exercise e ON e.id = s.exercise LEFT JOIN card c ON "
    "c.student = s.student AND c.exercise = s.exercise"
    " ORDER BY s.student, s.exercise";
enum {
    STUDENT,
    EXERCISE,
    PATH,
    KIND,
    POINTS,
    POSSIBLE,
    GONE,
    SANDBOX,
    LABEL,
    MESSAGE,
    XP,
    TITLE,
    PRINTED,
    CARD,
    CARD_KIND,
    CARD_POINTS,
    CARD_POSSIBLE,
    CARD_SANDBOX,
    CARD_MESSAGE,
    HIDDEN,
    ATTEMPT,
    JUDGED,
    DAYS_LATE,
    COMMENT
};
static const char results[] = "SELECT id, title, state, points, possible, cause, hint1, after, "
                              "detail, hidden FROM result WHERE student = ? AND"
                              " exercise = ? ORDER BY n";
enum { R_ID, R_TITLE, R_STATE, R_POINTS, R_POSSIBLE, R_CAUSE, R_HINT, R_AFTER, R_DETAIL, R_HIDDEN };

static const char card_results[] = "SELECT id, title, state, points, possible, cause FROM "
                                   "card_result WHERE student = ? AND exercise = ? ORDER BY n";

static bool finish(FILE *to, sqlite3_stmt *row)
{
    sqlite3_finalize(row);
    return !ferror(to);
}

/* What the phase on a card says, or empty columns. */
static void put_csv_card(FILE *to, sqlite3_stmt *row)
{
    if (sqlite3_column_type(row, CARD) == SQLITE_NULL) {
        fputs(",,,", to);
        return;
    }
    int kind = sqlite3_column_int(row, CARD_KIND);
    Column card = column(row, CARD);
    put_csv(to, card.bytes, card.length);
    fprintf(to, ",%s,", exit_status_verdict_word(kind));
    if (kind != VERDICT_GRADER) fprintf(to, "%d", sqlite3_column_int(row, CARD_POINTS));
    fprintf(to, ",%d", sqlite3_column_int(row, CARD_POSSIBLE));
}

bool tables_csv(FILE *to, Gradebook *book)
{
    sqlite3_stmt *row = gradebook_query(book, submissions);
    if (!row) return false;
    fputs("student,exercise,verdict,points,possible,xp,path,in folder,card,card verdict,card "
          "points,card possible,judged,days late,comment\r\n",
          to);
    while (sqlite3_step(row) == SQLITE_ROW) {
        int kind = sqlite3_column_int(row, KIND);
        Column student = column(row, STUDENT), path = column(row, PATH);
        put_csv(to, student.bytes, student.length);
        fprintf(to, ",%s,%s,", string(row, EXERCISE), exit_status_verdict_word(kind));
        /* a grader error is nobody's zero: no points, not 0 points */
        if (kind != VERDICT_GRADER) fprintf(to, "%d", sqlite3_column_int(row, POINTS));
        fprintf(to, ",%d,%d,", sqlite3_column_int(row, POSSIBLE),
                kind == VERDICT_PASS ? sqlite3_column_int(row, XP) : 0);
        put_csv(to, path.bytes, path.length);
        fprintf(to, ",%s,", sqlite3_column_int(row, GONE) ? "no" : "yes");
        put_csv_card(to, row);
        fputc(',', to);
        if (kind != VERDICT_GRADER) fprintf(to, "%d", sqlite3_column_int(row, JUDGED));
        fprintf(to, ",%s,", string(row, DAYS_LATE) ? string(row, DAYS_LATE) : "");
        Column comment = column(row, COMMENT);
        if (comment.length) put_csv(to, comment.bytes, comment.length);
        fputs("\r\n", to);
    }
    return finish(to, row);
}

static void put_units(FILE *to, int thousandths)
{
    Text number = {0};
    if (thousandths) summary_score_number(&number, thousandths);
    fputs(text_string(&number), to);
    text_release(&number);
}

bool tables_scores(FILE *to, Gradebook *book)
{
    sqlite3_stmt *row = gradebook_query(
        book,
        "SELECT c.exercise, c.id, rank() OVER (PARTITION BY c.exercise, c.n ORDER BY c.got),"
        " c.student, c.got, c.par, c.record, c.unit, r.points, r.possible FROM score c"
        " JOIN submission s ON s.student = c.student AND s.exercise = c.exercise JOIN result r ON"
        " r.student = c.student AND r.exercise = c.exercise AND r.n = c.n WHERE NOT s.gone"
        " ORDER BY c.exercise, c.n, c.got, c.student");
    if (!row) return false;
    fputs("exercise,check,rank,student,length,par,record,unit,points,possible\r\n", to);
    while (sqlite3_step(row) == SQLITE_ROW) {
        Column student = column(row, 3), unit = column(row, 7);
        fprintf(to, "%s,%s,%d,", string(row, 0), string(row, 1), sqlite3_column_int(row, 2));
        put_csv(to, student.bytes, student.length);
        for (int i = 4; i <= 6; i++) {
            fputc(',', to);
            put_units(to, sqlite3_column_int(row, i));
        }
        fputc(',', to);
        put_csv(to, unit.bytes, unit.length);
        fprintf(to, ",%d,%d\r\n", sqlite3_column_int(row, 8), sqlite3_column_int(row, 9));
    }
    return finish(to, row);
}

/* "NAME":TEXT, with a comma before it; a text that may hold anything. */
static void put_json_column(FILE *to, const char *name, sqlite3_stmt *row, int at)
{
    Column text = column(row, at);
    fprintf(to, ",\"%s\":", name);
    put_json(to, text.bytes, text.length);
}

/* The same of a text of ours, which ends in NUL or is not there. */
static void put_json_word(FILE *to, const char *name, sqlite3_stmt *row, int at)
{
    fprintf(to, ",\"%s\":", name);
    put_json_string(to, string(row, at));
}

/* A verdict, and the points that it is worth, which is nobody's fault where the grader failed. */
static void put_json_verdict(FILE *to, sqlite3_stmt *row, int kind_at, int points_at)
{
    int kind = sqlite3_column_int(row, kind_at);
    fprintf(to, ",\"verdict\":\"%s\",\"points\":", exit_status_verdict_word(kind));
    if (kind == VERDICT_GRADER) fputs("null", to);
    else fprintf(to, "%d", sqlite3_column_int(row, points_at));
}

/* What is known of a check in either phase; more may follow before the object is closed. */
static void put_json_check(FILE *to, sqlite3_stmt *check)
{
    fputs("{\"id\":", to);
    put_json_string(to, string(check, R_ID));
    put_json_word(to, "title", check, R_TITLE);
    fprintf(to, ",\"state\":\"%s\",\"points\":%d,\"possible\":%d",
            check_state_word(sqlite3_column_int(check, R_STATE)),
            sqlite3_column_int(check, R_POINTS), sqlite3_column_int(check, R_POSSIBLE));
    put_json_word(to, "cause", check, R_CAUSE);
}

static void put_json_card(FILE *to, Gradebook *book, sqlite3_stmt *row)
{
    if (sqlite3_column_type(row, CARD) == SQLITE_NULL) {
        fputs("null", to);
        return;
    }
    fputs("{\"name\":", to);
    put_json_string(to, string(row, CARD));
    put_json_verdict(to, row, CARD_KIND, CARD_POINTS);
    fprintf(to, ",\"possible\":%d", sqlite3_column_int(row, CARD_POSSIBLE));
    put_json_word(to, "sandbox", row, CARD_SANDBOX);
    put_json_column(to, "message", row, CARD_MESSAGE);
    fputs(",\"checks\":[", to);
    sqlite3_stmt *check = query_of(book, card_results, row);
    for (int k = 0; check && sqlite3_step(check) == SQLITE_ROW; k++) {
        fputs(k ? ",\n  " : "\n  ", to);
        put_json_check(to, check);
        fputs("}", to);
    }
    sqlite3_finalize(check);
    fputs("]}", to);
}

static void put_json_checks(FILE *to, Gradebook *book, sqlite3_stmt *row)
{
    sqlite3_stmt *check = query_of(book, results, row);
    for (int k = 0; check && sqlite3_step(check) == SQLITE_ROW; k++) {
        fputs(k ? ",\n " : "\n ", to);
        put_json_check(to, check);
        put_json_word(to, "hidden", check, R_HIDDEN);
        put_json_word(to, "hint", check, R_HINT);
        put_json_word(to, "after", check, R_AFTER);
        fputs("}", to);
    }
    sqlite3_finalize(check);
}

static void put_json_submission(FILE *to, Gradebook *book, sqlite3_stmt *row)
{
    Column student = column(row, STUDENT);
    const char *late = string(row, DAYS_LATE);
    fputs("{\"student\":", to);
    put_json(to, student.bytes, student.length);
    put_json_word(to, "exercise", row, EXERCISE);
    put_json_column(to, "path", row, PATH);
    put_json_verdict(to, row, KIND, POINTS);
    fprintf(to, ",\"possible\":%d,\"in_folder\":%s", sqlite3_column_int(row, POSSIBLE),
            sqlite3_column_int(row, GONE) ? "false" : "true");
    put_json_word(to, "sandbox", row, SANDBOX);
    put_json_column(to, "message", row, MESSAGE);
    fprintf(to, ",\"attempt\":%d", sqlite3_column_int(row, ATTEMPT));
    put_json_column(to, "hidden", row, HIDDEN);
    fprintf(to, ",\"judged_points\":%d,\"days_late\":%s", sqlite3_column_int(row, JUDGED),
            late ? late : "null");
    put_json_column(to, "comment", row, COMMENT);
    fprintf(to, ",\"golden_printed\":%s,\"checks\":[",
            sqlite3_column_int(row, PRINTED) ? "true" : "false");
    put_json_checks(to, book, row);
    fputs("],\"card\":", to);
    put_json_card(to, book, row);
    fputs("}", to);
}

bool tables_json(FILE *to, Gradebook *book)
{
    char *seed = gradebook_get(book, "seed");
    sqlite3_stmt *row = gradebook_query(book, submissions);
    if (!row) {
        free(seed);
        return false;
    }
    fprintf(to, "{\"format\":1,\"seed\":%s,\"submissions\":[", seed ? seed : "0");
    free(seed);
    for (int i = 0; sqlite3_step(row) == SQLITE_ROW; i++) {
        fputs(i ? ",\n" : "\n", to);
        put_json_submission(to, book, row);
    }
    fputs("\n]}\n", to);
    return finish(to, row);
}

bool tables_junit(FILE *to, Gradebook *book)
{
    sqlite3_stmt *row = gradebook_query(book, submissions);
    if (!row) return false;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"threelane\">\n", to);
    while (sqlite3_step(row) == SQLITE_ROW) {
        int kind = sqlite3_column_int(row, KIND), tests = 0, failures = 0, skipped = 0;
        sqlite3_stmt *check = query_of(book, results, row);
        while (check && sqlite3_step(check) == SQLITE_ROW) {
            int state = sqlite3_column_int(check, R_STATE);
            tests++;
            failures += state == CHECK_FAIL || state == CHECK_BROKEN;
            skipped += state == CHECK_BLOCKED;
        }
        Column student = column(row, STUDENT), message = column(row, MESSAGE);
        bool bare = tests == 0;
        fputs(" <testsuite name=\"", to);
        tables_markup(to, student.bytes, student.length);
        fprintf(to, " %s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n",
                string(row, EXERCISE), bare ? 1 : tests,
                bare && kind != VERDICT_GRADER ? 1 : failures, kind == VERDICT_GRADER, skipped);
        if (bare) {
            const char *what = kind == VERDICT_GRADER ? "error" : "failure";
            fputs("  <testcase classname=\"", to);
            tables_markup(to, student.bytes, student.length);
            fprintf(to, ".%s\" name=\"verdict\"><%s message=\"%s\">", string(row, EXERCISE), what,
                    exit_status_verdict_word(kind));
            tables_markup(to, message.bytes, message.length);
            fprintf(to, "</%s></testcase>\n", what);
        }
        if (check) sqlite3_reset(check);
        while (check && sqlite3_step(check) == SQLITE_ROW) {
            int state = sqlite3_column_int(check, R_STATE);
            fputs("  <testcase classname=\"", to);
            tables_markup(to, student.bytes, student.length);
            fprintf(to, ".%s\" name=\"", string(row, EXERCISE));
            put_markup(to, string(check, R_TITLE));
            fputs("\"", to);
            if (state == CHECK_PASS) {
                fputs("/>\n", to);
            } else if (state == CHECK_BLOCKED) {
                fputs("><skipped message=\"after: ", to);
                put_markup(to, string(check, R_AFTER) ? string(check, R_AFTER)
                                                      : "the program ends by itself");
                fputs("\"/></testcase>\n", to);
            } else {
                fputs("><failure message=\"", to);
                put_markup(to, string(check, R_CAUSE));
                fputs("\"/></testcase>\n", to);
            }
        }
        sqlite3_finalize(check);
        fputs(" </testsuite>\n", to);
    }
    fputs("</testsuites>\n", to);
    return finish(to, row);
}

static void tap_line(FILE *to, const char *bytes, size_t length)
{
    Text safe = {0};
    text_add_shown(&safe, bytes, length, false);
    for (const char *at = text_string(&safe); *at; at++)
        fputs(*at == '#' ? "\\#" : *at == '\n' ? " " : (char[]){*at, 0}, to);
    text_release(&safe);
}

bool tables_tap(FILE *to, Gradebook *book)
{
    sqlite3_stmt *row = gradebook_query(book, submissions);
    if (!row) return false;
    fputs("TAP version 13\n", to);
    int n = 0;
    while (sqlite3_step(row) == SQLITE_ROW) {
        int kind = sqlite3_column_int(row, KIND), first = n;
        Column student = column(row, STUDENT), message = column(row, MESSAGE);
        sqlite3_stmt *check = query_of(book, results, row);
        while (check && sqlite3_step(check) == SQLITE_ROW) {
            int state = sqlite3_column_int(check, R_STATE);
            fprintf(to, "%s %d - ", state == CHECK_PASS ? "ok" : "not ok", ++n);
            tap_line(to, student.bytes, student.length);
            fprintf(to, " %s: ", string(row, EXERCISE));
            tap_line(to, string(check, R_TITLE), strlen(string(check, R_TITLE)));
            if (state == CHECK_BLOCKED) fputs(" # SKIP another check has to pass first", to);
            fputc('\n', to);
            const char *cause = string(check, R_CAUSE);
            if (cause) {
                fputs("# ", to);
                tap_line(to, cause, strlen(cause));
                fputc('\n', to);
            }
        }
        sqlite3_finalize(check);
        if (n == first) {
            fprintf(to, "not ok %d - ", ++n);
            tap_line(to, student.bytes, student.length);
            fprintf(to, " %s: %s\n", string(row, EXERCISE), exit_status_verdict_word(kind));
            fputs("# ", to);
            tap_line(to, message.bytes, message.length);
            fputc('\n', to);
        }
    }
    fprintf(to, "1..%d\n", n);
    return finish(to, row);
}

/* ---- one submission ---- */
void tables_gradescope(FILE *to, const Summary *s, unsigned long long seed)
{
    Text output = {0};
    text_printf(&output, "%s: %s", s->title, exit_status_verdict_word((int)s->kind));
    if (s->kind == VERDICT_GRADER)
        text_add(&output, "\nThis is a problem of the grader, not of your submission: tell "
                          "your instructor.");
    if (s->message.length) text_printf(&output, "\n%s", text_string(&s->message));
    fprintf(to, "{\"score\":%d,\"output_format\":\"text\",\"visibility\":\"visible\",\"output\":",
            s->points);
    put_json(to, text_string(&output), output.length);
    text_release(&output);
    fprintf(to, ",\"extra_data\":{\"seed\":%llu,\"verdict\":\"%s\"},\"tests\":[", seed,
            exit_status_verdict_word((int)s->kind));
    for (size_t i = 0; i < s->n_checks; i++) {
        const SummaryCheck *c = &s->checks[i];
        Text words = {0};
        if (c->cause) text_add(&words, c->cause);
        if (c->detail) text_printf(&words, "\n%s", c->detail);
        if (c->hints[0]) text_printf(&words, "\nHint: %s", c->hints[0]);
        if (c->state == CHECK_BLOCKED)
            text_printf(&words, "Not judged until %s%s",
                        c->after ? "this passes: " : "the program ends by itself",
                        c->after ? c->after : "");
        fprintf(to, "%s\n {\"number\":\"%zu\",\"name\":", i ? "," : "", i + 1);
        put_json_string(to, c->title);
        fprintf(to,
                ",\"score\":%d,\"max_score\":%d,\"status\":\"%s\",\"visibility\":\"visible\","
                "\"output\":",
                c->points, c->possible, c->state == CHECK_PASS ? "passed" : "failed");
        put_json(to, text_string(&words), words.length);
        fputs("}", to);
        text_release(&words);
    }
    fputs("]}\n", to);
}
