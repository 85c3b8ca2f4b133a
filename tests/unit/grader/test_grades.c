/* What a course has besides verdicts: dates, points by hand, lateness, the tables of platforms. */
#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/text.h"
#include "grader/grades/grades.h"
#include "tests/unit/cases.h"

static char folder[64];
static Gradebook *book;

static void sql(const char *statements)
{
    char *why = NULL;
    if (sqlite3_exec(gradebook_sql(book), statements, NULL, NULL, &why) != SQLITE_OK)
        ck_abort_msg("%s: %s", why, statements);
}

/* One value as text; "-" for NULL or no row. The caller frees. */
static char *value(const char *query)
{
    sqlite3_stmt *row;
    ck_assert_int_eq(sqlite3_prepare_v2(gradebook_sql(book), query, -1, &row, NULL), SQLITE_OK);
    const char *text =
        sqlite3_step(row) == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    char *copy = memory_copy(text ? text : "-");
    sqlite3_finalize(row);
    return copy;
}

static void is(const char *query, const char *wanted)
{
    char *got = value(query);
    if (strcmp(got, wanted) != 0) ck_abort_msg("%s: '%s', not '%s'", query, got, wanted);
    free(got);
}

static char *file(const char *name, const char *text)
{
    char *path = memory_format("%s/%s", folder, name);
    ck_assert_int_eq(text_write_file(path, text, strlen(text)), 0);
    return path;
}

static void set_up(void)
{
    char error[300];
    setenv("TZ", "UTC", 1);
    strcpy(folder, "/tmp/year-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char *path = memory_format("%s/book", folder);
    book = gradebook_open(path, error, sizeof error);
    ck_assert_ptr_nonnull(book);
    free(path);
    sql("INSERT INTO grading VALUES('seed', '7');"
        "INSERT INTO exercise VALUES('ex41', 41, 'T', 'Easy', 10, 40, 'f', NULL);"
        "INSERT INTO exercise VALUES('ex42', 42, 'U', 'Easy', 10, 20, 'f', NULL);"
        "INSERT INTO submission(student, exercise, kind, points, possible, gone, path) VALUES"
        "(CAST('Ada Lovelace' AS BLOB), 'ex41', 0, 40, 40, 0, 'p'),"
        "(CAST('Bob' AS BLOB), 'ex41', 1, 10, 40, 0, 'p'),"
        "(CAST('lovelaceada_7' AS BLOB), 'ex42', 0, 20, 20, 0, 'p'),"
        "(CAST('Eve' AS BLOB), 'ex41', 7, 0, 40, 0, 'p');"
        "INSERT INTO result(student, exercise, n, id, title, state, points, possible, cause) VALUES"
        "(CAST('Bob' AS BLOB), 'ex41', 0, 'one', 'One', 0, 10, 10, NULL),"
        "(CAST('Bob' AS BLOB), 'ex41', 1, 'two', 'Two', 1, 0, 30, 'it waits');");
}

static void tidy(void)
{
    char *line = memory_format("rm -rf '%s'", folder);
    gradebook_close(book);
    ck_assert_int_eq(system(line), 0);
    free(line);
}

START_TEST(dates_as_people_and_platforms_write_them)
{
    static const struct {
        const char *text;
        long long seconds;
    } rows[] = {
        {"2026-11-20 23:59", 1795219140},
        {"2026-11-20T23:59:00Z", 1795219140},
        {"2026-11-20", 1795219199},
        {"2026-11-20 15:59:00 -0800", 1795219140},
        {"Friday, 20 November 2026, 11:59 PM", 1795219140},
        {"Friday, 20 November 2026, 23:59", 1795219140},
        {"2026-11-21T00:59+01:00", 1795219140},
    };
    static const char *const none[] = {"", "-", "tomorrow", "2026-13-40", "2026-11-20 23:59 x"};
    long long at;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(grades_time(rows[i].text, &at), "%s", rows[i].text);
        ck_assert_msg(at == rows[i].seconds, "%s: %lld", rows[i].text, at);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!grades_time(none[i], &at), "%s", none[i]);
}
END_TEST

static void take(const GradesFiles *files)
{
    char error[600] = "";
    GradesRoster *rosters;
    ck_assert_msg(grades_take(book, files, &rosters, error, sizeof error), "%s", error);
    ck_assert_msg(grades_finalize(book, error, sizeof error), "%s", error);
    grades_release(rosters);
}

