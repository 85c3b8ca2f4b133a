/* Parts of grading a class: likenesses, hidden parameters, the gradebook and what is made of it. */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "grader/build/build.h"
#include "common/folder.h"
#include "grader/classroom/gradebook.h"
#include "grader/course/hidden.h"
#include "grader/classroom/pages.h"
#include "grader/classroom/similar.h"
#include "grader/classroom/tables.h"
#include "tests/unit/cases.h"

/* ---- likenesses ---- */
static const char starter[] =
    "#include \"ex43.h\"\nvoid asyncPipeline(float *a) {\n  for (int i = 0; i < BATCHES; i++) {\n"
    "    cudaMemcpy(d, h, BATCH_BYTES, cudaMemcpyHostToDevice);\n  }\n}\n";
static const char odd[] = "void asyncPipeline(float *a) {\n  int wonderful = 17; // my own strange "
                          "idea of counting down\n"
                          "  while (wonderful-- > 3) { if (wonderful % 5 == 2) continue; "
                          "step(wonderful, a + 2 * wonderful); }\n"
                          "  finish(a, wonderful, wonderful * wonderful - 9, \"done\"); "
                          "goodbye(a); report(wonderful);\n}\n";
static const char renamed[] =
    "void asyncPipeline(float *z) {\n  int counter = 17;\n"
    "  while (counter-- > 3) { if (counter % 5 == 2) continue; go(counter, z + 2 * counter); }\n"
    "  end(z, counter, counter * counter - 9, \"done\"); leave(z); say(counter);\n}\n";
static const char other[] = "void asyncPipeline(float *a) {\n  cudaStream_t s[BATCHES];\n  for "
                            "(int i = 0; i < BATCHES; i++) "
                            "cudaStreamCreate(&s[i]);\n  for (int i = 0; i < BATCHES; i++) "
                            "work<<<B, T, 0, s[i]>>>(a);\n}\n";

START_TEST(test_similar)
{
    SimilarSource sources[] = {{odd, sizeof odd - 1, false},
                               {starter, sizeof starter - 1, false},
                               {other, sizeof other - 1, false},
                               {odd, sizeof odd - 1, false},
                               {renamed, sizeof renamed - 1, false},
                               {starter, sizeof starter - 1, false},
                               {starter, sizeof starter - 1, true}};
    size_t n;
    SimilarPair *pairs = similar_find(sources, 7, &n);
    ck_assert_uint_eq(n, 3);
    ck_assert(pairs[0].a == 0 && pairs[0].b == 3 && pairs[0].percent == 100 && !pairs[0].renamed);
    ck_assert_str_eq(pairs[0].parts, "lines 1-5 are lines 1-5");
    for (int i = 1; i < 3; i++)
        ck_assert(pairs[i].b == 4 && pairs[i].renamed && pairs[i].percent >= 80);
    similar_free(pairs, n);
}
END_TEST

/* Of comments the words count, however many lines they have: code that was put behind a comment's
 * mark does not look like the code of somebody who runs it, once names are the same. */
