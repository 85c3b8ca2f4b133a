/* gradebook.c - see gradebook.h. */
#include "grader/classroom/gradebook.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/box/background.h"

/* A gradebook that was begun without them gets them when it is opened. */
#define CARD_TABLES                                                                              \
    "CREATE TABLE IF NOT EXISTS card(student BLOB, exercise TEXT, name TEXT, fingerprint TEXT, " \
    "sandbox TEXT, kind INT,"                                                                    \
    " points INT, possible INT, label TEXT, message BLOB, svg TEXT, PRIMARY KEY(student, "       \
    "exercise)) WITHOUT ROWID;"                                                                  \
    "CREATE TABLE IF NOT EXISTS card_result(student BLOB, exercise TEXT, n INT, id TEXT, title " \
    "TEXT, state INT,"                                                                           \
    " points INT, possible INT, cause BLOB, PRIMARY KEY(student, exercise, n)) WITHOUT ROWID;"

/* Lengths that earn points by how short they are, in thousandths of a unit. */
#define SCORE_TABLE                                                                           \
    "CREATE TABLE IF NOT EXISTS score(student BLOB, exercise TEXT, n INT, id TEXT, got INT, " \
    "par INT, record INT, share INT, unit TEXT, PRIMARY KEY(student, exercise, n)) WITHOUT "  \
    "ROWID;"

/* Every attempt that was judged, as it was judged last. handed: when it was handed in, in seconds
 * since 1970, where the platform's export says; else NULL. */
#define HISTORY_TABLE                                                                         \
    "CREATE TABLE IF NOT EXISTS history(student BLOB, exercise TEXT, attempt INT, kind INT, " \
    "points INT, possible INT, handed INT, PRIMARY KEY(student, exercise, attempt)) WITHOUT " \
    "ROWID;"

/* What is given besides verdicts (grader/grades): points and comments by hand, for a check (id) or
 * for all ('', where points is what it comes to); when something was due, for all (student '') or
 * for one; when it was handed in, and whether it is marked late without a time. */
#define YEAR_TABLES                                                                             \
    "CREATE TABLE IF NOT EXISTS amendment(student BLOB, exercise TEXT, id TEXT, points INT, "   \
    "comment BLOB, PRIMARY KEY(student, exercise, id)) WITHOUT ROWID;"                          \
    "CREATE TABLE IF NOT EXISTS due(exercise TEXT, student BLOB, at INT, percent INT, days "    \
    "INT, PRIMARY KEY(exercise, student)) WITHOUT ROWID;"                                       \
    "CREATE TABLE IF NOT EXISTS handed(student BLOB, exercise TEXT, at INT, late INT, PRIMARY " \
    "KEY(student, exercise)) WITHOUT ROWID;"

/* Texts that came from students are blobs: they may hold any bytes. */
static const char schema[] =
    "CREATE TABLE grading(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE exercise(id TEXT PRIMARY KEY, number INT, title TEXT, level TEXT, xp INT, "
    "possible INT,"
    " fingerprint TEXT, svg TEXT) WITHOUT ROWID;"
    "CREATE TABLE submission(student BLOB, exercise TEXT, path BLOB, source BLOB, fingerprint "
    "TEXT, sandbox TEXT,"
    " kind INT, points INT, possible INT, stopped INT, judged INT, golden_printed INT, label TEXT, "
    "message BLOB,"
    " output BLOB, report BLOB, svg TEXT, gone INT, attempt INT DEFAULT 1, hidden BLOB, mistake "
    "TEXT, given INT, days_late INT, comment BLOB, PRIMARY "
    "KEY(student, exercise)) WITHOUT ROWID;"
    "CREATE TABLE result(student BLOB, exercise TEXT, n INT, id TEXT, title TEXT, state INT, "
    "points INT, possible INT,"
    " cause BLOB, detail BLOB, hint1 TEXT, hint2 TEXT, hint3 TEXT, after TEXT, hidden BLOB, "
    "mistake TEXT, "
    "PRIMARY "
    "KEY(student, exercise, n))"
    " WITHOUT ROWID;"
    "CREATE TABLE note(student BLOB, exercise TEXT, n INT, error INT, text BLOB, PRIMARY "
    "KEY(student, exercise, n))"
    " WITHOUT ROWID;"
    "CREATE TABLE likeness(exercise TEXT, a BLOB, b BLOB, percent INT, parts BLOB, PRIMARY "
    "KEY(exercise, a, b))"
    " WITHOUT ROWID;" CARD_TABLES SCORE_TABLE HISTORY_TABLE YEAR_TABLES
    "PRAGMA application_id = 1953262695;" /* "tlgg" */
    "PRAGMA user_version = 1;";
