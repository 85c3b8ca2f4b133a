/* Every kind of check, passing and failing, with the words that a student reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/judge/checks.h"
#include "grader/judge/report.h"
#include "tests/unit/traces.h"
#include "tests/unit/cases.h"

#define HEAD                                                                            \
    "[exercise]\nid = ex90\ntitle = T\npart = 1\nlevel = Easy\nxp = 10\nmodel = unit\n" \
    "todo = x\n[params]\nBATCHES = 2\n[check c]\ntitle = C\npoints = 5\n"

typedef struct Bench {
    Exercise *exercise;
    Evidence evidence;
    CheckResult results[4];
} Bench;

static Bench bench_of(const char *lines, Trace *trace)
{
    Bench bench = {0};
    char error[600] = "", *text = memory_format(HEAD "%s", lines);
    bench.exercise = exercise_parse("f", "exercise.ini", text, strlen(text), error, sizeof error);
    ck_assert_msg(bench.exercise != NULL, "%s", error);
    free(text);
    bench.evidence = (Evidence){.exercise = bench.exercise,
                                .run = &bench.exercise->runs[0],
                                .source = "ex.cu",
                                .complete = true,
                                .output = "",
                                .got = {.trace = trace}};
    return bench;
}

static void bench_release(Bench *bench)
{
    checks_release(bench->exercise, bench->results);
    recording_release(&bench->evidence.got);
    recording_release(&bench->evidence.expected);
    exercise_free(bench->exercise);
}

/* Judges the tape by a check of these lines. */
static void passes(Tape tape, const char *lines)
{
    Bench bench = bench_of(lines, tape_trace(&tape, false));
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_msg(bench.results[0].state == CHECK_PASS, "%s: state %d: %s", lines,
                  bench.results[0].state, bench.results[0].cause ? bench.results[0].cause : "");
    bench_release(&bench);
}

static void fails(Tape tape, const char *lines, const char *words)
{
    Bench bench = bench_of(lines, tape_trace(&tape, false));
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_msg(bench.results[0].state == CHECK_FAIL, "%s: state %d", lines,
                  bench.results[0].state);
    ck_assert_msg(strstr(bench.results[0].cause, words) != NULL, "'%s' does not say '%s'",
                  bench.results[0].cause, words);
    bench_release(&bench);
}

/* What a failure is counted under: "" for nothing. */
static void mistake(Tape tape, const char *lines, const char *words)
{
    Bench bench = bench_of(lines, tape_trace(&tape, false));
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_FAIL);
    ck_assert_str_eq(bench.results[0].mistake ? bench.results[0].mistake : "", words);
    bench_release(&bench);
}

/* Two batches, the second of which comes late, for this reason. */
static Tape late(const char *why, int calls, int stream)
{
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    tape_op(&tape, (Op){.kind = "kernel", .start = 0, .end = 1, .name = "work", .line = 12});
    for (int i = 0; i < calls; i++)
        tape_call(&tape, "cudaStreamSynchronize", i ? 1 : 0, i ? 1 : 1, 0, "ex.cu:14");
    tape_op(&tape, (Op){.kind = "h2d",
                        .stream = stream,
                        .issued = calls ? 1 : 0,
                        .start = 1,
                        .end = 2,
                        .why = why,
                        .line = 11});
    tape_range_end(&tape, range, 2);
    return tape;
}

START_TEST(a_failure_is_counted_under_what_its_author_did)
{
    const char *lines = "kind = overlap\na = h2d@p\nb = kernel@p\n";
    mistake(late("stream\t1\t1000000", 0, 2), lines, "put work that could overlap into one stream");
    mistake(late("stream\t1\t1000000", 0, 1), lines,
            "put work that could overlap into the default stream");
    mistake(late("event\t1\t1000000", 0, 3), lines,
            "let a stream wait for an event that comes later than it must");
    mistake(late("legacy\t1\t1000000", 0, 3), lines,
            "put work into the default stream, which waits for the other streams and they for it");
    mistake(late("host\t0\t1000000", 1, 3), lines, "let the host wait in cudaStreamSynchronize");
    mistake(late("host\t0\t1000000", 2, 3), lines,
            "let the host wait in cudaStreamSynchronize, inside the loop");
    /* why the kernel came when it did says nothing of what the host did not do beside it */
    mistake(late("stream\t1\t1000000", 0, 2), "kind = overlap\na = h2d@p\nb = range:q\n", "");
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "d2h", .host = "pageable", .end = 1, .line = 21});
    mistake(tape, "kind = memory\nselect = d2h\nend = host\nis = pinned\n",
            "did not use pinned memory");
    tape = tape_start();
    tape_op(&tape, (Op){.kind = "d2h", .end = 1, .line = 21, .stream = 1});
    mistake(tape, "kind = flavour\nselect = d2h\nnot = legacy\n", "used the default stream");
    tape = tape_start();
    tape_op(&tape, (Op){.kind = "h2d", .end = 1, .line = 21});
    tape_op(&tape, (Op){.kind = "kernel", .end = 1, .line = 22, .stream = 3});
    text_add(&tape.text, "hazard\trace\t1\t2\tex.cu:21\tex.cu:22\tit says so\terror\tit\t-\t-\n");
    mistake(tape, "kind = hazards\n", "left an H2D copy and a kernel unordered on the same memory");
}
END_TEST

START_TEST(overlap)
{
    const char *lines = "kind = overlap\na = kernel@p\nb = h2d@p\n";
    passes(tape_pipeline(true), lines);
    fails(tape_pipeline(false), lines,
          "Of 2 kernels inside `p`, none ran at the same time as an H2D copy inside `p`");
    fails(tape_pipeline(true), "kind = overlap\na = kernel@p\nb = h2d@p\nleast = all\n",
          "Only 1 of 2 kernels inside `p`");
    fails(tape_pipeline(true), "kind = overlap\na = kernel@p\nb = h2d@p\nleast = BATCHES\n",
          "2 should");
    fails(tape_pipeline(false), "kind = overlap\na = h2d@p\nb = kernel@p\n", "ex.cu:11");
    fails(tape_pipeline(true), "kind = overlap\na = memset@p\nb = h2d@p\n",
          "There is no memset inside `p`");
    fails(tape_pipeline(true), "kind = overlap\na = kernel@q\nb = h2d@p\n",
          "never came to the part that is marked `q`");
    passes(tape_pipeline(true), "kind = overlap\na = range:p\nb = kernel\n");
    passes(tape_pipeline(true), "kind = overlap\na = h2d@p, d2h@p\nb = kernel@p\nleast = 2\n");
    fails(tape_pipeline(true), "kind = overlap\na = h2d@p, d2h@p\nb = kernel@p\nleast = all\n",
          "Only 2 of 4 of these: h2d@p, d2h@p ran beside a kernel");
}
END_TEST

/* The host prepares something only when a copy is done, for which it waits. */
START_TEST(overlap_tells_where_the_host_stood)
{
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 2});
    tape_call(&tape, "cudaStreamSynchronize", 0, 2, 0, "ex.cu:30");
    int prepare = tape_range(&tape, "prepare", 2);
    tape_range_end(&tape, prepare, 3);
    fails(tape, "kind = overlap\na = range:prepare\nb = h2d\n",
          "alone. Just before, the host stood in cudaStreamSynchronize (ex.cu:30) for 2.0 units.");
}
END_TEST

