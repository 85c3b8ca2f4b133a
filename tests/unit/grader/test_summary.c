/* The description of a verdict: what it takes from the verdict, and that it survives the way
 * between processes. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "grader/judge/explore.h"
#include "grader/judge/summary.h"
#include "tests/unit/cases.h"

static Summary example(void)
{
    Summary s = {.id = memory_copy("ex43"),
                 .title = memory_copy("Overlap"),
                 .show = NULL,
                 .file = memory_copy("a.cu"),
                 .label = memory_copy(""),
                 .number = 43,
                 .xp = 25,
                 .kind = VERDICT_FAIL,
                 .judged = true,
                 .own = true,
                 .points = 21,
                 .possible = 35,
                 .n_checks = 2,
                 .n_notes = 1};
    text_append(&s.output, "zero \0 inside", 13);
    text_add(&s.report, "12:3:-");
    s.notes = memory_get(1, sizeof *s.notes);
    s.notes[0] = (SummaryNote){true, memory_copy("host-computed"), memory_copy("note")};
    s.because = REASON_STOPPED;
    s.stop = STOP_DEADLOCK;
    s.stop_site = memory_copy("a.cu:3");
    s.stop_text = memory_copy("all wait");
    s.checks = memory_get(2, sizeof *s.checks);
    s.checks[0] = (SummaryCheck){.id = memory_copy("order"),
                                 .title = memory_copy("Order"),
                                 .state = CHECK_PASS,
                                 .points = 3,
                                 .possible = 3};
    s.checks[1] =
        (SummaryCheck){.id = memory_copy("overlap"),
                       .title = memory_copy("\xc3\xa4"),
                       .state = CHECK_FAIL,
                       .possible = 5,
                       .cause = memory_copy("because"),
                       .score = {23000, 20000, 19000, 500, 24000, 21000, memory_copy("units")},
                       .hints = {memory_copy("look"), memory_copy("look again")}};
    return s;
}

static void says(SummaryScore score, const char *words)
{
    char *got = summary_score_words(&score);
    if (words) ck_assert_str_eq(got, words);
    else ck_assert_ptr_null(got);
    free(got);
}

START_TEST(scores_in_words)
{
    says((SummaryScore){0}, NULL);
    says((SummaryScore){.got = 19500, .par = 20000, .record = 19000, .unit = (char[]){"units"}},
         "19.5 units: par 20, record 19.");
    says((SummaryScore){.got = 19500,
                        .par = 20000,
                        .last = 23250,
                        .best = 21000,
                        .unit = (char[]){"units"}},
         "19.5 units: par 20. Last time 23.25: your best so far.");
    says((SummaryScore){.got = 30000,
                        .par = 20000,
                        .last = 23250,
                        .best = 21000,
                        .unit = (char[]){"ms"}},
         "30 ms: par 20. Last time 23.25, your best 21.");
    says((SummaryScore){.got = 5, .par = 10}, "0.005 units: par 0.01.");
}
END_TEST

START_TEST(survives)
{
    Summary s = example(), got;
    Text bytes = {0}, again = {0};
    summary_save(&bytes, &s);
    ck_assert(summary_load(&got, text_string(&bytes), bytes.length));
    ck_assert_str_eq(got.id, "ex43");
    ck_assert_int_eq(got.because, REASON_STOPPED);
    ck_assert_int_eq(got.stop, STOP_DEADLOCK);
    ck_assert_str_eq(got.stop_site, "a.cu:3");
    ck_assert_str_eq(got.stop_text, "all wait");
    ck_assert_str_eq(got.notes[0].kind, "host-computed");
    ck_assert_ptr_null(got.show);
    ck_assert_int_eq(got.output.length, 13);
    ck_assert_mem_eq(got.output.data, "zero \0 inside", 13);
    ck_assert_int_eq(got.points, 21);
    ck_assert(got.own && got.judged && !got.untouched && got.kind == VERDICT_FAIL);
    ck_assert_str_eq(summary_failed(&got)->id, "overlap");
    ck_assert_str_eq(got.checks[1].hints[1], "look again");
    ck_assert_int_eq(got.checks[1].score.got, 23000);
    ck_assert_int_eq(got.checks[1].score.best, 21000);
    ck_assert_str_eq(got.checks[1].score.unit, "units");
    ck_assert_ptr_null(got.checks[0].cause);
    ck_assert(got.notes[0].error);
    summary_save(&again, &got);
    ck_assert_str_eq(text_string(&bytes), text_string(&again));
    summary_release(&s);
    summary_release(&got);
    text_release(&bytes);
    text_release(&again);
}
END_TEST

START_TEST(cut_off)
{
    Summary s = example(), got;
    Text bytes = {0};
    summary_save(&bytes, &s);
    for (size_t length = 0; length < bytes.length; length++) {
        char *part = memory_get(length, 1); /* so that a sanitizer sees a read past the end */
        memcpy(part, bytes.data, length);
        ck_assert_msg(!summary_load(&got, part, length), "%zu bytes", length);
        ck_assert_ptr_null(got.id);
        free(part);
    }
    text_add(&bytes, "more");
    ck_assert(!summary_load(&got, text_string(&bytes), bytes.length));
    ck_assert(!summary_load(&got, "99999999999999999999:", 21));
    summary_release(&s);
    text_release(&bytes);
}
END_TEST

static const char *string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