enum { APPLICATION = 1953262695, FORMAT = 1 };

/* Verdicts that come together are written together: the disk is waited for once. So many
 * milliseconds of them, at most, are lost with a command that is killed, and judged again. */
enum { TOGETHER_MS = 200 };

struct Gradebook {
    sqlite3 *sql;
    char *path;
    int lock;
    double since; /* when the first of those that are not kept yet came */
};

static bool failed(Gradebook *book, char *error, size_t error_size)
{
    snprintf(error, error_size, "%.400s: %s", book->path, sqlite3_errmsg(book->sql));
    return false;
}

static bool run(Gradebook *book, const char *sql, char *error, size_t error_size)
{
    return sqlite3_exec(book->sql, sql, NULL, NULL, NULL) == SQLITE_OK ||
           failed(book, error, error_size);
}

bool gradebook_kept(Gradebook *book) { return sqlite3_get_autocommit(book->sql) != 0; }

bool gradebook_keep(Gradebook *book, char *error, size_t error_size)
{
    if (gradebook_kept(book) || run(book, "COMMIT", error, error_size)) return true;

    sqlite3_exec(book->sql, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool gradebook_keep_soon(Gradebook *book, char *error, size_t error_size)
{
    return gradebook_kept(book) || background_clock() - book->since < TOGETHER_MS * 1e-3 ||
           gradebook_keep(book, error, error_size);
}

/* A transaction of its own. */
static bool begin(Gradebook *book, char *error, size_t error_size)
{
    return gradebook_keep(book, error, error_size) &&
           run(book, "BEGIN IMMEDIATE", error, error_size);
}

static int number_of(sqlite3 *sql, const char *query)
{
    sqlite3_stmt *statement;
    int value = -1;
    if (sqlite3_prepare_v2(sql, query, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

/* A gradebook that was begun without them: what it says of hidden runs stays as it was said. */
static bool add_columns(sqlite3 *sql)
{
    static const char *const columns[][2] = {
        {"SELECT count(*) FROM pragma_table_info('submission') WHERE name = 'hidden'",
         "ALTER TABLE submission ADD COLUMN attempt INT DEFAULT 1;"
         "ALTER TABLE submission ADD COLUMN hidden BLOB"},
        {"SELECT count(*) FROM pragma_table_info('result') WHERE name = 'hidden'",
         "ALTER TABLE result ADD COLUMN hidden BLOB"},
        {"SELECT count(*) FROM pragma_table_info('submission') WHERE name = 'mistake'",
         "ALTER TABLE submission ADD COLUMN mistake TEXT"},
        {"SELECT count(*) FROM pragma_table_info('submission') WHERE name = 'given'",
         "ALTER TABLE submission ADD COLUMN given INT;"
         "ALTER TABLE submission ADD COLUMN days_late INT;"
         "ALTER TABLE submission ADD COLUMN comment BLOB"},
        {"SELECT count(*) FROM pragma_table_info('result') WHERE name = 'mistake'",
         "ALTER TABLE result ADD COLUMN mistake TEXT"},
    };
    bool fine = true;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && fine; i++)
        fine = number_of(sql, columns[i][0]) != 0 ||
               sqlite3_exec(sql, columns[i][1], NULL, NULL, NULL) == SQLITE_OK;
    return fine;
}

Gradebook *gradebook_open(const char *path, char *error, size_t error_size)
{
    Gradebook *book = memory_get(1, sizeof *book);
    char *lock = memory_format("%s.lock", path);
    book->path = memory_copy(path);
    book->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    const char *problem = NULL;
    /* a lock that is not inherited: the processes that judge may outlive a batch that was killed by
     * a moment */
    if (book->lock < 0) problem = strerror(errno);
    else if (fcntl(book->lock, F_SETLK, &(struct flock){.l_type = F_WRLCK}) != 0)
        problem = "another `threelane grade` is at work on it; wait for it";
    /* the statement cache is small and the rows may be large: what counts is that a killed batch
     * loses nothing */
    if (!problem && sqlite3_open_v2(path, &book->sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                    NULL) != SQLITE_OK)
        problem = book->sql ? sqlite3_errmsg(book->sql) : "no memory";
    if (!problem) {
        int tables = number_of(book->sql, "SELECT count(*) FROM sqlite_master");
        if (tables == 0) {
            sqlite3_exec(book->sql, "PRAGMA page_size = 4096", NULL, NULL, NULL);
            char *all = memory_format("BEGIN;%sCOMMIT;", schema);
            if (sqlite3_exec(book->sql, all, NULL, NULL, NULL) != SQLITE_OK)
                problem = sqlite3_errmsg(book->sql);
            free(all);
        } else if (tables < 0) {
            problem =
                "it is damaged, or no gradebook; give another folder with -o, or move it away";
        } else if (number_of(book->sql, "PRAGMA application_id") != APPLICATION) {
            problem = "it is a database, but no gradebook; give another folder with -o";
        } else if (number_of(book->sql, "PRAGMA user_version") != FORMAT) {
            problem = "a gradebook of another version of Threelane; use that one, or another "
                      "folder with -o";
        } else if (sqlite3_exec(book->sql, CARD_TABLES SCORE_TABLE HISTORY_TABLE YEAR_TABLES, NULL,
                                NULL, NULL) != SQLITE_OK ||
                   !add_columns(book->sql)) {
            problem = sqlite3_errmsg(book->sql);
        }
    }
    free(lock);
    if (!problem) return book;
    snprintf(error, error_size, "%.400s: %s", path, problem);
    gradebook_close(book);
    return NULL;
}

Gradebook *gradebook_copy(Gradebook *book, char *error, size_t error_size)
{
    Gradebook *copy = memory_get(1, sizeof *copy);
    copy->path = memory_copy("a copy in memory");
    copy->lock = -1;
    bool fine = sqlite3_open(":memory:", &copy->sql) == SQLITE_OK;
    sqlite3_backup *backup =
        fine ? sqlite3_backup_init(copy->sql, "main", book->sql, "main") : NULL;
    fine = backup && sqlite3_backup_step(backup, -1) == SQLITE_DONE;
    if (backup) sqlite3_backup_finish(backup);
    if (fine) return copy;
    failed(copy, error, error_size);
    gradebook_close(copy);
    return NULL;
}

void gradebook_close(Gradebook *book)
{
    if (!book) return;
    if (book->sql) {
        char lost[1]; /* who keeps nothing has been told why */
        gradebook_keep(book, lost, sizeof lost);
        sqlite3_close(book->sql);
    }
    if (book->lock >= 0) {
        char *lock = memory_format("%s.lock", book->path);
        unlink(lock);
        close(book->lock);
        free(lock);
    }
    free(book->path);
    free(book);
}

struct sqlite3 *gradebook_sql(Gradebook *book) { return book->sql; }

struct sqlite3_stmt *gradebook_query(Gradebook *book, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(book->sql, sql, -1, &statement, NULL);
    return statement;
}

int gradebook_number(Gradebook *book, const char *sql) { return number_of(book->sql, sql); }

char *gradebook_card(Gradebook *book, const Handin *handin)
{
    sqlite3_stmt *row =
        gradebook_query(book, "SELECT name FROM card WHERE student = ? AND exercise = ?");
    if (!row) return NULL;
    sqlite3_bind_blob64(row, 1, handin->student, strlen(handin->student), SQLITE_STATIC);
    sqlite3_bind_text(row, 2, handin->exercise, -1, SQLITE_STATIC);
    const char *name =
        sqlite3_step(row) == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    char *card = name ? memory_copy(name) : NULL;
    sqlite3_finalize(row);
    return card;
}

/* ---- writing: a statement and its values, by letters: b blob (pointer, size_t), s string or NULL,
 * i int ---- */
static bool put(Gradebook *book, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(book->sql, sql, -1, &statement, NULL) != SQLITE_OK) return false;
    va_list values;
    va_start(values, types);
    for (int i = 0; types[i]; i++) {
        if (types[i] == 'i') {
            sqlite3_bind_int(statement, i + 1, va_arg(values, int));
        } else if (types[i] == 's') {
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
        } else { /* B: a string as bytes */
            const char *bytes = va_arg(values, const char *);
            size_t length = types[i] == 'b' ? va_arg(values, size_t) : bytes ? strlen(bytes) : 0;
            if (bytes) sqlite3_bind_blob64(statement, i + 1, bytes, length, SQLITE_TRANSIENT);
        }
    }
    va_end(values);
    int code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

bool gradebook_set(Gradebook *book, const char *name, const char *value, char *error,
                   size_t error_size)
{
    return put(book, "INSERT OR REPLACE INTO grading VALUES(?,?)", "ss", name, value) ||
           failed(book, error, error_size);
}

char *gradebook_get(Gradebook *book, const char *name)
{
    sqlite3_stmt *statement;
    char *value = NULL;
    if (sqlite3_prepare_v2(book->sql, "SELECT value FROM grading WHERE name = ?", -1, &statement,
                           NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
        value = memory_copy((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return value;
}

bool gradebook_exercise(Gradebook *book, const Exercise *e, const char *fingerprint,
                        const char *svg, char *error, size_t error_size)
{
    bool fine =
        put(book,
            "INSERT INTO exercise(id, number, title, level, xp, possible, fingerprint, svg)"
            " VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET number = excluded.number,"
            " title = excluded.title, level = excluded.level, xp = excluded.xp, possible = "
            "excluded.possible,"
            " fingerprint = excluded.fingerprint, svg = coalesce(excluded.svg, svg)",
            "sissiiss", e->id, e->number, e->title, e->level, e->xp, exercise_points(e),
            fingerprint, svg);
    return fine || failed(book, error, error_size);
}

bool gradebook_knows(Gradebook *book, const Handin *handin, const char *fingerprint,
                     const Text *source)
{
    sqlite3_stmt *statement;
    bool known = false;
    if (sqlite3_prepare_v2(book->sql,
                           "SELECT source FROM submission WHERE student = ? AND exercise = ? AND"
                           " fingerprint = ? AND kind != ?",
                           -1, &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_blob64(statement, 1, handin->student, strlen(handin->student), SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, handin->exercise, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, fingerprint, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 4, VERDICT_GRADER); /* that is never a verdict: tried again */
    if (sqlite3_step(statement) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(statement, 0);
        size_t length = (size_t)sqlite3_column_bytes(statement, 0);
        known =
            length == source->length && (!length || !memcmp(bytes, text_string(source), length));
    }
    sqlite3_finalize(statement);
    return known;
}

unsigned gradebook_attempt(Gradebook *book, const Handin *handin, const Text *source)
{
    sqlite3_stmt *statement;
    unsigned attempt = 1;
    if (sqlite3_prepare_v2(book->sql,
                           "SELECT attempt + (source != ?3) FROM submission WHERE student = ?1 AND"
                           " exercise = ?2",
                           -1, &statement, NULL) != SQLITE_OK)
        return attempt;
    sqlite3_bind_blob64(statement, 1, handin->student, strlen(handin->student), SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, handin->exercise, -1, SQLITE_STATIC);
    sqlite3_bind_blob64(statement, 3, text_string(source), source->length, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) attempt = (unsigned)sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return attempt;
}

bool gradebook_again(Gradebook *book, const char *student, char *error, size_t error_size)
{
    if (!put(book, "UPDATE submission SET fingerprint = '' WHERE student = ?", "B", student))
        return failed(book, error, error_size);
    if (sqlite3_changes(book->sql) > 0) return true;
    snprintf(error, error_size, "%.200s: nobody of that name has been graded (grades.csv has all)",
             student);
    return false;
}

bool gradebook_renew(Gradebook *book, char *error, size_t error_size)
{
    return run(book, "DELETE FROM history; UPDATE submission SET attempt = 1", error, error_size);
}

/* What the card said was about what has been judged anew. */
static bool forget_card(Gradebook *book, const Handin *h)
{
    return put(book, "DELETE FROM card_result WHERE student = ? AND exercise = ?", "Bs", h->student,
               h->exercise) &&
           put(book, "DELETE FROM card WHERE student = ? AND exercise = ?", "Bs", h->student,
               h->exercise);
}

/* Ends a transaction: written whole, or not at all. */
static bool settle(Gradebook *book, bool fine, char *error, size_t error_size)
{
    if (!fine) failed(book, error, error_size);
    else if (run(book, "COMMIT", error, error_size)) return true;
    sqlite3_exec(book->sql, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool gradebook_put(Gradebook *book, const Grade *g, char *error, size_t error_size)
{
    const Summary *s = g->summary;
    const Handin *h = g->handin;
    size_t name = strlen(h->student);
    bool fine = true;
    if (gradebook_kept(book)) {
        fine = run(book, "BEGIN IMMEDIATE", error, error_size);
        book->since = background_clock();
    }
    if (!fine) return false;
    fine = forget_card(book, h) &&
           put(book, "DELETE FROM result WHERE student = ? AND exercise = ?", "bs", h->student,
               name, h->exercise) &&
           put(book, "DELETE FROM score WHERE student = ? AND exercise = ?", "bs", h->student, name,
               h->exercise) &&
           put(book, "DELETE FROM note WHERE student = ? AND exercise = ?", "bs", h->student, name,
               h->exercise) &&
           put(book,
               "INSERT OR REPLACE INTO submission VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,0,"
               "?,?,?,NULL,NULL,NULL)",
               "bsBbssiiiiiisbbbsibs", h->student, name, h->exercise, h->path,
               text_string(g->source), g->source->length, g->fingerprint, g->sandbox, (int)s->kind,
               s->points, s->possible, (int)s->stopped, (int)s->judged, (int)s->golden_printed,
               s->label, text_string(&s->message), s->message.length, text_string(&s->output),
               s->output.length, text_string(&s->report), s->report.length, g->svg, (int)g->attempt,
               text_string(&s->hidden), s->hidden.length, s->mistake);
    fine = fine && (s->kind == VERDICT_GRADER ||
                    put(book, "INSERT OR REPLACE INTO history VALUES(?,?,?,?,?,?,NULL)", "bsiiii",
                        h->student, name, h->exercise, (int)g->attempt, (int)s->kind, s->points,
                        s->possible));
    for (size_t i = 0; i < s->n_checks && fine; i++) {
        const SummaryCheck *c = &s->checks[i];
        fine = put(book, "INSERT INTO result VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                   "bsissiiiBBssssBs", h->student, name, h->exercise, (int)i, c->id, c->title,
                   (int)c->state, c->points, c->possible, c->cause, c->detail, c->hints[0],
                   c->hints[1], c->hints[2], c->after, c->hidden, c->mistake);
        if (fine && c->score.got)
            fine = put(book, "INSERT INTO score VALUES(?,?,?,?,?,?,?,?,?)", "bsisiiiis", h->student,
                       name, h->exercise, (int)i, c->id, c->score.got, c->score.par,
                       c->score.record, c->score.share, c->score.unit);
    }
    for (size_t i = 0; i < s->n_notes && fine; i++) {
        fine = put(book, "INSERT INTO note VALUES(?,?,?,?,?)", "bsiiB", h->student, name,
                   h->exercise, (int)i, (int)s->notes[i].error, s->notes[i].text);
    }
    if (fine) return gradebook_keep_soon(book, error, error_size);

    failed(book, error, error_size);
    sqlite3_exec(book->sql, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool gradebook_recount(Gradebook *book, const Exercise *e, const char *fingerprint, char *error,
                       size_t error_size)
{
    if (!begin(book, error, error_size)) return false;
    bool fine = true;
    for (size_t i = 0; i < e->n_checks && fine; i++) {
        const ExerciseCheck *c = &e->checks[i];
        fine = put(
            book,
            "UPDATE result SET possible = ?1, points = iif(state = ?2, ?1, iif(state = ?3, "
            "coalesce((SELECT share * ?1 / 1000 FROM score c WHERE c.student = result.student AND "
            "c.exercise = result.exercise AND c.n = result.n), 0), 0)), hint1 = iif(state = "
            "?3, ?4, NULL),"
            " hint2 = iif(state = ?3, ?5, NULL), hint3 = iif(state = ?3, ?6, NULL) WHERE exercise "
            "= ?7 AND id = ?8 AND"
            " student IN (SELECT student FROM submission WHERE exercise = ?7 AND fingerprint = ?9)",
            "iiissssss", c->points, (int)CHECK_PASS, (int)CHECK_FAIL, c->hints[0], c->hints[1],
            c->hints[2], e->id, c->id, fingerprint);
    }
    fine = fine && put(book,
                       "UPDATE submission SET possible = ?1, points = (SELECT "
                       "coalesce(sum(r.points), 0) FROM result r"
                       " WHERE r.student = submission.student AND r.exercise = "
                       "submission.exercise) WHERE exercise = ?2 AND"
                       " fingerprint = ?3",
                       "iss", exercise_points(e), e->id, fingerprint);
    fine =
        fine &&
        put(book,
            "UPDATE history SET (points, possible) = (SELECT s.points, s.possible FROM submission "
            "s WHERE s.student = history.student AND s.exercise = history.exercise) WHERE "
            "exercise = ?1 AND EXISTS (SELECT 1 FROM submission s WHERE s.student = "
            "history.student AND s.exercise = ?1 AND s.attempt = history.attempt AND "
            "s.fingerprint = ?2)",
            "ss", e->id, fingerprint);
    return settle(book, fine, error, error_size);
}

bool gradebook_recount_card(Gradebook *book, const Exercise *e, const char *fingerprint,
                            char *error, size_t error_size)
{
    if (!begin(book, error, error_size)) return false;
    bool fine = true;
    for (size_t i = 0; i < e->n_checks && fine; i++)
        fine =
            put(book,
                "UPDATE card_result SET possible = ?1, points = iif(state = ?2, ?1, "
                "points * ?1 / max(possible, 1)) WHERE exercise = ?3 AND"
                " id = ?4 AND student IN (SELECT student FROM card WHERE exercise = ?3 AND "
                "fingerprint = ?5)",
                "iisss", e->checks[i].points, (int)CHECK_PASS, e->id, e->checks[i].id, fingerprint);
    fine = fine && put(book,
                       "UPDATE card SET possible = ?1, points = (SELECT coalesce(sum(r.points), 0) "
                       "FROM card_result r"
                       " WHERE r.student = card.student AND r.exercise = card.exercise) WHERE "
                       "exercise = ?2 AND"
                       " fingerprint = ?3",
                       "iss", exercise_points(e), e->id, fingerprint);
    return settle(book, fine, error, error_size);
}

bool gradebook_ran(Gradebook *book, const Handin *handin, Text *source)
{
    sqlite3_stmt *statement;
    *source = (Text){0};
    if (sqlite3_prepare_v2(
            book->sql,
            "SELECT source FROM submission WHERE student = ? AND exercise = ? AND kind IN (?, ?)",
            -1, &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_blob64(statement, 1, handin->student, strlen(handin->student), SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, handin->exercise, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 3, VERDICT_PASS);
    sqlite3_bind_int(statement, 4, VERDICT_FAIL);
    bool ran = sqlite3_step(statement) == SQLITE_ROW;
    const void *bytes = ran ? sqlite3_column_blob(statement, 0) : NULL;
    if (bytes) text_append(source, bytes, (size_t)sqlite3_column_bytes(statement, 0));
    sqlite3_finalize(statement);
    return ran;
}

bool gradebook_knows_card(Gradebook *book, const Handin *handin, const char *fingerprint)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(
            book->sql,
            "SELECT 1 FROM card WHERE student = ? AND exercise = ? AND fingerprint = ? AND kind"
            " != ?",
            -1, &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_blob64(statement, 1, handin->student, strlen(handin->student), SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, handin->exercise, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, fingerprint, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 4, VERDICT_GRADER);
    bool known = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return known;
}

bool gradebook_put_card(Gradebook *book, const Grade *g, const char *card, char *error,
                        size_t error_size)
{
    const Summary *s = g->summary;
    const Handin *h = g->handin;
    bool fine = begin(book, error, error_size);
    if (!fine) return false;
    fine = forget_card(book, h) &&
           put(book, "INSERT INTO card VALUES(?,?,?,?,?,?,?,?,?,?,?)", "BssssiiisBs", h->student,
               h->exercise, card, g->fingerprint, g->sandbox, (int)s->kind, s->points, s->possible,
               s->label, text_string(&s->message), g->svg);
    for (size_t i = 0; i < s->n_checks && fine; i++) {
        const SummaryCheck *c = &s->checks[i];
        fine = put(book, "INSERT INTO card_result VALUES(?,?,?,?,?,?,?,?,?)", "BsissiiiB",
                   h->student, h->exercise, (int)i, c->id, c->title, (int)c->state, c->points,
                   c->possible, c->cause);
    }
    return settle(book, fine, error, error_size);
}

bool gradebook_present(Gradebook *book, const Inbox *inbox, char *error, size_t error_size)
{
    bool fine = begin(book, error, error_size) &&
                run(book, "UPDATE submission SET gone = 1", error, error_size);
    for (size_t i = 0; i < inbox->n && fine; i++) {
        const Handin *h = &inbox->items[i];
        fine = put(book, "UPDATE submission SET gone = 0 WHERE student = ? AND exercise = ?", "Bs",
                   h->student, h->exercise) ||
               failed(book, error, error_size);
    }
    if (!fine) {
        sqlite3_exec(book->sql, "ROLLBACK", NULL, NULL, NULL);
        return false;
    }
    return run(book, "COMMIT", error, error_size);
}

bool gradebook_forget_likenesses(Gradebook *book, char *error, size_t error_size)
{
    return run(book, "DELETE FROM likeness", error, error_size);
}

bool gradebook_likeness(Gradebook *book, const char *exercise, const char *a, const char *b,
                        int percent, const char *parts, char *error, size_t error_size)
{
    return put(book, "INSERT OR REPLACE INTO likeness VALUES(?,?,?,?,?)", "sBBiB", exercise, a, b,
               percent, parts) ||
           failed(book, error, error_size);
}

bool gradebook_finish(Gradebook *book, char *error, size_t error_size)
{
    char *packed = memory_format("%s.packed", book->path);
    unlink(packed);
    bool fine = gradebook_keep(book, error, error_size) &&
                (put(book, "VACUUM INTO ?", "s", packed) || failed(book, error, error_size));
    sqlite3 *copy = NULL;
    /* packing counts the changes of the schema; how often it was packed is nobody's business */
    if (fine && (sqlite3_open_v2(packed, &copy, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
                 sqlite3_exec(copy, "PRAGMA schema_version = 1", NULL, NULL, NULL) != SQLITE_OK)) {
        snprintf(error, error_size, "%.400s: %s", packed,
                 copy ? sqlite3_errmsg(copy) : "no memory");
        fine = false;
    }
    if (copy) sqlite3_close(copy);
    int fd = fine ? open(packed, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    if (fine) {
        sqlite3_close(book->sql);
        book->sql = NULL;
        fine = rename(packed, book->path) == 0;
        if (!fine) snprintf(error, error_size, "%.400s: %s", book->path, strerror(errno));
    }
    unlink(packed);
    free(packed);
    return fine;
}
