/* pages.c - see pages.h. */
#include "grader/classroom/pages_internal.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/folder.h"
#include "common/hash.h"
#include "common/limits.h"
#include "grader/build/build.h"
#include "grader/classroom/tables.h"

enum { MOST_OUTPUT = 20000 };

/* ---- small things ---- */
void page_put(FILE *to, const char *string)
{
    if (string) tables_markup(to, string, strlen(string));
}

void page_put_column(FILE *to, sqlite3_stmt *row, int i)
{
    const char *bytes = sqlite3_column_blob(row, i);
    if (bytes) tables_markup(to, bytes, (size_t)sqlite3_column_bytes(row, i));
}

/* What was said of a run, below the run's name where it has one; nothing when nothing was said. A
 * compiler points at columns: its lines stay as they are. */
static void put_message(FILE *to, sqlite3_stmt *row, int kind, int label, int message)
{
    if (sqlite3_column_bytes(row, message) == 0) return;
    fputs(kind == VERDICT_COMPILE ? "<pre>" : "<pre class=\"words\">", to);
    if (sqlite3_column_bytes(row, label) > 0) {
        page_put_column(to, row, label);
        fputs(":\n", to);
    }
    page_put_column(to, row, message);
    fputs("</pre>\n", to);
}

const char *page_kind_class(int kind)
{
    return kind == VERDICT_PASS ? "pass" : kind == VERDICT_FAIL ? "fail" : "other";
}

char *pages_name(const char *student, size_t length, const char *exercise)
{
    Text name = {0};
    Hash hash = hash_start();
    char digits[33];
    for (size_t i = 0; i < length && name.length < 40; i++) {
        char c = student[i];
        bool plain = isalnum((unsigned char)c) && (unsigned char)c < 0x80;
        if (plain || (name.length && text_string(&name)[name.length - 1] != '-'))
            text_append(&name, &(char){plain ? (char)tolower(c) : '-'}, 1);
    }
    /* two names may look the same here; these digits do not */
    hash_add(&hash, student, length);
    hash_name(&hash, digits);
    text_printf(&name, "%s%.8s", name.length ? "-" : "", digits);
    if (exercise) text_printf(&name, "-%s", exercise);
    return text_take(&name);
}

sqlite3_stmt *page_query_for(Gradebook *book, const char *sql, sqlite3_stmt *of, int n,
                             const int *columns)
{
    sqlite3_stmt *statement = gradebook_query(book, sql);
    for (int i = 0; i < n && statement; i++)
        sqlite3_bind_value(statement, i + 1, sqlite3_column_value(of, columns[i]));
    return statement;
}

FILE *page_start(Page *page, const char *title, size_t length, const char *nonce)
{
    *page = (Page){0};
    page->to = open_memstream(&page->bytes, &page->size);
    if (!page->to) return NULL;
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; img-src data:",
          page->to);
    if (nonce) fprintf(page->to, "; script-src 'nonce-%s'", nonce);
    fprintf(page->to, "\">\n<style>\n%s</style>\n<title>", class_css);
    tables_markup(page->to, title, length);
    fputs("</title></head><body>\n", page->to);
    return page->to;
}

bool page_finish(Page *page, const char *path, char *error, size_t error_size)
{
    if (!page->to) return false;
    fputs("</body></html>\n", page->to);
    int failed = fclose(page->to) == 0 ? text_write_file(path, page->bytes, page->size) : ENOMEM;
    free(page->bytes);
    if (failed) snprintf(error, error_size, "%.400s: %s", path, strerror(failed));
    return !failed;
}

