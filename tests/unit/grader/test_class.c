/* The pages of a class: who is counted, what is grouped, what nobody's name may stand in, and that
 * two thousand students fit. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/json.h"
#include "grader/classroom/pages_internal.h"
#include "tests/unit/cases.h"

typedef struct Made {
    char folder[64];
    Gradebook *book;
    Text index, lecture;
} Made;

static void sql(Gradebook *book, const char *statements)
{
    char *why = NULL;
    if (sqlite3_exec(gradebook_sql(book), statements, NULL, NULL, &why) != SQLITE_OK)
        ck_abort_msg("%s: %s", why, statements);
}

static void page_of(const Made *m, const char *name, Text *text)
{
    char *path = memory_format("%s/%s", m->folder, name);
    ck_assert_int_eq(text_read_file(text, path, 1 << 26), 0);
    free(path);
}

/* A class in a new folder, filled by SQL. */
static void make(Made *m, const char *statements)
{
    char error[300] = "", *path;
    *m = (Made){0};
    strcpy(m->folder, "/tmp/class-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(m->folder));
    path = memory_format("%s/book", m->folder);
    m->book = gradebook_open(path, error, sizeof error);
    ck_assert_msg(m->book != NULL, "%s", error);
    free(path);
    sql(m->book, "PRAGMA synchronous = OFF");
    ck_assert(gradebook_set(m->book, "seed", "7", error, sizeof error));
    sql(m->book, statements);
    ck_assert_msg(pages_write(m->folder, m->book, &(Inbox){0}, error, sizeof error), "%s", error);
    page_of(m, "index.html", &m->index);
    page_of(m, "lecture.html", &m->lecture);
}

static void release(Made *m)
{
    char *line = memory_format("rm -rf '%s'", m->folder);
    gradebook_close(m->book);
    text_release(&m->index);
    text_release(&m->lecture);
    ck_assert_int_eq(system(line), 0);
    free(line);
}

static void has(const Text *page, const char *words)
{
    if (!strstr(text_string(page), words)) ck_abort_msg("there is no '%s'", words);
}

static void lacks(const Text *page, const char *words)
{
    if (strstr(text_string(page), words)) ck_abort_msg("there is a '%s'", words);
}

#define EXERCISE(ID, NUMBER)                                        \
    "INSERT INTO exercise VALUES('" ID "', " #NUMBER ", 'T" #NUMBER \
    "', 'Easy', 10, 4, 'f', '<svg><text>as it should</text></svg>');"
#define SUBMISSION(WHO, ID, KIND, POINTS, GONE)                                            \
    "INSERT INTO submission(student, exercise, kind, points, possible, gone, svg) VALUES(" \
    "CAST('" WHO "' AS BLOB), '" ID "', " #KIND ", " #POINTS ", 4, " #GONE                 \
    ", '<svg><text>as it was</text></svg>');"
#define FAILED(WHO, ID, N, TITLE, CAUSE, MISTAKE)                                          \
    "INSERT INTO result(student, exercise, n, id, title, state, points, possible, cause, " \
    "hint1, mistake) VALUES(CAST('" WHO "' AS BLOB), '" ID "', " #N ", 'c', '" TITLE       \
    "', 1, 0, 1, '" CAUSE "', 'Look there.', " MISTAKE ");"

static const char five[] = EXERCISE("ex90", 90) EXERCISE("ex91", 91)
    /* cat and ann made one mistake, ann in both exercises; bob's cause has no mistake */
    SUBMISSION("ann", "ex90", 1, 2, 0) SUBMISSION("ann", "ex91", 1, 1, 0)
        SUBMISSION("bob", "ex90", 1, 3, 0) SUBMISSION("cat", "ex91", 1, 3, 0)
            SUBMISSION("dan", "ex90", 0, 4, 0) SUBMISSION("eve", "ex90", 1, 0, 1)
                FAILED("ann", "ex90", 0, "Overlap", "H2D1 waited 2.0 units (ex90.cu:9).",
                       "'used one stream'") FAILED("ann", "ex90", 1, "Length", "It took 12.",
                                                   "'used one stream'")
                    FAILED("ann", "ex91", 0, "All", "H2D1 waited 3.0 units.", "'used one stream'")
                        FAILED("bob", "ex90", 0, "Overlap", "K3 came at 7 (ex90.cu:12).", "NULL")
                            FAILED("cat", "ex91", 0, "All", "H2D0 waited 9.0 units.",
                                   "'used one stream'") FAILED("eve", "ex90", 0, "Overlap",
                                                               "whatever", "'used one stream'");

START_TEST(who_did_the_same_is_counted_once_and_who_left_is_not)
{
    Made m;
    make(&m, five);
    has(&m.index, "<b>4</b> students");
    has(&m.index, "<b>5</b> judged, of 2 exercises");
    has(&m.index, "passed: 1");
    has(&m.index, "<b>2 of 4</b> used one stream <span class=\"dim\">(ex90, ex91)</span>");
    has(&m.index, "<b>1 of 4</b> missed &quot;Overlap&quot;");
    has(&m.index, "(no longer in the folder)");
    lacks(&m.index, "whatever");
    /* a cause without a mistake is grouped by what is left without numbers and lines */
    has(&m.index, "K# came at # .");
    /* nobody failed the check that only ann failed but ann */
    has(&m.index, "Length<details>");
    release(&m);
}
END_TEST

START_TEST(the_lecture_has_the_mistakes_and_no_names)
{
    static const char *const names[] = {"ann", "bob", "cat", "dan", "eve"};
    Made m;
    make(&m, five);
    has(&m.lecture, "<b>2 of 4</b> used one stream");
    /* of those who made it, the one with the fewest other failures stands for it */
    has(&m.lecture, "H2D1 waited 3.0 units.");
    has(&m.lecture, "Look there.");
    has(&m.lecture, "as it was");
    has(&m.lecture, "as it should");
    lacks(&m.lecture, "script");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) lacks(&m.lecture, names[i]);
    release(&m);
}
END_TEST