START_TEST(points_by_hand_stand_beside_those_that_were_judged)
{
    char *path = file("a.csv", "student,exercise,check,points,comment\n"
                               "Bob,ex41,two,15,nearly\nBob,ex41,,,on the whole\n"
                               "Ada Lovelace,ex41,,39,\n");
    take(&(GradesFiles){.amend = path});
    is("SELECT given FROM submission WHERE student = CAST('Bob' AS BLOB)", "25");
    is("SELECT points FROM submission WHERE student = CAST('Bob' AS BLOB)", "10");
    is("SELECT CAST(comment AS TEXT) FROM submission WHERE student = CAST('Bob' AS BLOB)",
       "on the whole\nnearly");
    is("SELECT given FROM submission WHERE exercise = 'ex41' AND kind = 0", "39");
    is("SELECT given FROM submission WHERE exercise = 'ex42'", "-");
    /* judged again: what was given is there still */
    sql("UPDATE submission SET points = 12, given = NULL, comment = NULL WHERE student = "
        "CAST('Bob' AS BLOB); UPDATE result SET points = 12 WHERE id = 'one'");
    take(&(GradesFiles){0});
    is("SELECT given FROM submission WHERE student = CAST('Bob' AS BLOB)", "27");
    free(path);
}
END_TEST

START_TEST(late_days_cost_what_was_said)
{
    char *path = file("d.csv", "exercise,due,student,percent,days\n"
                               "ex41,2026-11-20 23:59,,10,3\nex41,2026-11-25 23:59,Bob,,\n");
    sql("INSERT INTO handed VALUES(CAST('Ada Lovelace' AS BLOB), 'ex41', 1795219140 + 86401, 0);"
        "INSERT INTO handed VALUES(CAST('Bob' AS BLOB), 'ex41', 1795219140 + 86401, 0);"
        "INSERT INTO handed VALUES(CAST('Eve' AS BLOB), 'ex41', 1795219140 + 86401, 0);"
        "INSERT INTO handed VALUES(CAST('lovelaceada_7' AS BLOB), 'ex42', NULL, 1);");
    take(&(GradesFiles){.due = path});
    is("SELECT days_late || ' ' || given FROM submission WHERE exercise = 'ex41' AND kind = 0",
       "2 32");
    is("SELECT days_late FROM submission WHERE student = CAST('Bob' AS BLOB)", "0"); /* extended */
    is("SELECT given FROM submission WHERE student = CAST('Bob' AS BLOB)", "-");
    is("SELECT days_late FROM submission WHERE exercise = 'ex42'", "1"); /* marked, no more known */
    is("SELECT days_late FROM submission WHERE kind = 7", "-");          /* nobody's zero */
    /* later than is taken */
    sql("UPDATE handed SET at = at + 3 * 86400 WHERE student = CAST('Ada Lovelace' AS BLOB)");
    take(&(GradesFiles){0});
    is("SELECT given FROM submission WHERE exercise = 'ex41' AND kind = 0", "0");
    /* on the second: in time */
    sql("UPDATE handed SET at = 1795219140");
    take(&(GradesFiles){0});
    is("SELECT days_late FROM submission WHERE exercise = 'ex41' AND kind = 0", "0");
    free(path);
}
END_TEST

static void refused(const char *name, const char *text, bool due, const char *words)
{
    char error[600] = "", *path = file(name, text);
    GradesRoster *rosters;
    GradesFiles files = {.amend = due ? NULL : path, .due = due ? path : NULL};
    ck_assert(!grades_take(book, &files, &rosters, error, sizeof error));
    if (!strstr(error, words)) ck_abort_msg("'%s' does not say '%s'", error, words);
    grades_release(rosters);
    free(path);
}

START_TEST(a_table_is_taken_whole_or_not_at_all)
{
    char *path = file("a.csv", "student,exercise,points\nBob,ex41,11\n");
    take(&(GradesFiles){.amend = path});
    refused("b.csv", "student,exercise,points\nBob,ex41,12\nBob,ex99,1\n", false,
            "b.csv, row 3: no such exercise has been graded: \"ex99\"");
    refused("c.csv", "student,points\nBob,12\n", false,
            "there is no column \"exercise\"; its first row names the columns: student, exercise, "
            "points, check, comment");
    refused("e.csv", "student,exercise,points\nBob,ex41,1.5\n", false,
            "row 2: points are a whole number: \"1.5\"");
    refused("f.csv", "student,exercise,points\nBob,ex41,1\nBob,ex41,2\n", false,
            "row 3: it is there twice: \"Bob\"");
    refused("g.csv", "student,exercise,points\nBob,ex41,\n", false, "neither points nor a comment");
    refused("h.csv", "student,exercise,points\n,ex41,3\n", false, "it names no student");
    refused("i.csv", "exercise,due\nex41,soon\n", true, "a due date looks like");
    refused("k.csv", "exercise,due,percent\nex41,2026-11-20,200\n", true, "0 to 100");
    refused("l.csv", "exercise,due,days\nex41,2026-11-20,-1\n", true, "how many late ones");
    take(&(GradesFiles){0});
    is("SELECT given FROM submission WHERE student = CAST('Bob' AS BLOB)", "11");
    free(path);
}
END_TEST