/* ---- a submission's page ---- */
static void put_check(FILE *to, sqlite3_stmt *c)
{
    static const char *const words[] = {"pass", "fail", "blocked", "broken"},
                             *const classes[] = {"pass", "fail", "dim", "other"};
    int state = sqlite3_column_int(c, 1);
    if (state < 0 || state > 3) state = 3;
    fprintf(to, "<tr><td class=\"%s\">%s</td><td class=\"n\">%d/%d</td><td>", classes[state],
            words[state], sqlite3_column_int(c, 2), sqlite3_column_int(c, 3));
    page_put_column(to, c, 0);
    if (sqlite3_column_type(c, 4) != SQLITE_NULL) {
        fputs("<p class=\"why\">", to);
        page_put_column(to, c, 4);
        fputs("</p>", to);
    }
    if (sqlite3_column_type(c, 5) != SQLITE_NULL) {
        fputs("<pre>", to);
        page_put_column(to, c, 5);
        fputs("</pre>", to);
    }
    bool more = sqlite3_column_type(c, 7) != SQLITE_NULL;
    if (sqlite3_column_type(c, 6) != SQLITE_NULL) {
        fputs("<p class=\"hint\">Hint: ", to);
        page_put_column(to, c, 6);
        fputs("</p>", to);
    }
    for (int i = 7; i <= 8 && more; i++) {
        if (sqlite3_column_type(c, i) == SQLITE_NULL) continue;
        fputs("<details><summary>a further hint</summary><p class=\"hint\">", to);
        page_put_column(to, c, i);
        fputs("</p></details>", to);
    }
    if (state == CHECK_BLOCKED) {
        bool after = sqlite3_column_type(c, 9) != SQLITE_NULL;
        fprintf(to, "<p class=\"why dim\">not judged %s",
                after ? "until this passes: " : "until the program ends by itself");
        if (after) page_put_column(to, c, 9);
        fputs("</p>", to);
    }
    fputs("</td></tr>\n", to);
}

static void put_block(FILE *to, const char *title, sqlite3_stmt *row, int i)
{
    int length = sqlite3_column_bytes(row, i);
    if (length <= 0) return;
    fprintf(to, "<h2>%s</h2>\n<pre>", title);
    tables_markup(to, sqlite3_column_blob(row, i),
                  (size_t)(length < MOST_OUTPUT ? length : MOST_OUTPUT));
    if (length > MOST_OUTPUT) fprintf(to, "\n... %d bytes more", length - MOST_OUTPUT);
    fputs("</pre>\n", to);
}

enum {
    STUDENT,
    EXERCISE,
    PATH,
    SOURCE,
    SANDBOX,
    KIND,
    POINTS,
    POSSIBLE,
    STOPPED,
    PRINTED,
    LABEL,
    MESSAGE,
    OUTPUT,
    REPORT,
    SVG,
    GONE,
    TITLE,
    REFERENCE,
    CARD,
    CARD_KIND,
    CARD_POINTS,
    CARD_POSSIBLE,
    CARD_SANDBOX,
    CARD_LABEL,
    CARD_MESSAGE,
    CARD_SVG,
    JUDGED,
    DAYS_LATE,
    COMMENT
};
static const char each[] =
    "SELECT s.student, s.exercise, s.path, s.source, s.sandbox, s.kind, coalesce(s.given, "
    "s.points), s.possible, "
    "s.stopped,"
    " s.golden_printed, s.label, s.message, s.output, s.report, s.svg, s.gone, e.title, e.svg,"
    " c.name, c.kind, c.points, c.possible, c.sandbox, c.label, c.message, c.svg, s.points, "
    "s.days_late, s.comment FROM submission s"
    " LEFT JOIN exercise e ON e.id = s.exercise LEFT JOIN card c ON c.student = s.student AND "
    "c.exercise = s.exercise"
    " ORDER BY s.student, s.exercise";
static const char checks[] = "SELECT title, state, points, possible, cause, detail, hint1, hint2, "
                             "hint3, after FROM result WHERE student = ? AND"
                             " exercise = ? ORDER BY n";

static const char card_checks[] = "SELECT title, state, points, possible, cause, NULL, NULL, NULL, "
                                  "NULL, NULL FROM card_result WHERE student = ? AND"
                                  " exercise = ? AND state IN (1, 3) ORDER BY n";

