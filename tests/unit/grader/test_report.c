/* Reports: every field, with and without something to say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/judge/report.h"
#include "tests/unit/trace_text.h"
#include "tests/unit/traces.h"
#include "tests/unit/cases.h"

static ExercisePair params[] = {{(char *)(uintptr_t) "BATCHES", (char *)(uintptr_t) "4", 0}};
static const ExerciseRun run = {.params = params, .n_params = 1};
static Recording recording;
static char error[400];

static void setup(void)
{
    Tape tape = tape_pipeline(true);
    int range = tape_range(&tape, "s", 10);
    tape_op(&tape, (Op){.kind = "h2d", .issued = 10, .start = 10, .end = 16.5});
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .issued = 10, .start = 20, .end = 21});
    tape_range_end(&tape, range, 20);
    recording = (Recording){.trace = tape_trace(&tape, false)};
    values_parse(&recording.values, "link PCIe 5 x16\nmean 3.5\n");
}

static void teardown(void) { recording_release(&recording); }

static void expect(const char *template, const char *wanted)
{
    Report report;
    ck_assert_msg(report_render(&report, template, &run, &recording, NULL, error, sizeof error),
                  "%s", error);
    ck_assert_str_eq(text_string(&report.text), wanted);
    report_release(&report);
}

static void refuse(const char *template, const char *why)
{
    Report report;
    ck_assert_msg(!report_render(&report, template, &run, &recording, NULL, error, sizeof error),
                  "'%s' was taken", template);
    ck_assert_msg(strstr(error, why) != NULL, "'%s' does not say '%s'", error, why);
}

/* Fields of another run, by its name; what is not there on a card was not measured there. */
START_TEST(fields_of_other_runs)
{
    ExerciseRun runs[2] = {{.name = (char *)(uintptr_t) "visible"},
                           {.name = (char *)(uintptr_t) "one-queue"}};
    const Exercise exercise = {.runs = runs, .n_runs = 2};
    Recording other = {0};
    const Recording *recordings[] = {&recording, &other};
    const ReportRuns of = {&exercise, recordings};
    values_parse(&other.values, "link slow\nmean 7\n");
    const struct {
        const char *template, *wanted;
    } good[] = {
        {"{value link}, {one-queue: value link}", "PCIe 5 x16, slow"},
        {"{one-queue:  value mean | any}, {visible: value mean}", "7, 3.5"},
        {"{one-queue: units p}", "?"},
    };
    Report report;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(report_render(&report, good[i].template, &run, &recording, &of, error,
                                    sizeof error),
                      "%s", error);
        ck_assert_str_eq(text_string(&report.text), good[i].wanted);
        report_release(&report);
    }
    ck_assert(!report_render(&report, "{one-quee: value link}", &run, &recording, &of, error,
                             sizeof error));
    ck_assert_str_eq(error, "report.txt:1: there is no run 'one-quee'");
    refuse("{one-queue: value link}", "there is no run 'one-queue'");
    ck_assert(report_names_run("{{one: x}} {one-queue: units p}", "one-queue"));
    ck_assert(!report_names_run("{{one-queue: x}} {one: units p}", "one-queue"));
    ck_assert(!report_names_run("{one-queue units p}", "one-queue"));
    values_release(&other.values);
}
END_TEST

START_TEST(fields)
{
    expect("{param BATCHES} {value link}", "4 PCIe 5 x16");
    expect("{units p} {unit}, {units s}", "4 unit, 11");
    expect("{ms p} {us p}", "4.00 4000.00");
    expect("{speedup s p}x", "2.75x");
    expect("{longest h2d@p, range:s} {median h2d@p, range:p} {longest d2h@p}", "10 1 1");
    expect("{count h2d@p} {bytes h2d@p}", "2 8192");
    expect("{gbs h2d@p} {gbs h2d@s}", "0.00 0.00");
    expect("{async h2d@p} {blocks h2d@p}", "YES NO");
    expect("{line p}", "[H2D0][K0][H2D1][D2H0][K1][D2H1]");
    expect("{cells p}", "t=0: [H2D0]\nt=1: [K0  ] [H2D1]\nt=2: [D2H0] [K1  ]\nt=3: [D2H1]");
    expect("{path q}", "?");
    expect("{races p} {races q}", "0 ?");
    expect("a {{b}} c\n", "a {b} c\n");
}
END_TEST