START_TEST(errors_name_the_event_without_time)
{
    Tape tape = tape_start();
    tape_call(&tape, "cudaEventElapsedTime", 1, 1, 400, "ex.cu:30");
    fails(tape, "kind = errors\n", "it was made with cudaEventDisableTiming, or never recorded");
    Tape other = tape_start();
    tape_call(&other, "cudaEventRecord", 1, 1, 400, "ex.cu:30");
    fails(other, "kind = errors\n", "not a stream or event of this device");
}
END_TEST

/* Two launches of a graph of two kernels, and a kernel behind them. */
static Tape launches(void)
{
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    for (int i = 0; i < 2; i++) {
        int launch = tape_op(&tape, (Op){.kind = "graph", .start = 2 * i, .end = 2 * i + 2});
        tape_op(&tape, (Op){.kind = "kernel",
                            .name = "a",
                            .start = 2 * i,
                            .end = 2 * i + 1,
                            .launch = launch});
        tape_op(&tape, (Op){.kind = "kernel",
                            .name = "b",
                            .start = 2 * i + 1,
                            .end = 2 * i + 2,
                            .launch = launch,
                            .why = i ? "graph\t5\t3000000" : "graph\t2\t1000000"});
    }
    tape_op(&tape, (Op){.kind = "kernel", .name = "c", .start = 4, .end = 5});
    tape_range_end(&tape, range, 0);
    return tape;
}

START_TEST(graphs)
{
    passes(launches(), "kind = count\nselect = graph@p\nis = BATCHES\n");
    fails(launches(), "kind = count\nselect = graph@p\nis = 1\n",
          "2 launches of graphs inside `p`");
    passes(launches(), "kind = count\nselect = node@p\nis = 4\n");
    passes(launches(), "kind = count\nselect = node:a@p\nis = 2\n");
    passes(launches(), "kind = none\nselect = node:c@p\n");
    passes(launches(), "kind = caused\na = node:b@p\ncause = graph\n");
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    tape_call(&tape, "cudaMalloc", 0, 0, 900, "ex.cu:8");
    tape_call(&tape, "cudaStreamEndCapture", 0, 0, 901, "ex.cu:9");
    tape_range_end(&tape, range, 0);
    fails(tape, "kind = count\nselect = node@p\nis = 4\n",
          "The first call that failed there: cudaMalloc (ex.cu:8) returned error 900 "
          "(cudaErrorStreamCaptureUnsupported: it cannot be captured, nor be done during a "
          "capture).");
    /* first is what has the lower number, whatever the clocks of two threads say */
    tape = tape_start();
    range = tape_range(&tape, "p", 0);
    tape_call(&tape, "cudaStreamEndCapture", 2, 3, 901, "ex.cu:9");
    tape_call(&tape, "cudaMalloc", 1, 2, 900, "ex.cu:8");
    tape_range_end(&tape, range, 4);
    fails(tape, "kind = count\nselect = node@p\nis = 4\n",
          "The first call that failed there: cudaStreamEndCapture (ex.cu:9)");
    fails(launches(), "kind = none\nselect = node@p\n", "a0 (ex.cu:11) must not be here");
}
END_TEST

START_TEST(touching_is_not_overlapping)
{
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 1});
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .stream = 3, .start = 0.995, .end = 2});
    fails(tape, "kind = overlap\na = kernel\nb = h2d\n", "none ran at the same time");
}
END_TEST

START_TEST(together)
{
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "h2d", .start = 2, .end = 3});
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .stream = 3, .start = 2, .end = 3});
    tape_op(&tape, (Op){.kind = "d2h", .stream = 3, .start = 2.5, .end = 3});
    passes(tape, "kind = together\nselect = h2d, kernel, d2h\n");
    fails(tape_pipeline(true), "kind = together\nselect = h2d@p, kernel@p, d2h@p\n",
          "At no moment are an H2D copy, a kernel and a D2H copy inside `p` busy at once; the most "
          "is 2 of 3");
    fails(tape_pipeline(false), "kind = together\nselect = h2d@p, kernel@p\n", "(ex.cu:11)");
}
END_TEST

START_TEST(after)
{
    passes(tape_pipeline(true), "kind = after\na = kernel@p\nb = h2d@p\npair = rank\n");
    fails(tape_pipeline(true), "kind = after\na = h2d@p\nb = kernel@p\npair = rank\n",
          "H2D0 (ex.cu:11) began at t=0.0 units, but K0 (ex.cu:12) ended only at t=2.0 units");
    fails(tape_pipeline(true), "kind = after\na = kernel@p\nb = h2d@p\npair = all\n",
          "They are in different streams");
    passes(tape_pipeline(false), "kind = after\na = d2h@p\nb = kernel@p\n");
    Tape tape = tape_pipeline(true);
    int range = tape_range(&tape, "returned", 3);
    tape_range_end(&tape, range, 5);
    fails(tape, "kind = after\na = range:returned\nb = work@p\npair = all\n",
          "`returned` began at t=3.0 units, but D2H1 (ex.cu:13) ended only at t=4.0 units");
    Tape more = tape_pipeline(false);
    tape_op(&more, (Op){.kind = "kernel", .name = "work", .start = 8, .end = 9});
    fails(more, "kind = after\na = kernel\nb = h2d\n",
          "There are 3 kernels, but only 2 H2D copies to come after");
}
END_TEST

START_TEST(ahead)
{
    passes(tape_pipeline(true), "kind = ahead\na = kernel@p\nb = h2d@p\n");
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "kernel", .name = "one", .start = 0, .end = 1});
    tape_op(&tape,
            (Op){.kind = "kernel", .name = "two", .issued = 1, .start = 1, .end = 2, .line = 20});
    fails(tape, "kind = ahead\na = kernel:two\nb = kernel:one\n",
          "two (ex.cu:20) only at t=1.0 unit, when one (ex.cu:10) had ended");
}
END_TEST

START_TEST(early)
{
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "kernel", .name = "one", .start = 0, .end = 3});
    tape_op(&tape, (Op){.kind = "kernel", .name = "two", .start = 2, .end = 4, .line = 20});
    passes(tape, "kind = early\nselect = kernel\n");
    tape = tape_start();
    tape_op(&tape, (Op){.kind = "kernel", .name = "one", .start = 0, .end = 3});
    tape_op(&tape, (Op){.kind = "kernel", .name = "two", .start = 2, .end = 4, .line = 20});
    tape_op(&tape, (Op){.kind = "kernel", .name = "three", .start = 4, .end = 5, .line = 30});
    fails(
        tape, "kind = early\nselect = kernel\n",
        "three (ex.cu:30) began only at t=4.0 units, when two (ex.cu:20) had ended (t=4.0 units)");
    tape = tape_start();
    tape_op(&tape, (Op){.kind = "kernel", .name = "one", .start = 0, .end = 3});
    tape_op(&tape, (Op){.kind = "kernel", .name = "two", .stream = 3, .start = 2, .end = 4});
    fails(tape, "kind = early\nselect = kernel\n", "No two of 2 kernels are in one stream");
}
END_TEST