/* The second phase: what failed there, for a person to look at. */
static void put_card(FILE *to, Gradebook *book, sqlite3_stmt *row, const int *key)
{
    if (sqlite3_column_type(row, CARD) == SQLITE_NULL) return;
    int kind = sqlite3_column_int(row, CARD_KIND);
    fputs("<h2>On ", to);
    page_put_column(to, row, CARD);
    fprintf(to, "</h2>\n<p><span class=\"%s\">%s</span>", page_kind_class(kind),
            exit_status_verdict_word(kind));
    if (kind == VERDICT_GRADER) fputs(": a problem of the grader, not of the submission", to);
    else
        fprintf(to, ", %d of %d", sqlite3_column_int(row, CARD_POINTS),
                sqlite3_column_int(row, CARD_POSSIBLE));
    fputs(". The same source, built by nvcc and run on this card. It counts for nothing: the "
          "program wrote this record "
          "itself.</p>\n<p class=\"dim\">sandbox: ",
          to);
    page_put_column(to, row, CARD_SANDBOX);
    fputs("</p>\n", to);
    put_message(to, row, kind, CARD_LABEL, CARD_MESSAGE);
    sqlite3_stmt *c = page_query_for(book, card_checks, row, 2, key);
    bool any = c && sqlite3_step(c) == SQLITE_ROW;
    if (any) fputs("<div class=\"wide\"><table>\n", to);
    for (bool more = any; more; more = sqlite3_step(c) == SQLITE_ROW) put_check(to, c);
    if (any) fputs("</table></div>\n", to);
    sqlite3_finalize(c);
    if (sqlite3_column_type(row, CARD_SVG) == SQLITE_NULL) return;
    fputs("<div class=\"pictures\"><figure><figcaption>As the card ran it</figcaption>", to);
    fputs((const char *)sqlite3_column_text(row, CARD_SVG), to);
    fputs("</figure></div>\n", to);
}

/* What came to a verdict from outside: late, changed by hand, a comment. */
static void put_year(FILE *to, sqlite3_stmt *row)
{
    int late = sqlite3_column_int(row, DAYS_LATE);

    if (sqlite3_column_int(row, KIND) == VERDICT_GRADER) return;
    if (sqlite3_column_int(row, JUDGED) != sqlite3_column_int(row, POINTS))
        fprintf(to, " (judged: %d)", sqlite3_column_int(row, JUDGED));
    if (late > 0)
        fprintf(to, " <span class=\"other\">%d day%s late</span>", late, late == 1 ? "" : "s");
    if (!sqlite3_column_bytes(row, COMMENT)) return;
    fputs("</p>\n<h2>Comment</h2>\n<p style=\"white-space:pre-wrap\">", to);
    page_put_column(to, row, COMMENT);
}

static void put_heading(FILE *to, sqlite3_stmt *row, const char *student, size_t length)
{
    int kind = sqlite3_column_int(row, KIND);

    fputs("<h1>", to);
    tables_markup(to, student, length);
    fprintf(to, ": %s ", (const char *)sqlite3_column_text(row, EXERCISE));
    page_put_column(to, row, TITLE);
    fprintf(to, "</h1>\n<p><span class=\"%s\">%s</span>", page_kind_class(kind),
            exit_status_verdict_word(kind));
    if (kind == VERDICT_GRADER)
        fputs(": a problem of the grader, not of the submission; no points are given or taken", to);
    else
        fprintf(to, ", %d of %d points", sqlite3_column_int(row, POINTS),
                sqlite3_column_int(row, POSSIBLE));
    put_year(to, row);
    fputs("</p>\n<p class=\"dim\">", to);
    page_put_column(to, row, PATH);
    if (sqlite3_column_int(row, GONE)) fputs(" (no longer in the folder)", to);
    if (sqlite3_column_type(row, SANDBOX) != SQLITE_NULL) {
        fputs("; sandbox: ", to);
        page_put_column(to, row, SANDBOX);
    }
    fputs("</p>\n", to);
}

static void put_end(FILE *to, sqlite3_stmt *row)
{
    int kind = sqlite3_column_int(row, KIND);

    put_message(to, row, kind, LABEL, MESSAGE);
    if (kind == VERDICT_TIMEOUT || kind == VERDICT_LIMIT)
        fputs("<p class=\"dim\">How far it came by then is another each time: it is not "
              "kept.</p>\n",
              to);
    if (sqlite3_column_int(row, PRINTED))
        fputs("<p class=\"other\">The program printed the expected report itself. Printing "
              "proves nothing: the verdict comes from what ran.</p>\n",
              to);
}

static void put_checks(FILE *to, Gradebook *book, sqlite3_stmt *row, const int *key)
{
    sqlite3_stmt *c = page_query_for(book, checks, row, 2, key);
    bool any = c && sqlite3_step(c) == SQLITE_ROW;

    if (any) fputs("<h2>Checks</h2>\n<div class=\"wide\"><table>\n", to);
    for (bool more = any; more; more = sqlite3_step(c) == SQLITE_ROW) put_check(to, c);
    if (any) fputs("</table></div>\n", to);
    sqlite3_finalize(c);
}