START_TEST(a_student_has_a_page_with_all_of_theirs)
{
    Made m;
    Text page = {0};
    make(&m, five);
    char *name = pages_name("ann", 3, NULL), *file = memory_format("students/%s.html", name),
         *one = memory_format("%s-ex91.html", name);
    page_of(&m, file, &page);
    has(&page, "3 points");
    has(&page, one);
    has(&m.index, file);
    text_release(&page);
    free(name);
    free(file);
    free(one);
    release(&m);
}
END_TEST

/* The script gets rows of the table by number, and only numbers. */
START_TEST(the_script_is_told_rows)
{
    Made m;
    make(&m, five);
    has(&m.index, "{\"m\":[[0,2],\n[1]],\n\"c\":[[1],\n[0],\n[0],\n[0,2]],\n\"k\":[[0,1],\n[0],\n"
                  "[0,2]]}</script>");
    release(&m);
}
END_TEST

START_TEST(weeks_and_attempts_are_shown_where_they_are_known)
{
    Made m;
    make(&m, five);
    lacks(&m.index, "Week by week");
    lacks(&m.index, "Attempt by attempt");
    release(&m);
    char *more =
        memory_format("%sINSERT INTO history VALUES(x'64', 'ex90', 1, 1, 2, 4, 1757000000);"
                      "INSERT INTO history VALUES(x'64', 'ex90', 2, 0, 4, 4, 1757600000);"
                      "INSERT INTO history VALUES(x'64', 'ex90', 3, 0, 4, 4, 1757600001);",
                      five);
    make(&m, more);
    /* the 4th of September 2025 was a Thursday; a second pass of the same is none */
    has(&m.index, "week of 2025-09-01</td><td class=\"n\">1</td><td class=\"n\">0</td><td "
                  "class=\"n\">0</td>");
    has(&m.index, "week of 2025-09-08</td><td class=\"n\">2</td><td class=\"n\">1</td><td "
                  "class=\"n\">1</td>");
    has(&m.index, "attempt 3</td><td class=\"n\">1</td><td class=\"n\">0</td><td class=\"n\">1<");
    free(more);
    release(&m);
}
END_TEST