/* From what ends last back over what each waited for, as far as the range goes. */
START_TEST(critical_path)
{
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "kernel", .name = "before", .start = 0, .end = 1});
    int range = tape_range(&tape, "p", 1);
    tape_op(&tape, (Op){.kind = "kernel",
                        .name = "a",
                        .issued = 1,
                        .start = 1,
                        .end = 2,
                        .why = "stream\t1\t1000000"});
    tape_op(&tape,
            (Op){.kind = "kernel", .name = "c", .stream = 4, .issued = 1, .start = 1, .end = 4});
    tape_op(&tape, (Op){.kind = "kernel",
                        .name = "b",
                        .stream = 3,
                        .issued = 1,
                        .start = 2,
                        .end = 5,
                        .why = "event\t2\t2000000"});
    tape_range_end(&tape, range, 5);
    Recording one = recording;
    recording = (Recording){.trace = tape_trace(&tape, false)};
    expect("{path p}", "a b");
    recording_release(&recording);
    recording = one;
}
END_TEST

/* A length with its unit in words, and bandwidths compared. */
START_TEST(words_of_a_length)
{
    expect("Total: {time p}", "Total: 4 time units");
    expect("{time q}, {faster h2d@p h2d@s}x, {faster h2d@p memset}", "? time units, 0.15x, ?");
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 1});
    tape_range_end(&tape, range, 2);
    Recording one = recording;
    recording = (Recording){.trace = tape_trace(&tape, false)};
    expect("{time p}", "1 time unit");
    trace_set_unit(recording.trace, 1000000, "ms");
    expect("{time p}", "1.000 ms");
    trace_set_unit(recording.trace, 12500000, "ms");
    expect("{time p}", "0.080 ms");
    recording_release(&recording);
    recording = one;
}
END_TEST

/* What may be anything is what the golden text has there; the rest is compared as ever, on exact
 * models, too. */
START_TEST(any_schedule)
{
    Report got;
    static const char template[] =
        "{count h2d}\n{cells p | any}\nTotal: {time p | any}\nS {count kernel}\n";
    ck_assert(report_render(&got, template, &run, &recording, NULL, error, sizeof error));
    char *text = report_comparable(&got, &got, "3\nt=0: [X]\nTotal: 77 time units\nS 3\n", true);
    ck_assert_str_eq(text, "3\nt=0: [X]\nTotal: 77 time units\nS 3\n");
    free(text);
    text = report_comparable(&got, &got, "4\nt=0: [X]\nTotal: 77 time units\nS 9\n", true);
    ck_assert_str_eq(text, "3\nt=0: [X]\nTotal: 77 time units\nS 3\n");
    free(text);
    report_release(&got);
}
END_TEST

/* Several lines of it, and behind them something that could stand in it. */
START_TEST(any_schedule_of_several_lines)
{
    Report got;
    static const char *const templates[] = {"{cells p | any}\n{count h2d} copies\n",
                                            "{cells p | any}\n{line p | any}\n{count h2d} copies\n",
                                            "{count h2d}\n{cells p | any}\n", "{cells p | any}"};
    static const char *const goldens[] = {"t=0: [X]\nt=1: [Y]\nt=2: [Z]\n3 copies\n",
                                          "t=0: [X]\nt=1: [Y]\n[XYZ]\n3 copies\n",
                                          "3\nt=0: [X]\nt=1: [Y]\n", "t=0: [X]\nt=1: [Y]"};
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        ck_assert(report_render(&got, templates[i], &run, &recording, NULL, error, sizeof error));
        char *text = report_comparable(&got, &got, text_string(&got.text), true);
        ck_assert_str_eq(text, text_string(&got.text));
        free(text);
        text = report_comparable(&got, &got, goldens[i], true);
        ck_assert_str_eq(text, goldens[i]);
        free(text);
        report_release(&got);
    }
    ck_assert(report_render(&got, templates[0], &run, &recording, NULL, error, sizeof error));
    char *text = report_comparable(&got, &got, "t=0: [X]\nt=1: [Y]\n4 copies\n", true);
    ck_assert_str_eq(text, "t=0: [X]\nt=1: [Y]\n3 copies\n");
    free(text);
    report_release(&got);
}
END_TEST

START_TEST(nothing_to_say)
{
    expect("{units q} {line q} {cells q} {speedup q p} {ms q} {gbs memset} {value none} {async "
           "memset}",
           "? ? ? ? ? ? ? ?");
    expect("{count memset} {bytes memset@q}", "0 0");
    trace_free(recording.trace);
    recording.trace = NULL;
    expect("{units p} {line p} {count h2d} {param BATCHES} {unit}", "? ? ? 4 ?");
}
END_TEST

START_TEST(wrong_templates)
{
    refuse("a\n{magic p}", "report.txt:2: unknown field {magic p}");
    refuse("a\n\n{param NONE}", "report.txt:3: there is no parameter 'NONE'");
    refuse("{units p", "report.txt:1: a '{' without its '}'");
    refuse("{units\np}", "report.txt:1");
    refuse("{count cats}", "report.txt:1: selector 'cats'");
    refuse("{speedup p}", "two ranges");
}
END_TEST