/* The pictures are made by us, with their texts escaped. */
static void put_schedule(FILE *to, sqlite3_stmt *row)
{
    if (sqlite3_column_type(row, SVG) == SQLITE_NULL) return;
    fputs("<h2>Schedule</h2>\n<div class=\"pictures\"><figure><figcaption>This "
          "submission</figcaption>",
          to);
    fputs((const char *)sqlite3_column_text(row, SVG), to);
    fputs("</figure>", to);
    if (sqlite3_column_int(row, KIND) != VERDICT_PASS &&
        sqlite3_column_type(row, REFERENCE) != SQLITE_NULL) {
        fputs("<figure><figcaption>A solution</figcaption>", to);
        fputs((const char *)sqlite3_column_text(row, REFERENCE), to);
        fputs("</figure>", to);
    }
    fputs("</div>\n", to);
}

static void put_notes(FILE *to, Gradebook *book, sqlite3_stmt *row, const int *key)
{
    sqlite3_stmt *notes =
        page_query_for(book, "SELECT text FROM note WHERE student = ? AND exercise = ? ORDER BY n",
                       row, 2, key);
    for (int i = 0; notes && sqlite3_step(notes) == SQLITE_ROW; i++) {
        if (!i) fputs("<h2>From the virtual GPU</h2>\n", to);
        fputs("<pre class=\"words\">", to);
        page_put_column(to, notes, 0);
        fputs("</pre>\n", to);
    }
    sqlite3_finalize(notes);
}

/* alone: it is given to the student, without the class around it. */
static FILE *make_submission(Page *page, Gradebook *book, sqlite3_stmt *row, bool alone)
{
    static const int key[] = {STUDENT, EXERCISE};
    const char *student = sqlite3_column_blob(row, STUDENT);
    size_t length = (size_t)sqlite3_column_bytes(row, STUDENT);
    FILE *to = page_start(page, student, length, NULL);
    if (to) {
        if (!alone) fputs("<p><a href=\"../index.html\">All submissions</a></p>\n", to);
        put_heading(to, row, student, length);
        put_end(to, row);
        put_checks(to, book, row, key);
        put_schedule(to, row);
        put_card(to, book, row, key);
        put_notes(to, book, row, key);
        put_block(to, "Report", row, REPORT);
        put_block(to, "What the program printed", row, OUTPUT);
        fputs("<details><summary>The source as it was handed in</summary>\n", to);
        put_block(to, "Source", row, SOURCE);
        fputs("</details>\n", to);
    }
    return to;
}

static bool write_submission(const char *folder, Gradebook *book, sqlite3_stmt *row, char *error,
                             size_t error_size)
{
    Page page;
    char *name = pages_name(sqlite3_column_blob(row, STUDENT),
                            (size_t)sqlite3_column_bytes(row, STUDENT),
                            (const char *)sqlite3_column_text(row, EXERCISE)),
         *path = memory_format("%s/students/%s.html", folder, name);
    make_submission(&page, book, row, false);
    bool fine = page_finish(&page, path, error, error_size);
    free(name);
    free(path);
    return fine;
}

/* ---- the class ---- */
void page_link(FILE *to, const char *student, size_t length, const char *exercise)
{
    char *name = pages_name(student, length, exercise);
    fprintf(to, "<a href=\"students/%s.html\">", name);
    free(name);
}

/* What the second phase says of an exercise: how many, and who differs. */
void page_put_cards(FILE *to, Gradebook *book, sqlite3_stmt *e)
{
    static const int id[] = {0};
    sqlite3_stmt *all = page_query_for(
        book,
        "SELECT c.name, sum(c.kind = 0), count(*) FROM card c JOIN submission s ON"
        " s.student = c.student AND s.exercise = c.exercise WHERE c.exercise = ? AND NOT s.gone"
        " GROUP BY c.name ORDER BY c.name",
        e, 1, id);
    while (all && sqlite3_step(all) == SQLITE_ROW) {
        fputs("<p>On ", to);
        page_put_column(to, all, 0);
        fprintf(to, ": %d of %d passed.", sqlite3_column_int(all, 1), sqlite3_column_int(all, 2));
        sqlite3_stmt *others = page_query_for(
            book,
            "SELECT c.student, c.exercise, c.kind FROM card c JOIN submission s ON"
            " s.student = c.student AND s.exercise = c.exercise WHERE c.exercise = ? AND "
            "c.name = ? AND NOT s.gone AND"
            " c.kind != s.kind ORDER BY c.student",
            e, 1, id);
        if (others) sqlite3_bind_value(others, 2, sqlite3_column_value(all, 0));
        for (int i = 0; others && sqlite3_step(others) == SQLITE_ROW; i++) {
            fputs(i ? ", " : " Otherwise than on the virtual GPU: ", to);
            page_link(to, sqlite3_column_blob(others, 0), (size_t)sqlite3_column_bytes(others, 0),
                      (const char *)sqlite3_column_text(others, 1));
            page_put_column(to, others, 0);
            fprintf(to, "</a> (%s)", exit_status_verdict_word(sqlite3_column_int(others, 2)));
        }
        sqlite3_finalize(others);
        fputs("</p>\n", to);
    }
    sqlite3_finalize(all);
}