START_TEST(caused)
{
    for (int i = 0; i < 2; i++) {
        Tape tape = tape_start();
        tape_op(&tape, (Op){.kind = "kernel", .name = "one", .start = 0, .end = 1});
        tape_op(&tape, (Op){.kind = "kernel",
                            .name = "two",
                            .stream = 3,
                            .start = 1,
                            .end = 2,
                            .why = i ? "legacy\t1\t1000000" : "event\t1\t1000000",
                            .line = 20});
        if (!i) passes(tape, "kind = caused\na = kernel:two\ncause = event\n");
        else
            fails(tape, "kind = caused\na = kernel:two\ncause = event\n",
                  "two (ex.cu:20) should have waited because of: event");
    }
    passes(tape_pipeline(true), "kind = caused\na = h2d@p\ncause = event\n");
    for (int i = 0; i < 2; i++) { /* only the first is asked: the second waits for its stream */
        Tape tape = tape_start();
        const char *why[2] = {"event\t1\t1000000", "stream\t1\t1000000"};
        tape_op(&tape, (Op){.kind = "kernel", .name = "one", .start = 0, .end = 1});
        for (int k = 0; k < 2; k++)
            tape_op(&tape, (Op){.kind = "kernel",
                                .name = "two",
                                .stream = 3,
                                .start = 1 + k,
                                .end = 2 + k,
                                .why = why[i ? !k : k],
                                .line = 20});
        if (!i) passes(tape, "kind = caused\na = kernel:two\ncause = event\nwhich = first\n");
        else
            fails(tape, "kind = caused\na = kernel:two\ncause = event\nwhich = first\n",
                  "should have waited because of: event");
    }
}
END_TEST

START_TEST(none_and_count)
{
    Tape tape = tape_pipeline(true);
    tape_call(&tape, "cudaStreamSynchronize", 4, 5, 0, "ex.cu:30");
    fails(tape, "kind = none\nselect = call:cuda*Synchronize\n",
          "cudaStreamSynchronize (ex.cu:30) must not be here (at t=4.0 units, and the host stood "
          "still for 1.0 unit)");
    passes(tape_pipeline(true), "kind = none\nselect = call:cuda*Synchronize@p\n");
    passes(tape_pipeline(true), "kind = count\nselect = kernel@p\nis = BATCHES\n");
    passes(tape_pipeline(true), "kind = count\nselect = kernel@p, h2d@p\nleast = 4\nmost = 4\n");
    fails(tape_pipeline(true), "kind = count\nselect = kernel@p\nis = BATCHES + 1\n",
          "There are 2 kernels inside `p`; there should be exactly 3.");
    fails(tape_pipeline(true), "kind = count\nselect = kernel@p\nmost = 1\n",
          "at most 1. The last is K1 (ex.cu:12)");
    fails(tape_pipeline(true), "kind = count\nselect = memset@p\nleast = 1\n",
          "There are 0 memsets inside `p`; there should be at least 1");
}
END_TEST

START_TEST(busy)
{
    passes(tape_pipeline(true), "kind = busy\nselect = kernel@p\nleast = 1\n");
    passes(tape_pipeline(false), "kind = busy\nselect = work@p\nis = 1\n");
    fails(tape_pipeline(false), "kind = busy\nselect = kernel@p\nleast = 0.9\n",
          "of the time from the first to the last; it should be at least 0.90. Longest idle: 2.0 "
          "units before K1");
    passes(tape_pipeline(false), "kind = busy\nselect = kernel@p\nmost = 0.9\n");
}
END_TEST

/* Two streams on one copy engine: the last D2H waited longest, for its own stream; what is worth
 * telling is the H2D that waited for the engine. */
static Tape tape_one_engine(bool engine)
{
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 1});
    tape_op(&tape, (Op){.kind = "d2h", .start = 2, .end = 3, .why = "stream\t1\t2000000"});
    tape_op(&tape, (Op){.kind = "h2d",
                        .stream = engine ? 3 : 2,
                        .start = 3,
                        .end = 4,
                        .why = engine ? "engine\t2\t3000000" : "stream\t2\t3000000"});
    tape_op(&tape, (Op){.kind = "d2h",
                        .stream = engine ? 3 : 2,
                        .start = 5,
                        .end = 6,
                        .why = "stream\t3\t5000000"});
    tape_range_end(&tape, range, 6);
    return tape;
}

START_TEST(makespan_tells_what_is_not_the_stream)
{
    const char *lines = "kind = makespan\nrange = p\nis = 4\n";
    fails(tape_one_engine(true), lines, "should be exactly 4. H2D1 waited 3.0 units for D2H0");
    fails(tape_one_engine(false), lines, "should be exactly 4. D2H1 waited 5.0 units for H2D1");
}
END_TEST

START_TEST(makespan)
{
    passes(tape_pipeline(true), "kind = makespan\nrange = p\nis = BATCHES + 3 - 1\n");
    fails(tape_pipeline(false), "kind = makespan\nrange = p\nis = BATCHES + 3 - 1\n",
          "`p` took 6.0 units; it should be exactly 4. H2D1 waited 3.0 units");
    passes(tape_pipeline(false), "kind = makespan\nselect = kernel@p\nmost = 4\n");
    fails(tape_pipeline(false), "kind = makespan\nselect = kernel@p\nmost = 3.5\n", "at most 3.50");
    fails(tape_pipeline(false), "kind = makespan\nselect = h2d@p, kernel@p\nmost = 3\n",
          "From first to last, H2D copies and kernels inside `p` took 5.0 units; it should be at "
          "most 3.");
    passes(tape_pipeline(false), "kind = makespan\nrange = p\nmost = units(p)\n");
    fails(tape_pipeline(false), "kind = makespan\nrange = p\nmost = units(other) / 2\n",
          "units(other) has no value");
}
END_TEST

/* What takes longer than everything should is what to look at, not who waited for it. */
START_TEST(makespan_names_what_is_too_long)
{
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 1});
    tape_op(&tape, (Op){.kind = "kernel", .name = "K", .start = 1, .end = 8});
    tape_op(&tape, (Op){.kind = "d2h", .start = 8, .end = 9, .why = "stream\t2\t8000000"});
    tape_range_end(&tape, range, 9);
    fails(tape, "kind = makespan\nrange = p\nis = 6\n",
          "`p` took 9.0 units; it should be exactly 6. K0 (ex.cu:11) alone lasts 7.0 units.");
}
END_TEST

/* What a length earns: state, points of five, and the score that is told. */
static void earns(Bench bench, CheckState state, int points, double par, double record)
{
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    const CheckResult *r = &bench.results[0];
    ck_assert_msg(r->state == state, "state %d: %s", r->state, r->cause ? r->cause : "");
    ck_assert_int_eq(check_earned(&bench.exercise->checks[0], r), points);
    ck_assert_int_eq(r->score.known, par > 0);
    if (par > 0) {
        ck_assert(r->score.got == 6);
        ck_assert(r->score.par == par);
        ck_assert(r->score.record == record);
    }
    bench_release(&bench);
}