static Handin handin(const char *student, const char *exercise, const char *path)
{
    return (Handin){.student = (char *)(uintptr_t)student,
                    .exercise = (char *)(uintptr_t)exercise,
                    .path = (char *)(uintptr_t)path};
}

/* The table of that platform, matched with these and filled in; the caller frees. */
static char *filled(const char *roster, const char *name, Handin *items, size_t n, size_t unmatched)
{
    char error[600] = "";
    GradesRoster *rosters;
    Inbox inbox = {.items = items, .n = n};
    ck_assert_msg(grades_take(book, &(GradesFiles){.roster = roster}, &rosters, error,
                              sizeof error),
                  "%s", error);
    ck_assert_msg(grades_match(book, rosters, &inbox, error, sizeof error), "%s", error);
    ck_assert_msg(grades_finalize(book, error, sizeof error), "%s", error);
    ck_assert_msg(grades_write(folder, book, rosters, error, sizeof error), "%s", error);
    ck_assert_uint_eq(grades_unmatched(rosters), unmatched);
    grades_release(rosters);
    char *path = memory_format("%s/filled-%s", folder, name);
    Text text = {0};
    ck_assert_int_eq(text_read_file(&text, path, 1 << 20), 0);
    free(path);
    return text_take(&text);
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words)) ck_abort_msg("no '%s' in\n%.1500s", words, text);
}

START_TEST(moodle)
{
    char *path = file("m.csv",
                      "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified "
                      "(submission),Feedback comments\n"
                      "Participant 11,Ada Lovelace,a@x,,100,\"Friday, 20 November 2026, 11:59 PM\","
                      "\nParticipant 12,Bob Byte,bob@x,,100,-,\nParticipant 13,Bob,b@x,,100,-,\n"),
         *words = memory_format("ex41=%s", path);
    /* Bob is Participant 12 by the number in the folder's name, whoever else is called so */
    Handin items[] = {handin("Ada Lovelace", "ex41", "Ada Lovelace_11_assignsubmission_file_/a.cu"),
                      handin("Bob", "ex41", "Bob_12_assignsubmission_file_/a.cu"),
                      handin("Eve", "ex41", "Eve_14_assignsubmission_file_/a.cu")};
    char *got = filled(words, "ex41-m.csv", items, 3, 1);
    has(got, "Participant 11,Ada Lovelace,a@x,100.00,100,");
    has(got, "\"pass, 40 of 40 points\"");
    has(got, "Participant 12,Bob Byte,bob@x,25.00,100,-,"
             "\"fail, 10 of 40 points. \"\"Two\"\": it waits\"");
    has(got, "Participant 13,Bob,b@x,,100,-,\r\n");
    is("SELECT at FROM handed WHERE student = CAST('Ada Lovelace' AS BLOB)", "1795219140");
    free(got);
    free(path);
    free(words);
}
END_TEST

START_TEST(canvas)
{
    char *path = file("c.csv", "Student,ID,SIS Login ID,Section,Streams (ex41) (991),ex42 pinned "
                               "(992),Final\n    Points Possible,,,,100,20,\n"
                               "\"Lovelace, Ada\",7,ada,A,,,\n\"Byte, Bob\",8,Bob,A,,,\n");
    Handin items[] = {handin("Bob", "ex41", "Bob/ex41.cu"),
                      handin("lovelaceada_7", "ex42", "lovelaceada_LATE_7_55_ex42.cu")};
    char *got = filled(path, "c.csv", items, 2, 0);
    has(got, "\"Lovelace, Ada\",7,ada,A,,20,\r\n");
    has(got, "\"Byte, Bob\",8,Bob,A,25.00,,\r\n");
    is("SELECT late FROM handed WHERE exercise = 'ex42'", "1");
    free(got);
    free(path);
}
END_TEST