static void put_units(FILE *to, sqlite3_stmt *row, int i)
{
    Text number = {0};
    if (sqlite3_column_int(row, i)) summary_score_number(&number, sqlite3_column_int(row, i));
    fprintf(to, "<td class=\"n\">%s</td>", text_string(&number));
    text_release(&number);
}

/* The checks of an exercise that keep scores, with what holds for all: par, the record. */
static size_t put_score_heads(FILE *to, Gradebook *book, sqlite3_stmt *e, int *numbers, size_t most)
{
    static const int id[] = {0};
    static const char heads[] =
        "SELECT c.n, min(r.title), min(c.par), max(c.record), min(c.got) FROM score c"
        " JOIN submission s ON s.student = c.student AND s.exercise = c.exercise JOIN result r"
        " ON r.student = c.student AND r.exercise = c.exercise AND r.n = c.n"
        " WHERE c.exercise = ? AND NOT s.gone GROUP BY c.n ORDER BY c.n";
    static const char *const rows[] = {"Lengths, the shortest first", "par", "record",
                                       "best of the class"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sqlite3_stmt *row = page_query_for(book, heads, e, 1, id);
        bool any = row && sqlite3_step(row) == SQLITE_ROW;
        if (any && i == 0) fputs("<div class=\"wide\"><table class=\"scores\">", to);
        if (any) fprintf(to, i ? "<tr><td class=\"dim\">%s</td>" : "<tr><th>%s</th>", rows[i]);
        for (bool more = any; more && (i || n < most); more = sqlite3_step(row) == SQLITE_ROW) {
            if (i) {
                put_units(to, row, (int)i + 1);
                continue;
            }
            numbers[n++] = sqlite3_column_int(row, 0);
            fputs("<th class=\"n\">", to);
            page_put_column(to, row, 1);
            fputs("</th>", to);
        }
        if (any) fputs("</tr>\n", to);
        sqlite3_finalize(row);
    }
    return n;
}

/* Who is how good at the lengths of an exercise: those with all of them first, by how near they
 * are to par in all. */
void page_put_scores(FILE *to, Gradebook *book, sqlite3_stmt *e)
{
    enum { MOST_SCORES = 32 };
    static const int id[] = {0};
    int numbers[MOST_SCORES];
    size_t n = put_score_heads(to, book, e, numbers, MOST_SCORES), at = 0;
    if (!n) return;

    sqlite3_stmt *row = page_query_for(
        book,
        "SELECT c.student, c.exercise, c.n, c.got, c.par, count(*) OVER who AS many,"
        " sum(c.got * 1000 / c.par) OVER who AS far FROM score c JOIN submission s ON"
        " s.student = c.student AND s.exercise = c.exercise WHERE c.exercise = ? AND NOT s.gone"
        " WINDOW who AS (PARTITION BY c.student) ORDER BY many DESC, far, c.student, c.n",
        e, 1, id);
    Text last = {0};
    bool any = false;
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        const char *student = sqlite3_column_blob(row, 0);
        size_t length = (size_t)sqlite3_column_bytes(row, 0);
        if (!any || last.length != length || memcmp(text_string(&last), student, length) != 0) {
            if (any) fputs("</tr>\n", to);
            text_clear(&last);
            text_append(&last, student, length);
            fputs("<tr><td>", to);
            page_link(to, student, length, (const char *)sqlite3_column_text(row, 1));
            page_put_column(to, row, 0);
            fputs("</a></td>", to);
            any = true;
            at = 0;
        }
        for (; at < n && numbers[at] != sqlite3_column_int(row, 2); at++) fputs("<td></td>", to);
        if (at++ < n) put_units(to, row, 3);
    }
    if (any) fputs("</tr>\n", to);
    fputs("</table></div>\n", to);
    text_release(&last);
    sqlite3_finalize(row);
}