static Bench six_units(const char *lines)
{
    Tape tape = tape_pipeline(false);
    return bench_of(lines, tape_trace(&tape, false));
}

START_TEST(lengths_earn_points_by_how_short_they_are)
{
    const char *way = "kind = makespan\nrange = p\nmost = 4\nzero = 8\nrecord = 3\n";
    earns(six_units(way), CHECK_FAIL, 2, 4, 3);
    earns(six_units("kind = makespan\nrange = p\nmost = 4\nzero = 6\n"), CHECK_FAIL, 0, 4, 0);
    earns(six_units("kind = makespan\nrange = p\nmost = 4\nzero = 5\n"), CHECK_FAIL, 0, 4, 0);
    earns(six_units("kind = makespan\nrange = p\nmost = 6\nzero = 8\nrecord = 3\n"), CHECK_PASS, 5,
          6, 3);
    /* a hair beyond par is not par */
    earns(six_units("kind = makespan\nrange = p\nmost = 5.9\nzero = 800\n"), CHECK_FAIL, 4, 5.9, 0);
    earns(six_units("kind = makespan\nrange = p\nmost = 4\n"), CHECK_FAIL, 0, 0, 0);
    earns(six_units("kind = longest\nselect = range:p\nmost = 4\nzero = 8\nrecord = 3\n"),
          CHECK_FAIL, 2, 4, 3);

    Bench hidden = six_units(way);
    hidden.exercise->runs[0].hidden = true;
    earns(hidden, CHECK_FAIL, 0, 0, 0);

    Bench cut_short = six_units(way);
    cut_short.evidence.complete = false;
    earns(cut_short, CHECK_FAIL, 0, 0, 0);
}
END_TEST

/* Two requests beside each other, the second answered late. */
static Tape requests(void)
{
    Tape tape = tape_start();
    int one = tape_range(&tape, "short1", 0), other = tape_range(&tape, "short2", 1);
    tape_range_end(&tape, one, 2);
    tape_range_end(&tape, other, 4.5);
    return tape;
}

static Tape late_requests(void)
{
    Tape tape = tape_start();
    int part = tape_range(&tape, "p", 5);
    tape_op(&tape, (Op){.kind = "h2d", .issued = 5, .start = 5, .end = 6});
    int one = tape_range(&tape, "short", 5.5);
    tape_range_end(&tape, one, 9);
    tape_range_end(&tape, part, 10);
    return tape;
}

START_TEST(longest)
{
    passes(requests(), "kind = longest\nselect = range:short*\nmost = 3.5\n");
    passes(requests(), "kind = longest\nselect = range:short1\nis = 2\n");
    fails(requests(), "kind = longest\nselect = range:short*\nmost = 3\n",
          "`short2` lasted 3.5 units, from t=1.0 unit to t=4.5 units; it should be at most 3.");
    passes(requests(), "kind = longest\nselect = range:short*\nmost = longest(range:short*)\n");
    fails(requests(), "kind = longest\nselect = range:short*\nmost = median(range:short*)\n",
          "at most 2.");
    /* counted from where the picture of the marked part begins */
    fails(late_requests(), "kind = longest\nselect = range:short*@p\nmost = 3\n",
          "`short` lasted 3.5 units, from t=0.5 units to t=4.0 units; it should be at most 3.");
    fails(requests(), "kind = longest\nselect = range:long*\nmost = 3\n", "nothing can be judged");
}
END_TEST

START_TEST(streams)
{
    passes(tape_pipeline(false), "kind = streams\ngroups = h2d@p, kernel@p\n");
    fails(tape_pipeline(true), "kind = streams\ngroups = h2d@p\n",
          "H2D0 (ex.cu:11) is in stream 1, but H2D1 (ex.cu:11) is in stream 2; they belong in one "
          "stream");
    fails(tape_pipeline(false), "kind = streams\ngroups = h2d@p / kernel@p\n",
          "are both in stream 1; each should have a stream of its own");
}
END_TEST

START_TEST(distinct)
{
    passes(tape_pipeline(true), "kind = distinct\nselect = h2d@p\nof = stream\nis = BATCHES\n");
    fails(tape_pipeline(false), "kind = distinct\nselect = h2d@p\nof = stream\nis = BATCHES\n",
          "2 H2D copies inside `p` use 1 stream; it should be exactly 2");
    Tape tape = tape_start();
    int one = tape_alloc(&tape, "cudaMallocHost", "pinned", "ex.cu:7"),
        other = tape_alloc(&tape, "cudaMallocHost", "pinned", "ex.cu:8");
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 1, .alloc = one});
    tape_op(&tape, (Op){.kind = "h2d", .start = 1, .end = 2, .alloc = other});
    tape_op(&tape, (Op){.kind = "h2d", .start = 2, .end = 3, .alloc = one});
    Tape again = {.calls = tape.calls, .ops = tape.ops};
    text_add(&again.text, text_string(&tape.text));
    passes(tape, "kind = distinct\nselect = h2d\nof = from\nis = 2\n");
    fails(again, "kind = distinct\nselect = h2d\nof = from\nleast = 3\n",
          "H2D0 (ex.cu:10) and H2D2 (ex.cu:12) share one");
}
END_TEST

/* Three kernels write 4096 bytes each, two of them the same ones, and one writes the half of them
 * and as many behind them. */
static Tape writers(void)
{
    Tape tape = tape_start();
    int one = tape_alloc(&tape, "cudaMalloc", "device", "ex.cu:7");
    for (int i = 0; i < 2; i++)
        tape_op(&tape, (Op){.kind = "kernel", .start = i, .end = i + 1, .alloc = one});
    int op = tape_op(&tape, (Op){.kind = "kernel", .start = 2, .end = 3});
    text_printf(&tape.text, "uses\t%d\tw\t%d\t2048\t4096\nuses\t%d\tr\t%d\t9000\t9\n", op, one, op,
                one);
    return tape;
}

START_TEST(written)
{
    passes(writers(), "kind = distinct\nselect = kernel\nof = written\nis = 6144\n");
    fails(writers(), "kind = distinct\nselect = kernel\nof = written\nmost = 4096\n",
          "3 kernels write 6144 different bytes of memory; it should be at most 4096.");
}
END_TEST

START_TEST(flavour)
{
    passes(tape_pipeline(true), "kind = flavour\nselect = work@p\nnot = legacy\n");
    Tape tape = tape_start();
    tape_op(&tape,
            (Op){.kind = "kernel", .name = "k", .stream = 1, .start = 0, .end = 1, .line = 21});
    fails(tape, "kind = flavour\nselect = work\nnot = legacy\n",
          "the legacy default stream: the one used where no stream is named");
    fails(
        tape_pipeline(true), "kind = flavour\nselect = work@p\nis = nonblocking\n",
        "a blocking stream: it waits for the legacy default stream, and that for it. It should be "
        "in a non-blocking stream (cudaStreamCreateWithFlags with cudaStreamNonBlocking).");
    fails(tape_pipeline(true), "kind = flavour\nselect = work@p\nis = per-thread\n",
          "It should be in the default stream of the thread that makes the call "
          "(cudaStreamPerThread).");
    fails(tape_pipeline(true), "kind = flavour\nselect = work@p\nnot = blocking\n",
          "is in stream 1, a blocking stream");
    passes(tape_pipeline(true), "kind = flavour\nselect = work@p\nis = blocking\n");
}
END_TEST