START_TEST(measured_numbers_have_a_tolerance)
{
    Report got, expected;
    Recording other = {0};
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 4.2});
    tape_range_end(&tape, range, 5);
    other.trace = tape_trace(&tape, false);
    ck_assert(report_render(&expected, "{ms p} of {count h2d}", &run, &recording, NULL, error,
                            sizeof error));
    ck_assert(
        report_render(&got, "{ms p} of {count h2d}", &run, &other, NULL, error, sizeof error));
    char *text = report_comparable(&got, &expected, NULL, false);
    ck_assert_str_eq(text, "4.00 of 1"); /* counts are text: they stay */
    free(text);
    text = report_comparable(&got, &expected, NULL, true);
    ck_assert_str_eq(text, "4.20 of 1");
    free(text);
    report_release(&got);
    report_release(&expected);
    recording_release(&other);
}
END_TEST

/* On a real device: numbers in their range are the golden text's, what is measured beside is no
 * part of it. */
START_TEST(on_a_card)
{
    static const char template[] =
        "{units p} of {count h2d}, {gbs h2d | solution 0.5 .. 2}\n{cells p}\n";
    static const char golden[] = "2 of 1, 7\nt=0: [H2D]\nt=1: [K1]\n";
    Recording ours = {.trace =
                          trace_of("threelane 1\nmeta backend cuda\nmeta card Some~Card\ndevice 1 "
                                   "GPU\nengine 1 1 h2d a\nengine 2 1 compute b\n"
                                   "thread 1 main -\nstream 1 1 nonblocking 0 0 - -\nrange 1 1 0 "
                                   "p\nop 1 0 h2d 1 1 0 9000000 - - - - 0 0 H2D\n"
                                   "op 2 0 kernel 1 1 0 0 - - - - 0 0 k\nrangeend 1 10\nstart 1 "
                                   "100 1\nend 1 1000100\nstart 2 1100000 2\n"
                                   "end 2 2300100\n")};
    Report got, half;
    trace_set_unit(ours.trace, 1000000, "unit");
    ck_assert(report_render(&got, template, &run, &ours, NULL, error, sizeof error));
    ck_assert_str_eq(
        text_string(&got.text),
        "2.30 of 1, 9.00\nt=0: [H2D]   0.00 - 1.00 ms\nt=1: [K0 ]   1.10 - 2.30 ms\n\n"
        "Measured on Some Card. A time unit is 1.000 ms: as long as the first stage took, alone.\n"
        "t counts steps, each after what it had to wait for; beside it stands when it ran.\n");
    char *text = report_comparable(&got, &got, "2 of 1, 7\nt=0: [H2D]\nt=1: [K0 ]\n", false);
    ck_assert_str_eq(text, "2 of 1, 7\nt=0: [H2D]\nt=1: [K0 ]\n");
    free(text);
    text = report_comparable(&got, &got, golden, false); /* a schedule stays what it is */
    ck_assert_str_eq(text, "2 of 1, 7\nt=0: [H2D]\nt=1: [K0 ]\n");
    free(text);
    trace_set_unit(ours.trace, 400000, "unit"); /* 5.75 units are not about 2 */
    ck_assert(report_render(&half, template, &run, &ours, NULL, error, sizeof error));
    text = report_comparable(&half, &got, "2 of 1, 7\nt=0: [H2D]\nt=1: [K0 ]\n", false);
    ck_assert_str_eq(text, "5.75 of 1, 7\nt=0: [H2D]\nt=1: [K0 ]\n");
    free(text);
    report_release(&got);
    report_release(&half);
    recording_release(&ours);
    refuse("{count h2d | about}", "is not a range");
    refuse("{cells p | 1 .. 2}", "has no range");
}
END_TEST

START_TEST(what_harnesses_write)
{
    const char bytes[] = "dump a f32 2\n\0\0\x80\x3f\0\0\0\x40\ndump b f32 1\n\0\0";
    Dumps dumps;
    dumps_parse(&dumps, bytes, sizeof bytes - 1);
    ck_assert_uint_eq(dumps.n, 1);
    ck_assert(dumps.damaged);
    ck_assert_str_eq(dumps.items[0].name, "a");
    ck_assert_float_eq(dumps.items[0].values[1], 2);
    dumps_release(&dumps);
    dumps_parse(&dumps, "dump a f32 99999999999999999999\n", 32);
    ck_assert_uint_eq(dumps.n, 0);
    dumps_release(&dumps);
    Values values;
    values_parse(&values, "a 1\nnothing\nb 2 3\na 4\nc 5");
    ck_assert_str_eq(values_find(&values, "a"), "4");
    ck_assert_str_eq(values_find(&values, "b"), "2 3");
    ck_assert_ptr_null(values_find(&values, "c"));
    values_release(&values);
}
END_TEST

CASES("report", .before = setup, .after = teardown)