/* One who packs one source ten thousand times fills nobody's page. */
static void put_others(FILE *to, const Inbox *inbox)
{
    if (!inbox->n_others) return;
    fputs("<h2>Handed in more than once</h2>\n<ul>\n", to);
    for (size_t i = 0, first = 0; i < inbox->n_others; i++) {
        const Handin *other = &inbox->others[i], *before = &inbox->others[first];
        if (strcmp(other->student, before->student) || strcmp(other->exercise, before->exercise))
            first = i;
        if (i - first == LIMIT_INBOX_LINES) {
            size_t last = i;
            while (last < inbox->n_others && !strcmp(inbox->others[last].student, other->student) &&
                   !strcmp(inbox->others[last].exercise, other->exercise))
                last++;
            fputs("<li>", to);
            page_put(to, other->student);
            fprintf(to, ": %zu more for %s</li>\n", last - i, other->exercise);
            i = last - 1;
            continue;
        }
        fputs("<li>", to);
        page_put(to, other->path);
        fputs(": ", to);
        page_put(to, other->problem);
        fputs("</li>\n", to);
    }
    fputs("</ul>\n", to);
}

void page_put_inbox(FILE *to, const Inbox *inbox)
{
    if (inbox->n_unread) fputs("<h2>Not read</h2>\n<ul>\n", to);
    for (size_t i = 0; i < inbox->n_unread; i++) {
        fputs("<li>", to);
        page_put(to, inbox->unread[i].path);
        fputs(": ", to);
        page_put(to, inbox->unread[i].reason);
        fputs("</li>\n", to);
    }
    if (inbox->n_unread) fputs("</ul>\n", to);
    put_others(to, inbox);
    if (inbox->n_ignored)
        fputs("<h2>Not graded: whose, or which exercise, cannot be told from the name</h2>\n<ul>\n",
              to);
    for (size_t i = 0; i < inbox->n_ignored; i++) {
        fputs("<li>", to);
        page_put(to, inbox->ignored[i]);
        fputs("</li>\n", to);
    }
    if (inbox->n_ignored) fputs("</ul>\n", to);
    if (inbox->n_untold)
        fprintf(to, "<p>And %zu more, of those who have many.</p>\n", inbox->n_untold);
}

bool pages_feedback(Gradebook *book, PagesFeedback *take, void *data)
{
    sqlite3_stmt *row = gradebook_query(book, each);
    bool fine = row != NULL;
    while (fine && sqlite3_step(row) == SQLITE_ROW) {
        Page page;
        char *path = NULL;
        if (sqlite3_column_int(row, GONE)) continue;
        if (sqlite3_column_bytes(row, PATH))
            path = memory_format("%.*s", sqlite3_column_bytes(row, PATH),
                                 (const char *)sqlite3_column_blob(row, PATH));
        char *name = pages_name(sqlite3_column_blob(row, STUDENT),
                                (size_t)sqlite3_column_bytes(row, STUDENT), NULL);
        FILE *to = make_submission(&page, book, row, true);
        if (to) fputs("</body></html>\n", to);
        fine = to && fclose(to) == 0 &&
               take(data, path ? path : "", name, (const char *)sqlite3_column_text(row, EXERCISE),
                    page.bytes, page.size);
        if (to) free(page.bytes);
        free(name);
        free(path);
    }
    sqlite3_finalize(row);
    return fine;
}

bool pages_write(const char *folder, Gradebook *book, const Inbox *inbox, char *error,
                 size_t error_size)
{
    char *inside = memory_format("%s/students", folder);
    int failed = folder_make(inside);
    if (failed) snprintf(error, error_size, "%.400s: %s", inside, strerror(failed));
    free(inside);
    bool fine = !failed;
    sqlite3_stmt *row = fine ? gradebook_query(book, each) : NULL;
    while (fine && row && sqlite3_step(row) == SQLITE_ROW)
        fine = write_submission(folder, book, row, error, error_size);
    sqlite3_finalize(row);
    return fine && class_pages_write(folder, book, inbox, error, error_size);
}