START_TEST(memory)
{
    passes(tape_pipeline(true), "kind = memory\nselect = h2d@p, d2h@p\nend = host\nis = pinned\n");
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "d2h", .start = 0, .end = 1, .host = "pageable", .line = 21});
    fails(tape, "kind = memory\nselect = d2h\nend = host\nis = pinned\n",
          "D2H0 (ex.cu:21) writes to pageable memory (an ordinary array, or from malloc)");
    Tape other = tape_start();
    int alloc = tape_alloc(&other, "cudaMallocManaged", "managed", "ex.cu:7");
    tape_op(&other, (Op){.kind = "h2d", .start = 0, .end = 1, .host = "managed", .alloc = alloc});
    fails(other, "kind = memory\nselect = h2d\nis = pinned\n",
          "managed memory, which comes from cudaMallocManaged (ex.cu:7)");
}
END_TEST

START_TEST(async)
{
    passes(tape_pipeline(true), "kind = async\nselect = h2d@p\n");
    Tape tape = tape_start();
    tape_op(
        &tape,
        (Op){.kind = "h2d", .start = 0, .end = 1, .returned = 1, .host = "pageable", .line = 9});
    fails(tape, "kind = async\nselect = h2d\n",
          "cudaMemcpyAsync (ex.cu:9) kept the host for 1.0 unit");
}
END_TEST

START_TEST(freed)
{
    for (int i = 0; i < 4; i++) {
        Tape tape = tape_start();
        int alloc =
            tape_alloc(&tape, "cudaMallocHost", "pinned", i == 3 ? "harness.cu:7" : "ex.cu:7");
        if (i == 0) tape_free(&tape, alloc, "cudaFreeHost", "ex.cu:9");
        if (i == 1) tape_free(&tape, alloc, "cudaFree", "ex.cu:9");
        const char *lines = "kind = freed\nmemory = pinned\n";
        if (i == 1)
            fails(tape, lines,
                  "What cudaMallocHost (ex.cu:7) allocated is freed by cudaFree (ex.cu:9). It has "
                  "to go back with "
                  "cudaFreeHost");
        else if (i == 2) fails(tape, lines, "is never freed");
        else passes(tape, lines);
    }
    Tape tape = tape_start();
    tape_alloc(&tape, "cudaMallocAsync", "device", "ex.cu:7");
    fails(tape, "kind = freed\nmemory = device\n",
          "What cudaMallocAsync (ex.cu:7) allocated is never freed. It has to go back with "
          "cudaFreeAsync.");
}
END_TEST

/* Who called is known better than where the call stands. */
START_TEST(freed_by_side)
{
    const char *lines = "kind = freed\nmemory = pinned\n";
    static const char *const sites[] = {"harness.cu:12\tstudent", "-\tstudent", "ex.cu:7\tharness"};
    for (int i = 0; i < 3; i++) {
        Tape tape = tape_start();
        tape_alloc(&tape, "cudaMallocHost", "pinned", sites[i]);
        if (i < 2) fails(tape, lines, "is never freed");
        else passes(tape, lines);
    }
}
END_TEST