START_TEST(gradescope_and_a_table_of_ones_own)
{
    char *path = file("g.csv", "First Name,Last Name,SID,Email,Total Score,Max Points,Submission "
                               "Time\nAda,Lovelace,s1,al@x.org,,40.0,2026-11-20 15:59:00 -0800\n"
                               "Bob,Byte,Bob,bob@x,,40.0,\n");
    Handin items[] = {handin("Ada Lovelace", "ex41", "Ada Lovelace/ex41.cu"),
                      handin("Bob", "ex41", "Bob/ex41.cu")};
    char *got = filled(path, "ex41-g.csv", items, 2, 0);
    has(got, "Ada,Lovelace,s1,al@x.org,40,40.0,");
    has(got, "Bob,Byte,Bob,bob@x,10,40.0,");
    is("SELECT at FROM handed WHERE student = CAST('Ada Lovelace' AS BLOB)", "1795219140");
    free(got);
    free(path);
    path = file("o.csv", "student,handed,points\nBob,2026-11-20 23:59,\nbob,2026-11-20 23:59,\n");
    got = filled(path, "ex41-o.csv", items, 2, 2); /* two rows fit Bob, none Ada */
    has(got, "Bob,2026-11-20 23:59,\r\n");
    free(got);
    free(path);
}
END_TEST

START_TEST(a_roster_that_is_none_is_said)
{
    char error[900] = "", *path = file("n.csv", "name,mark\nBob,1\n");
    GradesRoster *rosters;
    ck_assert(!grades_take(book, &(GradesFiles){.roster = path}, &rosters, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "neither Moodle's headings"));
    ck_assert(!grades_take(book, &(GradesFiles){.roster = "ex41=/no/such"}, &rosters, error,
                           sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "/no/such: No such file"));
    free(path);
    /* a table of one assignment, and hand-ins for two */
    path = file("o.csv", "student,handed\nBob,\n");
    Handin items[] = {handin("Bob", "ex41", "p"), handin("Bob", "ex42", "p")};
    ck_assert(grades_take(book, &(GradesFiles){.roster = path}, &rosters, error, sizeof error));
    ck_assert(!grades_match(book, rosters, &(Inbox){.items = items, .n = 2}, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "say which, as in ex43="));
    grades_release(rosters);
    free(path);
}
END_TEST

/* Hand-ins for an exercise that no heading of a table of all names are not that table's; what lies
 * behind the last heading is not looked at (memory is filled with what is no address). */
START_TEST(an_exercise_that_no_heading_names)
{
    char error[600] = "";
    mallopt(M_PERTURB, 0x55);
    char *path = file("c.csv", "Student,ID,SIS Login ID,Section,Streams (ex41) (991),ex42 pinned "
                               "(992),Final\n    Points Possible,,,,100,20,\n"
                               "\"Byte, Bob\",8,Bob,A,,,\n");
    GradesRoster *rosters;
    Handin items[] = {handin("Bob", "ex4", "Bob/ex4.cu"), handin("Bob", "ex43", "Bob/ex43.cu")};
    ck_assert_msg(grades_take(book, &(GradesFiles){.roster = path}, &rosters, error, sizeof error),
                  "%s", error);
    ck_assert_msg(grades_match(book, rosters, &(Inbox){.items = items, .n = 2}, error,
                               sizeof error),
                  "%s", error);
    ck_assert_uint_eq(grades_unmatched(rosters), 0);
    grades_release(rosters);
    free(path);
}
END_TEST

START_TEST(without_names)
{
    char error[300];
    Gradebook *real = book;
    sql("UPDATE submission SET source = 'by Bob', output = 'Bob', comment = 'Bob', message = "
        "'Bob'");
    Gradebook *copy = grades_anonymous(real, error, sizeof error);
    ck_assert_ptr_nonnull(copy);
    book = copy;
    is("SELECT count(*) FROM submission WHERE instr(CAST(student AS TEXT) || coalesce(source, '') "
       "|| coalesce(output, '') || coalesce(comment, '') || coalesce(message, '') || path, 'Bob')",
       "0");
    is("SELECT count(DISTINCT student) FROM submission", "4");
    is("SELECT count(*) FROM result r JOIN submission s USING(student, exercise)", "2");
    gradebook_close(copy);
    book = real;
    is("SELECT count(*) FROM submission WHERE student = CAST('Bob' AS BLOB)", "1");
}
END_TEST

START_TEST(judged_once_more)
{
    char error[300];
    sql("UPDATE submission SET fingerprint = 'f'");
    ck_assert(gradebook_again(book, "Bob", error, sizeof error));
    is("SELECT group_concat(CAST(student AS TEXT)) FROM submission WHERE fingerprint = ''", "Bob");
    ck_assert(!gradebook_again(book, "Nobody", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "Nobody: nobody of that name has been graded"));
}
END_TEST

CASES("year", .before = set_up, .after = tidy)