START_TEST(as_json)
{
    Summary s = example();
    Exploration explored = {.asked = 9, .ran = 4, .seed = 3, .what = (char[]){"it differs"}};
    char *written = NULL;
    size_t size;
    FILE *to = open_memstream(&written, &size);
    text_add(&s.message, "a \"quoted\" \x1b[31m word, cut \xc3");
    summary_json(to, &s, &(SummaryJson){.path = "a \xff.cu", .seed = 7, .explored = &explored});
    summary_json(to, &s, &(SummaryJson){.student = "ada", .sandbox = "none"});
    fclose(to);

    json_error_t error;
    char *second = strstr(written, "}\n{");
    ck_assert_ptr_nonnull(second);
    json_t *json = json_loadb(written, (size_t)(second + 1 - written), 0, &error);
    ck_assert_msg(json != NULL, "%s: %s", error.text, written);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "format")), 1);
    ck_assert(json_is_null(json_object_get(json, "student")));
    ck_assert_str_eq(string(json, "exercise"), "ex43");
    ck_assert_str_eq(string(json, "path"), "a \\xff.cu");
    ck_assert_str_eq(string(json, "verdict"), "fail");
    ck_assert_str_eq(string(json, "message"), "a \"quoted\" \\x1b[31m word, cut \\xc3");
    ck_assert_int_eq(json_integer_value(json_object_get(json, "points")), 21);
    ck_assert_str_eq(string(json, "reason"), "stopped");
    ck_assert_str_eq(string(json_object_get(json, "stop"), "kind"), "deadlock");
    ck_assert_str_eq(string(json_object_get(json, "stop"), "site"), "a.cu:3");
    ck_assert_str_eq(string(json_array_get(json_object_get(json, "notes"), 0), "kind"),
                     "host-computed");
    json_t *check = json_array_get(json_object_get(json, "checks"), 1);
    ck_assert_str_eq(string(check, "state"), "fail");
    ck_assert_str_eq(string(check, "cause"), "because");
    ck_assert_uint_eq(json_array_size(json_object_get(check, "hints")), 2);
    ck_assert_int_eq(json_integer_value(
                         json_object_get(json_object_get(json, "explored"), "breaks_with")),
                     3);
    ck_assert_str_eq(string(json, "report"), "12:3:-");
    json_decref(json);

    s.kind = VERDICT_GRADER;
    s.judged = false;
    free(written);
    to = open_memstream(&written, &size);
    summary_json(to, &s, &(SummaryJson){.student = "ada"});
    fclose(to);
    json = json_loadb(written, size, 0, &error);
    ck_assert(json_is_null(json_object_get(json, "points")));
    ck_assert(json_is_null(json_object_get(json, "output")));
    ck_assert(json_is_null(json_object_get(json, "explored")));
    ck_assert_str_eq(string(json, "student"), "ada");
    json_decref(json);
    free(written);
    summary_release(&s);
}
END_TEST

/* A verdict of two runs: a check that failed in the second one, one that waits for it, one that
 * passed. */
START_TEST(of_a_verdict)
{
    ExerciseRun runs[2] = {{.name = (char[]){"visible"}, .label = (char[]){""}},
                           {.name = (char[]){"more"}, .label = (char[]){"with BATCHES=7"}}};
    ExerciseCheck checks[3] = {
        {.id = (char[]){"a"}, .title = (char[]){"First"}, .points = 5, .hints = {(char[]){"look"}}},
        {.id = (char[]){"b"}, .title = (char[]){"Second"}, .points = 3},
        {.id = (char[]){"c"}, .title = (char[]){"Third"}, .points = 2, .hints = {(char[]){"no"}}}};
    Exercise e = {.id = (char[]){"ex9"},
                  .title = (char[]){"T"},
                  .number = 9,
                  .xp = 10,
                  .runs = runs,
                  .n_runs = 2,
                  .checks = checks,
                  .n_checks = 3};
    CheckResult results[3] = {{.state = CHECK_FAIL, .cause = (char[]){"It waited."}, .run = 1},
                              {.state = CHECK_BLOCKED, .blocked_by = "a"},
                              {.state = CHECK_PASS}};
    TraceNote notes[4] =
        {{0},
         {.severity = TRACE_ERROR,
          .text = "out of memory",
          .site = {"x/a.cu", 3},
          .kind = "limit",
          .by = "player"},
         {.severity = TRACE_WARNING, .text = "was printed", .kind = "", .by = "gpu"},
         {.severity = TRACE_INFO, .text = "fine", .kind = "", .by = "tracer"}};
    Trace trace = {.n_notes = 3, .notes = notes};
    Evidence evidence[2] = {{.output = "was printed\n", .got.trace = &trace}, {.output = ""}};
    Job jobs[2] = {0};
    Verdict verdict = {.kind = VERDICT_FAIL,
                       .evidence = evidence,
                       .jobs = jobs,
                       .checks = results,
                       .points = 2,
                       .points_possible = 10};
    Summary s;
    summary_make(&s, &e, &verdict, false);
    ck_assert_str_eq(s.checks[0].cause, "It waited. (with BATCHES=7)");
    ck_assert_str_eq(s.checks[0].hints[0], "look");
    ck_assert_str_eq(s.checks[1].after, "First");
    ck_assert_ptr_null(s.checks[1].cause);
    ck_assert_int_eq(s.checks[2].points, 2);
    ck_assert_ptr_null(s.checks[2].hints[0]);
    ck_assert_int_eq(s.n_notes, 1);
    ck_assert_str_eq(s.notes[0].text, "a.cu:3: out of memory");
    ck_assert_str_eq(s.notes[0].kind, "limit");
    ck_assert(!s.stopped);
    summary_release(&s);
}
END_TEST

CASES("summary")