/* Each copy of tape_pipeline moves 4096 bytes. */
START_TEST(what_is_carried)
{
    const char *memory = "kind = memory\nselect = h2d@p\nis = pinned\n";
    static const struct {
        const char *keys, *words;
    } rows[] = {
        {"carry = h2d@p, d2h@p\nbytes = 8192\n", NULL},
        {"carry = h2d@p\nbytes = bytes(d2h@p)\nat-once = 4096\n", NULL},
        {"carry = h2d@p\nat-once = 4096\n", NULL},
        {"carry = d2h@p, h2d@p\nbytes = 8193\n", "2 D2H copies inside `p` move 8192 bytes in all, "
                                                 "and the data are 8193: some of them took"},
        {"carry = h2d@p\nbytes = 8191\n", "something is sent that is no part of them"},
        {"carry = h2d@p\nat-once = 4095\n", "(ex.cu:11) moves 4096 bytes at once; one part of the "
                                            "data has 4095"},
        {"carry = memset@p\nbytes = 0\n", "There is no memset inside `p`"},
        {"device = kernel@p, d2d@p\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *lines = memory_format("%s%s", memory, rows[i].keys);
        if (rows[i].words) fails(tape_pipeline(true), lines, rows[i].words);
        else passes(tape_pipeline(true), lines);
        free(lines);
    }
    fails(tape_pipeline(true),
          "kind = together\nselect = h2d@p, kernel@p\ncarry = h2d@p\nbytes = 1\n",
          "8192 bytes in all");
    fails(tape_pipeline(true),
          "kind = distinct\nselect = h2d@p\nof = stream\nis = 2\ncarry = h2d@p\nbytes = 1\n",
          "8192 bytes in all");
    /* beside the kernels runs one of the two copies */
    passes(tape_pipeline(true), "kind = overlap\na = kernel@p\nb = h2d@p\nbytes = 4096\n");
    fails(tape_pipeline(true), "kind = overlap\na = kernel@p\nb = h2d@p\nbytes = 4097\n",
          "moved only 4096 bytes of 2 H2D copies inside `p`; 4097 should");
    passes(tape_pipeline(true), "kind = overlap\na = kernel@p\nb = h2d@p\nexactly = BATCHES\n");
    fails(tape_pipeline(true), "kind = overlap\na = kernel@p\nb = h2d@p\nexactly = 1\n",
          "There are 2 kernels inside `p`; there should be exactly 1.");
}
END_TEST

/* By the order of the calls: times may all be one. */
START_TEST(between_operations)
{
    static const char *const words[] = {NULL, NULL,
                                        "cudaStreamSynchronize (ex.cu:3) must not be here", NULL};
    for (int i = 0; i < 4; i++) {
        Tape tape = tape_start();
        int range = tape_range(&tape, "p", 0);
        for (int k = 0; k < 4; k++) {
            if (i == k) tape_call(&tape, "cudaStreamSynchronize", 0, 0, 0, "ex.cu:3");
            if (k == 1 || k == 2) tape_op(&tape, (Op){.kind = "h2d", .start = k, .end = k + 1});
            if (k == 0) tape_op(&tape, (Op){.kind = "kernel", .name = "k", .start = 0, .end = 1});
        }
        tape_range_end(&tape, range, 3);
        const char *lines = "kind = none\nselect = call:cuda*Synchronize@p\nbetween = h2d@p\n";
        if (words[i]) fails(tape, lines, words[i]);
        else passes(tape, lines);
    }
}
END_TEST

/* Copies that a program did not come to make are not failed, as nothing else is. */
START_TEST(carried_by_a_program_that_was_killed)
{
    const char *const keys[] = {"bytes = 99999\n", "bytes = 1\n"};
    for (int i = 0; i < 2; i++) {
        Tape tape = tape_pipeline(true);
        char *lines =
            memory_format("kind = memory\nselect = h2d@p\nis = pinned\ncarry = h2d@p\n%s", keys[i]);
        Bench bench = bench_of(lines, tape_trace(&tape, true));
        bench.evidence.complete = false;
        checks_evaluate(bench.exercise, &bench.evidence, bench.results);
        ck_assert_int_eq(bench.results[0].state, i == 0 ? CHECK_BLOCKED : CHECK_FAIL);
        bench_release(&bench);
        free(lines);
    }
}
END_TEST

/* What a kernel reached into: the trace's `uses`. */
START_TEST(stays_on_the_device)
{
    static const struct {
        const char *kind, *way, *words;
    } rows[] = {{"device", "r", NULL},
                {"pinned", "r",
                 "K0 (ex.cu:10) reads from pinned memory (from cudaMallocHost (ex.cu:3))"},
                {"managed", "w", "K0 (ex.cu:10) writes to managed memory"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Tape tape = tape_start();
        int alloc = tape_alloc(&tape, "cudaMallocHost", rows[i].kind, "ex.cu:3");
        int range = tape_range(&tape, "p", 0);
        int op = tape_op(&tape, (Op){.kind = "kernel", .name = "k", .start = 0, .end = 1});
        tape_op(&tape, (Op){.kind = "h2d", .start = 1, .end = 2});
        text_printf(&tape.text, "uses\t%d\t%s\t%d\t0\t4\n", op, rows[i].way, alloc);
        tape_range_end(&tape, range, 2);
        const char *lines = "kind = memory\nselect = h2d@p\nis = pinned\ndevice = kernel@p\n";
        if (rows[i].words) fails(tape, lines, rows[i].words);
        else passes(tape, lines);
    }
}
END_TEST

/* Registered memory is malloc's, and what was registered has to be unregistered. */
START_TEST(unregistered)
{
    const char *lines = "kind = freed\nmemory = pinned\n";
    Tape never = tape_start(), undone = tape_start(), other = tape_start();
    tape_alloc(&never, "cudaHostRegister", "registered", "ex.cu:7");
    fails(never, lines,
          "What cudaHostRegister (ex.cu:7) pinned is never undone. It has to go back with "
          "cudaHostUnregister, "
          "before its memory is freed");
    tape_free(&undone, tape_alloc(&undone, "cudaHostRegister", "registered", "ex.cu:7"),
              "cudaHostUnregister", "ex.cu:9");
    passes(undone, lines);
    tape_free(&other, tape_alloc(&other, "cudaHostRegister", "registered", "ex.cu:7"),
              "cudaFreeHost", "ex.cu:9");
    fails(other, lines,
          "is freed by cudaFreeHost (ex.cu:9). It has to go back with cudaHostUnregister");
}
END_TEST

START_TEST(balanced)
{
    for (int i = 0; i < 2; i++) {
        Tape tape = tape_start();
        tape_call(&tape, "cudaStreamCreate", 0, 0, 0, "ex.cu:5");
        tape_call(&tape, "cudaStreamCreateWithFlags", 0, 0, 0, "ex.cu:6");
        tape_call(&tape, "cudaStreamCreate", 0, 0, 1, "ex.cu:7"); /* failed: nothing to destroy */
        tape_call(&tape, "cudaStreamDestroy", 5, 5, 0, "ex.cu:8");
        text_add(&tape.text, "streamend\t2\t5000000\tex.cu:8\n");
        if (i) tape_call(&tape, "cudaStreamDestroy", 5, 5, 0, "ex.cu:9");
        if (i)
            passes(tape,
                   "kind = balanced\ncreate = cudaStreamCreate*\ndestroy = cudaStreamDestroy\n");
        else
            fails(tape,
                  "kind = balanced\ncreate = cudaStreamCreate*\ndestroy = cudaStreamDestroy\n",
                  "2 calls of cudaStreamCreate* succeeded, but 1 of cudaStreamDestroy. Never "
                  "destroyed: "
                  "stream 2 (ex.cu:6)");
    }
}
END_TEST

START_TEST(chain)
{
    passes(tape_pipeline(true), "kind = chain\nselect = h2d@p, kernel@p, d2h@p\n");
    fails(tape_pipeline(true), "kind = chain\nselect = kernel@p, h2d@p\n", "was issued before");
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 1});
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .stream = 3, .start = 1, .end = 2});
    fails(tape, "kind = chain\nselect = h2d, kernel\n", "comes after it, is in stream 2");
    Tape more = tape_pipeline(true);
    tape_op(&more, (Op){.kind = "d2h", .start = 8, .end = 9});
    fails(more, "kind = chain\nselect = h2d, d2h\n", "There are 2 H2D copies, but 3 D2H copies");
}
END_TEST

START_TEST(errors)
{
    Tape tape = tape_start();
    tape_call(&tape, "cudaEventQuery", 0, 0, 600, "ex.cu:4");
    passes(tape, "kind = errors\n");
    Tape bad = tape_start();
    tape_call(&bad, "cudaMemcpyAsync", 0, 0, 1, "ex.cu:4");
    fails(bad, "kind = errors\n",
          "cudaMemcpyAsync (ex.cu:4) returned error 1 (cudaErrorInvalidValue");
    Tape nothing = tape_start();
    tape_call(&nothing, "cudaMemcpyAsync", 0, 0, 1, "ex.cu:4");
    fails(nothing, "kind = flavour\nselect = h2d\nnot = legacy\n",
          "judged. cudaMemcpyAsync (ex.cu:4) returned error 1 (");
}
END_TEST

/* The thread that runs host functions makes no CUDA call, whatever it returns. */
START_TEST(calls_in_host_functions)
{
    Tape tape = tape_start();
    tape_call(&tape, "cudaGetLastError", 0, 0, 0, "ex.cu:4");
    text_add(
        &tape.text,
        "thread\t2\tdriver\tdriver\ncall\t2\t2\tcudaPeekAtLastError\t5\tex.cu:9\nret\t2\t5\t0\n");
    fails(tape, "kind = errors\n",
          "cudaPeekAtLastError (ex.cu:9) is called in a host function, where no CUDA call is "
          "allowed");
    Tape bad = tape_start();
    text_add(&bad.text,
             "thread\t2\tdriver\tdriver\ncall\t1\t2\tcudaMalloc\t5\tex.cu:9\nret\t1\t5\t800\n");
    fails(bad, "kind = errors\n", "It returned error 800");
}
END_TEST

START_TEST(value)
{
    for (int i = 0; i < 3; i++) {
        Tape tape = tape_pipeline(true);
        Bench bench =
            bench_of("kind = value\nname = time\nequals = units(p)\n", tape_trace(&tape, false));
        if (i)
            values_parse(&bench.evidence.got.values, i == 1 ? "time 1\ntime 4.01\n" : "time 7\n");
        checks_evaluate(bench.exercise, &bench.evidence, bench.results);
        ck_assert_int_eq(bench.results[0].state, i == 1 ? CHECK_PASS : CHECK_FAIL);
        if (i == 0)
            ck_assert_str_eq(
                bench.results[0].cause,
                "There is no value `time`: the program did not come that far, or never gave it.");
        if (i == 2)
            ck_assert_str_eq(bench.results[0].cause,
                             "`time` is 7; by what was recorded it should be 4.");
        bench_release(&bench);
    }
}
END_TEST