/* What does not compile is counted, but there is nothing in it to be taught. A crash has its words.
 */
START_TEST(what_teaches_nothing_comes_last)
{
#define ENDED(WHO, KIND, MISTAKE, MESSAGE)                                                       \
    "INSERT INTO submission(student, exercise, kind, points, possible, gone, mistake, message) " \
    "VALUES(CAST('" WHO "' AS BLOB), 'ex90', " #KIND ", 0, 4, 0, '" MISTAKE "', CAST('" MESSAGE  \
    "' AS BLOB));"
    Made m;
    make(&m, EXERCISE("ex90", 90) ENDED("ann", 3, "wrote what does not compile", "error: ;")
                 ENDED("bob", 3, "wrote what does not compile", "error: ;")
                     ENDED("cat", 4, "crashed with a signal", "It fell (ex90.cu:7).\nAnd more."));
    const char *crash = strstr(text_string(&m.index), "</b> crashed with a signal"),
               *compile = strstr(text_string(&m.index), "<b>2 of 3</b> wrote what does not");
    ck_assert(crash && compile && crash < compile);
    has(&m.lecture, "<p>For example in ex90:</p>\n<p class=\"why\">It fell (ex90.cu:7).</p>");
    lacks(&m.lecture, "compile");
    release(&m);
}
END_TEST

START_TEST(an_empty_class_has_pages)
{
    Made m;
    make(&m, "");
    has(&m.index, "<b>0</b> students");
    has(&m.lecture, "Nothing failed.");
    release(&m);
}
END_TEST

/* 2,000 students with 24 exercises each, of which one in three is failed in three checks, for one
 * of five reasons. */
static const char two_thousand[] =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24) INSERT INTO "
    "exercise SELECT printf('ex%02d', i), i, 'An exercise of some length', 'Easy', 10, 40, 'f', "
    "NULL FROM n;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO "
    "submission(student, exercise, kind, points, possible, gone) SELECT CAST(printf('Student "
    "Number %05d', i) AS BLOB), e.id, (i + e.number) % 3 = 0, 40 - (i + e.number) % 3, 40, 0 FROM "
    "n, exercise e;"
    "INSERT INTO result(student, exercise, n, id, title, state, points, possible, cause, mistake) "
    "SELECT s.student, s.exercise, k.n, 'c', 'Check ' || k.n, 1, 0, 1, 'H2D' || k.n || ' waited.', "
    "'did ' || ((length(s.exercise) + unicode(substr(s.student, 19)) + k.n) % 5) FROM submission "
    "s, "
    "(SELECT 0 AS n UNION SELECT 1 UNION SELECT 2) k WHERE s.kind = 1;";

START_TEST(two_thousand_students_fit)
{
    enum { MOST = 3 * 1000 * 1000 };
    char error[300];
    Made m;
    make(&m, "");
    sql(m.book, two_thousand);
    ck_assert(class_pages_write(m.folder, m.book, &(Inbox){0}, error, sizeof error));
    text_clear(&m.index);
    page_of(&m, "index.html", &m.index);
    ck_assert_msg(m.index.length <= MOST, "%zu bytes", m.index.length);
    ck_assert_uint_gt(m.index.length, 1000 * 1000);
    ck_assert_ptr_nonnull(strstr(text_string(&m.index), "<b>2000</b> students"));
    ck_assert_ptr_nonnull(strstr(text_string(&m.index), " more</p>"));
    /* tests/cli/browser.sh looks at it */
    if (getenv("KEEP")) text_write_file(getenv("KEEP"), m.index.data, m.index.length);
    release(&m);
}
END_TEST

CASES("class")