START_TEST(test_similar_comments)
{
    static const char code[] = "int f(int n)\n{\n  if (n < 2) return 1 + n;\n"
                               "  while (n > 3) n -= 7;\n  return 5 * n * (n - 1) + f(9 - n);\n}\n";
    char lines[600], block[600];
    snprintf(block, sizeof block, "/* %s*/\n", code);
    size_t n = (size_t)snprintf(lines, sizeof lines, "// ");
    for (const char *c = code; *c; c++) {
        lines[n++] = *c;
        if (*c == '\n' && c[1]) n += (size_t)snprintf(lines + n, sizeof lines - n, "// ");
    }
    SimilarSource sources[] = {{block, strlen(block), false},
                               {lines, n, false},
                               {code, sizeof code - 1, false}};
    SimilarPair *pairs = similar_find(sources, 3, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert(pairs[0].a == 0 && pairs[0].b == 1);
    similar_free(pairs, n);
}
END_TEST

START_TEST(test_similar_bounds)
{
    char bytes[3000];
    size_t n;
    srand(3);
    for (int round = 0; round < 200; round++) {
        size_t length = (size_t)rand() % sizeof bytes;
        for (size_t i = 0; i < length; i++)
            bytes[i] = (char)(rand() % 4 ? "ab1 /*\n\"();"[rand() % 11] : rand());
        SimilarSource sources[] = {{bytes, length, false},
                                   {bytes, length / 2, false},
                                   {"", 0, false}};
        SimilarPair *pairs = similar_find(sources, 3, &n);
        for (size_t i = 0; i < n; i++) ck_assert(pairs[i].percent > 0 && pairs[i].percent <= 100);
        similar_free(pairs, n);
    }
}
END_TEST

/* ---- hidden parameters ---- */
static const char ini[] =
    "[exercise]\nid = ex90\ntitle = T\npart = 1\nlevel = Easy\nxp = 1\nmodel = unit\ntodo = it\n"
    "[params]\nBATCHES = 4\nSIZE = 64\n[run more]\nBATCHES = 7\n"
    "[check a]\ntitle = A\nkind = results\npoints = 1\nrun = visible, more\n"
    "[check b]\ntitle = B\nkind = errors\npoints = 2\n";

static Exercise *exercise(void)
{
    char error[300];
    Exercise *e = exercise_parse("/nowhere", "exercise.ini", ini, strlen(ini), error, sizeof error);
    if (!e) ck_abort_msg("%s", error);
    return e;
}

START_TEST(test_hidden)
{
    char error[300];
    const char *text = "[draw more]\nruns = 3\nBATCHES = 5..7\nSIZE = 32, 64\n";
    int seen[8] = {0};
    for (unsigned long long seed = 1; seed <= 40; seed++) {
        const HiddenDraw by = {.seed = seed, .attempt = seed % 2}; /* 0 is the first, too */
        Exercise *e = exercise(), *again = exercise();
        ck_assert(hidden_parse(e, "hidden.ini", text, &by, error, sizeof error));
        ck_assert(hidden_parse(again, "hidden.ini", text, &by, error, sizeof error));
        ck_assert_uint_eq(e->n_runs, 4);
        ck_assert_uint_eq(e->checks[0].n_runs, 4);
        ck_assert_uint_eq(e->checks[1].n_runs, 1);
        for (size_t i = 1; i < 4; i++) {
            int batches = atoi(run_param(&e->runs[i], "BATCHES"));
            ck_assert(batches >= 5 && batches <= 7);
            seen[batches]++;
            ck_assert_str_eq(run_param(&e->runs[i], "BATCHES"),
                             run_param(&again->runs[i], "BATCHES"));
            ck_assert_ptr_nonnull(strstr(e->runs[i].label, "BATCHES="));
            for (size_t k = 1; k < i; k++)
                ck_assert(
                    strcmp(run_param(&e->runs[i], "BATCHES"), run_param(&e->runs[k], "BATCHES")) ||
                    strcmp(run_param(&e->runs[i], "SIZE"), run_param(&e->runs[k], "SIZE")));
        }
        ck_assert_str_eq(run_param(&e->runs[0], "BATCHES"), "4");
        exercise_free(e);
        exercise_free(again);
    }
    for (int i = 5; i <= 7; i++) ck_assert_int_gt(seen[i], 10);
}
END_TEST

/* The model of a run may be drawn as well, and its label says so. */
START_TEST(test_hidden_model)
{
    char error[300];
    const char *text = "[draw more]\nruns = 2\nmodel = bytes,\n bytes+fixed_ns=250000\n";
    Exercise *e = exercise();
    ck_assert(hidden_parse(e, "hidden.ini", text, &(HiddenDraw){.seed = 3}, error, sizeof error));
    ck_assert_uint_eq(e->n_runs, 3);
    ck_assert_str_ne(e->runs[1].model, e->runs[2].model);
    for (size_t i = 1; i < 3; i++) {
        ck_assert(!strcmp(e->runs[i].model, "bytes") ||
                  !strcmp(e->runs[i].model, "bytes+fixed_ns=250000"));
        ck_assert_ptr_nonnull(strstr(e->runs[i].label, e->runs[i].model));
        ck_assert_str_eq(run_param(&e->runs[i], "BATCHES"), "7");
    }
    ck_assert(e->runs[0].model == NULL);
    exercise_free(e);
}
END_TEST

static Exercise *drawn(unsigned long long seed, unsigned long long attempt)
{
    char error[300];
    Exercise *e = exercise();
    ck_assert(hidden_parse(e, "hidden.ini", "[draw more]\nruns = 3\nBATCHES = 10..900\n",
                           &(HiddenDraw){seed, attempt}, error, sizeof error));
    return e;
}

static bool same_draw(const Exercise *a, const Exercise *b)
{
    bool same = a->n_runs == b->n_runs;
    for (size_t i = 1; i < a->n_runs && same; i++)
        same = a->runs[i].input == b->runs[i].input &&
               !strcmp(run_param(&a->runs[i], "BATCHES"), run_param(&b->runs[i], "BATCHES"));
    return same;
}

/* Each attempt has a draw of its own, the same for everybody who is at it; runs that are drawn are
 * marked, and their input is not what other runs show of the seed. */
START_TEST(draws_of_attempts)
{
    for (unsigned long long seed = 1; seed < 20; seed++) {
        Exercise *e[4];
        for (unsigned long long k = 0; k < 4; k++) e[k] = drawn(seed, k);
        Exercise *again = drawn(seed, 2);
        ck_assert(same_draw(e[0], e[1])); /* 0 and 1 are the first */
        ck_assert(same_draw(e[2], again));
        ck_assert(!same_draw(e[1], e[2]));
        ck_assert(!same_draw(e[2], e[3]));
        ck_assert(!same_draw(e[1], e[3]));
        ck_assert(!e[0]->runs[0].hidden);
        for (size_t i = 1; i < 4; i++) {
            const ExerciseRun *run = &e[0]->runs[i];
            ck_assert(run->hidden);
            ck_assert_str_eq(run->open_label, "with BATCHES=7");
            ck_assert_uint_ne(run->input, hidden_open_input(seed));
            ck_assert_uint_ne(run->input, e[2]->runs[i].input);
            ck_assert_uint_ne(run->input, e[0]->runs[i % 3 + 1].input);
        }
        ck_assert_uint_ne(hidden_open_input(seed), seed);
        ck_assert_uint_ne(hidden_open_input(seed), hidden_open_input(seed + 1));
        for (int k = 0; k < 4; k++) exercise_free(e[k]);
        exercise_free(again);
    }
}
END_TEST

static const struct {
    const char *text, *words;
} bad_hidden[] = {
    {"[draw other]\nBATCHES = 1..2\n", "no such run"},
    {"[draw visible]\nBATCHES = 1..2\n", "no such run"},
    {"[draw more]\nNOPE = 1..2\n", "not in [params]"},
    {"[draw more]\nBATCHES = 9..2\n", "FROM..TO"},
    {"[draw more]\nBATCHES = 3, $(x)\n", "FROM..TO"},
    {"[draw more]\nBATCHES = 3, 4\nBATCHES = 5\n", "FROM..TO"},
    {"[draw more]\nruns = 0\nBATCHES = 1\n", "from 1 to 20"},
    {"[draw more]\nruns = 2\n", "nothing to draw"},
    {"[other]\na = 1\n", "unknown section"},
    {"[draw more]\nBATCHES\n", "neither [section]"},
};

START_TEST_WITH(test_hidden_bad, .times = sizeof bad_hidden / sizeof *bad_hidden)
{
    char error[300] = "";
    Exercise *e = exercise();
    ck_assert(!hidden_parse(e, "hidden.ini", bad_hidden[_i].text, &(HiddenDraw){.seed = 1}, error,
                            sizeof error));
    if (!strstr(error, bad_hidden[_i].words)) ck_abort_msg("%s", error);
    exercise_free(e);
}
END_TEST

/* ---- the gradebook ---- */
static char folder[64];

static void put(Gradebook *book, const char *student, const char *source, VerdictKind kind,
                const char *cause)
{
    char error[300];
    Handin handin = {.student = (char *)(uintptr_t)student,
                     .exercise = (char *)(uintptr_t) "ex90",
                     .path = (char *)(uintptr_t)student};
    Text text = {0};
    text_add(&text, source);
    SummaryCheck checks[2] = {{.id = (char *)(uintptr_t) "a",
                               .title = (char *)(uintptr_t) "A & <b>",
                               .state = cause ? CHECK_FAIL : CHECK_PASS,
                               .possible = 1,
                               .points = !cause,
                               .cause = (char *)(uintptr_t)cause},
                              {.id = (char *)(uintptr_t) "b",
                               .title = (char *)(uintptr_t) "B",
                               .state = CHECK_PASS,
                               .points = 2,
                               .possible = 2}};
    Summary summary = {.id = handin.exercise,
                       .title = (char *)(uintptr_t) "T",
                       .kind = kind,
                       .judged = true,
                       .label = (char *)(uintptr_t) "",
                       .checks = checks,
                       .n_checks = kind <= VERDICT_FAIL ? 2 : 0,
                       .points = cause ? 2 : 3,
                       .possible = 3};
    text_add(&summary.message, "a <message>");
    Grade grade = {.handin = &handin,
                   .source = &text,
                   .fingerprint = "f",
                   .sandbox = "none",
                   .summary = &summary};
    if (!gradebook_put(book, &grade, error, sizeof error)) ck_abort_msg("%s", error);
    ck_assert(kind == VERDICT_GRADER || gradebook_knows(book, &handin, "f", &text));
    ck_assert(!gradebook_knows(book, &handin, "other", &text));
    text_add(&text, "changed");
    ck_assert(!gradebook_knows(book, &handin, "f", &text));
    text_release(&text);
    text_release(&summary.message);
}

static Gradebook *open_book(const char *name)
{
    char error[300], path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    Gradebook *book = gradebook_open(path, error, sizeof error);
    if (!book) ck_abort_msg("%s", error);
    return book;
}

static void fill(Gradebook *book, bool backwards)
{
    char error[300];
    Exercise *e = exercise();
    ck_assert(gradebook_set(book, "seed", "7", error, sizeof error));
    ck_assert(gradebook_exercise(book, e, "f", "<svg/>", error, sizeof error));
    ck_assert(gradebook_exercise(book, e, "f", NULL, error, sizeof error));
    for (int i = 0; i < 4; i++) {
        switch (backwards ? 3 - i : i) {
        case 0: put(book, "alice", "one", VERDICT_PASS, NULL); break;
        case 1:
            put(book, "=HYPERLINK(\"x\")", "two", VERDICT_FAIL,
                "H2D0 waited 3.0 units (ex90.cu:7)");
            break;
        case 2:
            put(book, "<script>alert(1)</script>\n\"'", "three", VERDICT_FAIL,
                "H2D1 waited 2.0 units (ex90.cu:9)");
            break;
        case 3: put(book, "-rf ../..", "four", VERDICT_GRADER, NULL); break;
        }
    }
    exercise_free(e);
}

static void read_back(const char *name, Text *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    text_clear(text);
    ck_assert_int_eq(text_read_file(text, path, 1 << 24), 0);
}

START_TEST(test_book)
{
    char error[300], path[200];
    Text a = {0}, b = {0};
    Inbox inbox = {0};
    strcpy(folder, "/tmp/grade-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    /* in any order, in one go or opened again, rewritten in between: the same bytes */
    Gradebook *book = open_book("a");
    fill(book, false);
    snprintf(path, sizeof path, "%s/a", folder);
    pid_t pid = fork();
    if (pid == 0)
        _exit(gradebook_open(path, error, sizeof error) ||
              !strstr(error, "another `threelane grade`"));
    int status;
    ck_assert(waitpid(pid, &status, 0) == pid && status == 0);
    ck_assert(gradebook_finish(book, error, sizeof error));
    gradebook_close(book);
    book = open_book("b");
    put(book, "alice", "an earlier one", VERDICT_FAIL, "why");
    gradebook_close(book);
    book = open_book("b");
    fill(book, true);
    ck_assert(gradebook_finish(book, error, sizeof error));
    gradebook_close(book);
    read_back("a", &a);
    read_back("b", &b);
    ck_assert_uint_eq(a.length, b.length);
    ck_assert(!memcmp(a.data, b.data, a.length));
    /* what is made of it */
    book = open_book("a");
    ck_assert(gradebook_likeness(book, "ex90", "alice", "-rf ../..", 90, "lines 1-2 are lines 3-4",
                                 error, sizeof error));
    ck_assert(pages_write(folder, book, &inbox, error, sizeof error));
    read_back("index.html", &a);
    /* what a student is called is text, and nobody's script runs but ours */
    ck_assert_ptr_null(strstr(text_string(&a), "<script>alert"));
    ck_assert_ptr_nonnull(strstr(text_string(&a), "&lt;script&gt;"));
    ck_assert_ptr_nonnull(strstr(text_string(&a), "script-src 'nonce-"));
    ck_assert_ptr_nonnull(strstr(text_string(&a), "A &amp; &lt;b&gt;"));
    text_clear(&a);
    FILE *to = open_memstream(&a.data, &a.length);
    char *bytes = NULL;
    size_t size;
    fclose(to);
    bool (*const tables[])(FILE *, Gradebook *) = {tables_csv, tables_json, tables_junit,
                                                   tables_tap};
    static const char *const wanted[] =
        {"\"'=HYPERLINK(\"\"x\"\")\",ex90,fail,2,3,0,",
         "\"student\":\"<script>alert(1)</script>\\n\\\"'\"",
         "classname=\"&lt;script&gt;alert(1)&lt;/script&gt;\n&quot;&#39;.ex90\"",
         "not ok 1 - -rf ../.. ex90: grader error"};
    for (int i = 0; i < 4; i++) {
        to = open_memstream(&bytes, &size);
        ck_assert(tables[i](to, book));
        fclose(to);
        if (!strstr(bytes, wanted[i])) ck_abort_msg("%s is not in\n%s", wanted[i], bytes);
        free(bytes);
    }
    gradebook_close(book);
    /* no gradebook */
    snprintf(path, sizeof path, "%s/c", folder);
    ck_assert_int_eq(
        text_write_file(path,
                        "this is no database, but it is long enough to be read as one, perhaps",
                        70),
        0);
    ck_assert_ptr_null(gradebook_open(path, error, sizeof error));
    ck_assert_ptr_null(gradebook_open("/nonexistent/x/gradebook.sqlite", error, sizeof error));
    text_release(&b);
    folder_remove(folder);
}
END_TEST

/* A hand-in that is another than the last one is the next attempt; one that is the same is not. */
START_TEST(attempts_are_counted)
{
    char error[300];
    strcpy(folder, "/tmp/grade-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    Gradebook *book = open_book("a");
    Handin handin = {.student = (char[]){"ada"},
                     .exercise = (char[]){"ex90"},
                     .path = (char[]){"a"}};
    Text source = {0};
    Summary summary = {.id = handin.exercise, .title = (char[]){"T"}, .label = (char[]){""}};
    for (unsigned attempt = 1; attempt <= 4; attempt++) {
        text_printf(&source, "line %u", attempt);
        ck_assert_uint_eq(gradebook_attempt(book, &handin, &source), attempt);
        const Grade grade = {&handin, &source, attempt, "f", "none", &summary, NULL};
        ck_assert(gradebook_put(book, &grade, error, sizeof error));
        ck_assert_uint_eq(gradebook_attempt(book, &handin, &source), attempt);
        gradebook_close(book);
        book = open_book("a");
        ck_assert_uint_eq(gradebook_attempt(book, &handin, &source), attempt);
    }
    Handin bob = {.student = (char[]){"bob"}, .exercise = handin.exercise};
    ck_assert_uint_eq(gradebook_attempt(book, &bob, &source), 1);
    ck_assert(gradebook_renew(book, error, sizeof error));
    ck_assert_uint_eq(gradebook_attempt(book, &handin, &source), 1);
    gradebook_close(book);
    text_release(&source);
    folder_remove(folder);
}
END_TEST

/* Verdicts that come together are written together; what is kept outlives a command that is killed,
 * and of what is not, nothing is half there. */
START_TEST(verdicts_are_kept_together)
{
    char error[300];
    strcpy(folder, "/tmp/grade-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    pid_t pid = fork();
    if (pid == 0) {
        Gradebook *book = open_book("a");
        if (!gradebook_kept(book)) _exit(1);
        put(book, "ada", "one", VERDICT_PASS, NULL);
        put(book, "bob", "two", VERDICT_FAIL, "why");
        if (gradebook_kept(book)) _exit(2); /* they wait for others */
        if (!gradebook_keep(book, error, sizeof error) || !gradebook_kept(book)) _exit(3);
        put(book, "eve", "three", VERDICT_FAIL, "why");
        if (!gradebook_keep_soon(book, error, sizeof error) || gradebook_kept(book)) _exit(4);
        raise(SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFSIGNALED(status), "status %d", WEXITSTATUS(status));

    Gradebook *book = open_book("a");
    Text first = {0}, last = {0};
    text_add(&first, "one");
    text_add(&last, "three");
    ck_assert(gradebook_knows(book,
                              &(Handin){.student = (char[]){"ada"}, .exercise = (char[]){"ex90"}},
                              "f", &first));
    ck_assert(!gradebook_knows(book,
                               &(Handin){.student = (char[]){"eve"}, .exercise = (char[]){"ex90"}},
                               "f", &last));
    sqlite3_stmt *row =
        gradebook_query(book, "SELECT (SELECT count(*) FROM submission), (SELECT count(*) FROM "
                              "result), (SELECT count(*) FROM history)");
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(row, 0), 2);
    ck_assert_int_eq(sqlite3_column_int(row, 1), 4);
    ck_assert_int_eq(sqlite3_column_int(row, 2), 2);
    sqlite3_finalize(row);

    /* who closes it keeps what is there, and a moment later nothing waits */
    put(book, "eve", "three", VERDICT_FAIL, "why");
    gradebook_close(book);
    book = open_book("a");
    put(book, "ida", "four", VERDICT_PASS, NULL);
    for (int i = 0; i < 40 && !gradebook_kept(book); i++) {
        usleep(50000);
        ck_assert(gradebook_keep_soon(book, error, sizeof error));
    }
    ck_assert(gradebook_kept(book));
    row = gradebook_query(book, "SELECT count(*) FROM submission");
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(row, 0), 4);
    sqlite3_finalize(row);
    gradebook_close(book);
    text_release(&first);
    text_release(&last);
    folder_remove(folder);
}
END_TEST

/* One that was begun before attempts were counted: all that is in it are first ones. */
START_TEST(an_older_gradebook)
{
    char error[300];
    strcpy(folder, "/tmp/grade-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    Gradebook *book = open_book("a");
    put(book, "alice", "one", VERDICT_PASS, NULL);
    static const char older[] = "ALTER TABLE submission DROP COLUMN attempt;"
                                "ALTER TABLE submission DROP COLUMN hidden;"
                                "ALTER TABLE result DROP COLUMN hidden";
    bool made = sqlite3_exec(gradebook_sql(book), older, NULL, NULL, NULL) == SQLITE_OK;
    gradebook_close(book);
    if (made) {
        Handin alice = {.student = (char[]){"alice"}, .exercise = (char[]){"ex90"}};
        Text source = {0};
        text_add(&source, "another");
        book = open_book("a");
        ck_assert_uint_eq(gradebook_attempt(book, &alice, &source), 2);
        put(book, "bob", "two", VERDICT_FAIL, "why");
        FILE *to = tmpfile();
        ck_assert(tables_json(to, book));
        fclose(to);
        ck_assert(gradebook_finish(book, error, sizeof error));
        gradebook_close(book);
        text_release(&source);
    } else {
        printf("skipped: an older gradebook # this SQLite cannot drop columns\n");
    }
    folder_remove(folder);
}
END_TEST

/* What a page of the report is called: readable, safe as a file's name on any system, and another
 * for each student. */
START_TEST(names_of_pages)
{
    static const char *const students[] =
        {"Ada Lovelace",
         "ada lovelace",
         "../../etc/passwd",
         "\303\204\303\226",
         "",
         "a.very.long.name.that.goes.on.and.on.for.ever.and.ever.until.it.is.cut"};
    enum { STUDENTS = sizeof students / sizeof *students };
    char *names[STUDENTS];
    for (int i = 0; i < STUDENTS; i++) {
        names[i] = pages_name(students[i], strlen(students[i]), "ex43");
        ck_assert_ptr_nonnull(names[i]);
        ck_assert_uint_eq(strspn(names[i], "abcdefghijklmnopqrstuvwxyz0123456789-"),
                          strlen(names[i]));
        ck_assert_uint_lt(strlen(names[i]), 64);
        ck_assert_int_ne(names[i][0], '-');
        ck_assert_str_eq(strrchr(names[i], '-'), "-ex43");
        for (int k = 0; k < i; k++) ck_assert_str_ne(names[i], names[k]);
    }
    ck_assert_int_eq(strncmp(names[0], "ada-lovelace-", 13), 0);
    ck_assert_int_eq(strncmp(names[2], "etc-passwd-", 11), 0);
    for (int i = 0; i < STUDENTS; i++) free(names[i]);
}
END_TEST

CASES("grade")