/* ---- results and report ---- */
static void add_dump(Dumps *dumps, const char *name, const float *values, size_t n)
{
    dumps->items = memory_grow(dumps->items, dumps->n + 1, sizeof *dumps->items);
    dumps->items[dumps->n] = (Dump){memory_copy(name), memory_get(n, sizeof *values), n};
    memcpy(dumps->items[dumps->n++].values, values, n * sizeof *values);
}

static char *judge_dumps(const float *got, size_t n, const float *expected, size_t expected_n,
                         Tape tape)
{
    Bench bench = bench_of("kind = results\n", tape_trace(&tape, false));
    if (got) add_dump(&bench.evidence.got.dumps, "out", got, n);
    add_dump(&bench.evidence.expected.dumps, "out", expected, expected_n);
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state == CHECK_PASS, bench.results[0].cause == NULL);
    char *cause = bench.results[0].cause ? memory_copy(bench.results[0].cause) : NULL;
    bench_release(&bench);
    return cause;
}

START_TEST(results)
{
    const float right[] = {1, 2, 3, 4}, near[] = {1.000001f, 2, 3, 4}, wrong[] = {1, 2, 0, 0};
    ck_assert_ptr_null(judge_dumps(near, 4, right, 4, tape_pipeline(true)));
    char *cause = judge_dumps(wrong, 4, right, 4, tape_pipeline(true));
    ck_assert_str_eq(cause, "In `out`, 2 of 4 numbers are wrong. The first is at index 2: 0 "
                            "instead of 3. All of the wrong ones are 0: "
                            "nothing has arrived there.");
    free(cause);
    cause = judge_dumps(right, 3, right, 4, tape_pipeline(true));
    ck_assert_str_eq(cause, "`out` has 3 numbers instead of 4.");
    free(cause);
    cause = judge_dumps(NULL, 0, right, 4, tape_pipeline(true));
    ck_assert_str_eq(cause,
                     "The result `out` is missing: the program ended before it was complete.");
    free(cause);
}
END_TEST

/* A program may leave its results in another order, and more of them. */
START_TEST(results_in_any_order)
{
    const float one[] = {1, 2}, two[] = {3, 4};
    for (int i = 0; i < 2; i++) {
        Tape tape = tape_pipeline(true);
        Bench bench = bench_of(i ? "kind = results\nof = two\n" : "kind = results\n",
                               tape_trace(&tape, false));
        add_dump(&bench.evidence.got.dumps, "between", one, 2);
        if (!i) add_dump(&bench.evidence.got.dumps, "one", one, 2);
        add_dump(&bench.evidence.got.dumps, "two", two, 2);
        add_dump(&bench.evidence.expected.dumps, "one", one, 2);
        add_dump(&bench.evidence.expected.dumps, "two", two, 2);
        checks_evaluate(bench.exercise, &bench.evidence, bench.results);
        ck_assert_msg(bench.results[0].state == CHECK_PASS, "%d: %s", i, bench.results[0].cause);
        bench_release(&bench);
    }
}
END_TEST

START_TEST(results_read_too_soon)
{
    const float right[] = {1, 2}, wrong[] = {1, 0};
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    tape_op(&tape, (Op){.kind = "d2h", .start = 2, .end = 5, .line = 31});
    tape_range_end(&tape, range, 3);
    char *cause = judge_dumps(wrong, 2, right, 2, tape);
    ck_assert_msg(strstr(cause,
                         "D2H0 (ex.cu:31) ended at t=3.0 units, after `p` was over (t=1.0 unit)") !=
                      NULL,
                  "%s", cause);
    free(cause);
}
END_TEST

START_TEST(results_at_the_wrong_place)
{
    float right[64], moved[64];
    for (int i = 0; i < 64; i++) right[i] = (float)(i * i + 1), moved[i] = right[i];
    memcpy(moved + 32, right, 32 * sizeof *right);
    char *cause = judge_dumps(moved, 64, right, 64, tape_pipeline(true));
    ck_assert_msg(
        strstr(cause, "index 32: 1 instead of 1025. The numbers found there belong at index 0.") !=
            NULL,
        "%s", cause);
    free(cause);
}
END_TEST

START_TEST(report)
{
    Tape tape = tape_pipeline(false);
    Bench bench = bench_of("kind = report\n", tape_trace(&tape, false));
    char error[300];
    ck_assert(report_render(&bench.evidence.got.report, "Total: {units p} units\n",
                            bench.evidence.run, &bench.evidence.got, NULL, error, sizeof error));
    bench.evidence.golden = "Total:  6 units";
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_PASS);
    bench.evidence.golden = "Total: 4 units\n";
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_FAIL);
    ck_assert_str_eq(bench.results[0].detail, "- Total: 4 units\n+ Total: 6 units\n^        ^\n");
    bench_release(&bench);
}
END_TEST

START_TEST(golden_text_printed)
{
    Evidence evidence = {.golden = "=== A ===\nB: 1\nC: 2\n",
                         .output = "hello\n=== A ===\nB:  1\nC: 2\n"};
    ck_assert(checks_golden_printed(&evidence));
    evidence.output = "hello\nC: 2\n";
    ck_assert(!checks_golden_printed(&evidence));
}
END_TEST

/* ---- what blocks what ---- */
START_TEST(blocked)
{
    Tape tape = tape_pipeline(true);
    Bench bench = bench_of(
        "kind = count\nselect = kernel@p\nis = 9\n[check d]\ntitle = D\nkind = errors\nneeds = c\n"
        "[check e]\ntitle = E\nkind = errors\nneeds = d\n[check f]\ntitle = F\nkind = errors\n",
        tape_trace(&tape, false));
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_FAIL);
    ck_assert_int_eq(bench.results[1].state, CHECK_BLOCKED);
    ck_assert_str_eq(bench.results[1].blocked_by, "c");
    ck_assert_str_eq(bench.results[2].blocked_by, "d");
    ck_assert_int_eq(bench.results[3].state, CHECK_PASS);
    bench_release(&bench);
}
END_TEST

START_TEST(a_program_that_was_killed)
{
    Tape tape = tape_start();
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .start = 0, .end = -1});
    Bench bench =
        bench_of("kind = errors\n[check d]\ntitle = D\nkind = count\nselect = kernel\nis = 2\n",
                 tape_trace(&tape, true));
    bench.evidence.complete = false;
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_BLOCKED);
    ck_assert_ptr_null(bench.results[0].blocked_by);
    ck_assert_int_eq(bench.results[1].state, CHECK_BLOCKED);
    bench_release(&bench);
    tape = tape_start();
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .start = 0, .end = -1});
    bench = bench_of("kind = none\nselect = kernel\n", tape_trace(&tape, true));
    bench.evidence.complete = false;
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_FAIL); /* what happened has happened */
    bench_release(&bench);
    bench = bench_of("kind = errors\n", NULL);
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_FAIL);
    ck_assert_str_eq(bench.results[0].cause, "The program left no record of what it did: it never "
                                             "came to its first CUDA call.");
    bench_release(&bench);
    tape = tape_start(); /* nothing can be said of a part that it never came to */
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .start = 0, .end = -1});
    bench = bench_of("kind = hazards\nrange = later\n", tape_trace(&tape, true));
    bench.evidence.complete = false;
    checks_evaluate(bench.exercise, &bench.evidence, bench.results);
    ck_assert_int_eq(bench.results[0].state, CHECK_BLOCKED);
    bench_release(&bench);
}
END_TEST

/* Of a kind of hazard those in the student's lines, and those of which nobody knows the place. */
START_TEST(hazards_of_the_student)
{
    static const struct {
        const char *sites;
        bool passes;
    } cases[] = {{"ex.cu:5\tharness.cu:9", false},
                 {"harness.cu:9\tex.cu:5", false},
                 {"here/ex.cu:5\t-", false},
                 {"-\tex.cu:5", false},
                 {"-\t-", false},
                 {"harness.cu:7\tharness.cu:9", true},
                 {"harness.cu:7\t-", true},
                 {"-\tharness.cu:9", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tape tape = tape_start();
        tape_op(&tape, (Op){.kind = "h2d", .start = 0, .end = 1});
        text_printf(&tape.text, "hazard\tredundant\t1\t0\t%s\tit says so\tnote\tit\t-\t-\n",
                    cases[i].sites);
        Bench bench = bench_of("kind = hazards\nof = redundant\n", tape_trace(&tape, true));
        checks_evaluate(bench.exercise, &bench.evidence, bench.results);
        ck_assert_msg((bench.results[0].state == CHECK_PASS) == cases[i].passes, "%s",
                      cases[i].sites);
        bench_release(&bench);
    }
}
END_TEST

/* A kernel of which is known what happened inside. */
static Tape inside_tape(const char *records)
{
    Tape tape = tape_start();
    int alloc = tape_alloc(&tape, "cudaMalloc", "device", "ex.cu:5");
    tape_alloc(&tape, "cudaMalloc", "device", "ex.cu:6");
    tape_op(&tape, (Op){.kind = "d2h", .start = 0, .end = 1, .alloc = alloc});
    tape_op(&tape, (Op){.kind = "kernel", .name = "k", .start = 1, .end = 3});
    text_add(&tape.text, records);
    return tape;
}

START_TEST(lead)
{
    const char *lines = "kind = lead\nselect = kernel\nahead = load\nof = compute\ntiles = 4\n"
                        "least = BATCHES\n",
               *store = "kind = lead\nselect = kernel\nahead = compute\nof = store\ntiles = 4\n"
                        "least = 1\n",
               *two = "inside\t2\tbarriers\t0\t1\t0\t0\n"
                      "inside\t2\tload-compute\t0\t500000000\t1000000000\t0\n",
               *one = "inside\t2\tbarriers\t0\t1\t0\t0\n"
                      "inside\t2\tload-compute\t0\t470000000\t1000000000\t0\n",
               *without = "inside\t2\tbarriers\t0\t1\t0\t0\n"
                          "inside\t2\tload-store\t0\t333333333\t666666666\t0\n";
    passes(inside_tape(two), lines);
    fails(inside_tape(one), lines,
          "the warps that load can be 1 tile ahead of those that compute; at least 2 are wanted");
    passes(inside_tape(without), lines); /* who stores computes, where nobody else does */
    fails(inside_tape(two), store, "no warps that only compute and others that only store");
    fails(inside_tape(""), lines, "What happens inside K0 (ex.cu:11) is not known");
    fails(tape_start(), lines, "There is no kernel");
}
END_TEST

START_TEST(loads)
{
    const char *once = "kind = loads\nselect = kernel\nis = 1\n",
               *from = "kind = loads\nselect = kernel\nfrom = d2h\nis = 1\n",
               *records = "inside\t2\tbarriers\t0\t1\t0\t0\n"
                          "inside\t2\treads\t1\t100\t100\t1000000\n"
                          "inside\t2\treads\t2\t700\t100\t1000000\n";
    fails(inside_tape(records), once,
          "K0 (ex.cu:11) loads every byte of its input 4.00 times; exactly 1 is wanted: its "
          "threads ask for 800 bytes, and there are only 200 different ones.");
    passes(inside_tape(records), from);
    passes(inside_tape(records), "kind = loads\nselect = kernel\nis = 2 * BATCHES\n");
    passes(inside_tape(records), "kind = count\nselect = kernel\nis = loads(kernel) / 4\n");
    fails(inside_tape("inside\t2\tbarriers\t0\t1\t0\t0\n"), once, "loads nothing");
}
END_TEST

START_TEST(clusters)
{
    const char *lines = "kind = clusters\nselect = kernel\nis = BATCHES\n",
               *alone = "inside\t2\tbarriers\t0\t1\t0\t0\n",
               *two = "inside\t2\tbarriers\t0\t1\t0\t0\n"
                      "inside\t2\tcluster\t0\t2\t8\t0\n",
               *four = "inside\t2\tbarriers\t0\t1\t0\t0\n"
                       "inside\t2\tcluster\t0\t4\t8\t0\n";
    passes(inside_tape(two), lines);
    fails(inside_tape(four), lines,
          "was launched in clusters of 4 blocks (8 blocks in all); clusters of exactly 2 are "
          "wanted");
    fails(inside_tape(alone), lines, "was launched without clusters");
    passes(inside_tape(alone), "kind = clusters\nselect = kernel\nis = 1\n");
}
END_TEST

START_TEST(barriers)
{
    const char *lines = "kind = barriers\nselect = kernel\nmost = BATCHES\n";
    passes(inside_tape("inside\t2\tbarriers\t0\t2\t0\t0\n"), lines);
    fails(inside_tape("inside\t2\tbarriers\t0\t3\t0\t0\n"), lines,
          "a block passes 3 barriers at which all of its threads meet");
    passes(inside_tape("inside\t2\tbarriers\t0\t3\t0\t0\n"),
           "kind = count\nselect = kernel\nis = barriers(kernel) - 2\n");
}
END_TEST

START_TEST(inputs)
{
    const char *lines = "kind = inputs\nselect = kernel\n",
               *early = "inside\t3\tbarriers\t0\t0\t0\t0\n"
                        "inside\t3\treads\t1\t8\t8\t2500000\n",
               *late = "inside\t3\tbarriers\t0\t0\t0\t0\n"
                       "inside\t3\treads\t2\t8\t8\t2500000\n" /* not the other's */
                       "inside\t3\treads\t1\t8\t8\t3000000\n";
    for (int i = 0; i < 2; i++) {
        Tape tape = inside_tape("inside\t2\tbarriers\t0\t0\t0\t0\n"
                                "inside\t2\twrites\t1\t8\t8\t1000000\n");
        tape_op(&tape, (Op){.kind = "kernel", .name = "l", .start = 2, .end = 4});
        text_add(&tape.text, i ? late : early);
        if (i) passes(tape, lines);
        else fails(tape, lines, "l (ex.cu:12) reads what k (ex.cu:11) writes at t=");
    }
}
END_TEST

CASES("checks")
