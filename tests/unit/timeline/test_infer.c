/* Reasons that are read out of times alone: on small traces made for one rule each, and on traces
 * of real runs. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/trace_text.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/infer.h"
#include "tests/unit/cases.h"

/* As TRACE_HEAD, but recorded on hardware: one unit is 1 ms. */
#define HARDWARE                                                                                   \
    "threelane 1\nmeta backend cuda\nmeta unit_ns 1000000\nmeta unit_name ms\nmeta exact "         \
    "0\ndevice 1 GPU\n"                                                                            \
    "engine 1 1 h2d H2D\nengine 2 1 compute compute\nengine 3 1 d2h D2H\nengine 4 0 host driver\n" \
    "thread 1 main -\nstream 1 1 legacy 0 0 - -\nstream 2 1 nonblocking 0 0 - -\nstream 3 1 "      \
    "nonblocking 0 0 - -\n"                                                                        \
    "stream 4 1 blocking 0 0 - -\nevent 1 0\n"
#define WORK(id, kind, stream, issued) \
    "op " id " 0 " kind " 1 " stream " " issued " 1 - - - - 0 0 k\n"
#define MARKER(id, kind, stream, event) \
    "op " id " 0 " kind " 1 " stream " 0 0 - - - - 0 " event " -\n"

static Trace *inferred(const char *text)
{
    Trace *t = trace_of(text);
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert(infer_causes(t));
    return t;
}

static void decided(const char *text, uint32_t op, TraceCauseKind kind, uint32_t by, uint64_t until)
{
    Trace *t = inferred(text);
    const TraceCause *cause = analysis_decisive_cause(t, op);
    ck_assert_msg(cause != NULL, "no cause for op %u", op);
    ck_assert_str_eq(trace_cause_word[cause->kind], trace_cause_word[kind]);
    ck_assert_uint_eq(cause->by_op, by);
    ck_assert_uint_eq(cause->until_ns, until);
    ck_assert(t->inferred);
    trace_free(t);
}

START_TEST(rules)
{
    /* 1 runs from 10 us to 1 ms on compute in stream 2; 2 was issued at 20 us and starts at 1.005
     * ms */
#define FIRST HARDWARE WORK("1", "kernel", "2", "5000") RUN("1", "10000", "2", "1000000")
    decided(FIRST WORK("2", "d2h", "2", "20000") RUN("2", "1005000", "3", "1500000"), 2,
            TRACE_BY_STREAM, 1, 1000000);
    decided(FIRST MARKER("2", "record", "2", "1") MARKER("3", "wait", "3", "1")
                WORK("4", "kernel", "3", "20000") RUN("4", "1002000", "2", "1500000"),
            4, TRACE_BY_EVENT, 1, 1000000);
    /* what is recorded again before the wait counts, what is recorded after it does not */
    decided(FIRST MARKER("2", "record", "2", "1") MARKER("3", "wait", "3", "1")
                WORK("4", "kernel", "2", "15000") RUN("4", "1000500", "2", "1001000")
                    MARKER("5", "record", "2", "1") WORK("6", "kernel", "3", "20000")
                        RUN("6", "1002000", "2", "1500000"),
            6, TRACE_BY_EVENT, 1, 1000000);
    decided(HARDWARE WORK("1", "h2d", "2", "5000") RUN("1", "10000", "1", "1000000")
                WORK("2", "h2d", "3", "20000") RUN("2", "1001700", "1", "1500000"),
            2, TRACE_BY_ENGINE, 1, 1000000);
    decided(HARDWARE WORK("1", "kernel", "4", "5000") RUN("1", "10000", "2", "1000000")
                WORK("2", "kernel", "1", "20000") RUN("2", "1003000", "2", "1500000"),
            2, TRACE_BY_LEGACY, 1, 1000000);
    decided(HARDWARE WORK("1", "kernel", "1", "5000") RUN("1", "10000", "2", "1000000")
                WORK("2", "kernel", "4", "20000") RUN("2", "1003000", "2", "1500000"),
            2, TRACE_BY_LEGACY, 1, 1000000);
    decided(HARDWARE WORK("1", "hostfn", "2", "5000") RUN("1", "10000", "4", "1000000")
                WORK("2", "hostfn", "3", "20000") RUN("2", "1003000", "4", "1500000"),
            2, TRACE_BY_DRIVER, 1, 1000000);
    decided(FIRST WORK("2", "kernel", "3", "20000") RUN("2", "1001000", "2", "1500000"), 2,
            TRACE_BY_ROOM, 1, 1000000);
    decided(FIRST WORK("2", "kernel", "2", "1200000") RUN("2", "1204000", "2", "1500000"), 2,
            TRACE_BY_LATENCY, 0, 1204000);
    /* the device's and the host's clocks differ a little: an end just after the start is still its
     * reason */
    decided(FIRST WORK("2", "d2h", "2", "20000") RUN("2", "999500", "3", "1500000"), 2,
            TRACE_BY_STREAM, 1, 999500);
}
END_TEST

START_TEST(no_reason)
{
    char text[400];
    /* a stream of its own, beside the first: it started while that one ran */
    Trace *t = inferred(FIRST WORK("2", "kernel", "3", "20000") RUN("2", "25000", "2", "1500000"));
    ck_assert_int_eq(analysis_decisive_cause(t, 2)->kind, TRACE_BY_LATENCY);
    trace_free(t);
    /* nothing fits what it waited for */
    t = inferred(HARDWARE WORK("1", "kernel", "2", "5000") RUN("1", "3000000", "2", "4000000"));
    ck_assert_ptr_null(analysis_decisive_cause(t, 1));
    ck_assert_ptr_nonnull(
        strstr(analysis_explain(t, 0, 1, text, sizeof text), "the trace does not say why"));
    trace_free(t);
    /* a simulator's trace, or one that has its causes, stays as it is */
    t = inferred(TRACE_HEAD OP("1", "kernel", "2", "k") RUN("1", "0", "2", "5"));
    ck_assert(!t->inferred && t->n_causes == 0);
    trace_free(t);
    t = inferred(FIRST "why 1 host 0 5000\n");
    ck_assert(!t->inferred && t->n_causes == 1);
    trace_free(t);
    /* never started, never ended */
    t = inferred(HARDWARE WORK("1", "kernel", "2", "5000") "start 1 6000 2\n" WORK("2", "kernel",
                                                                                   "2", "7000"));
    ck_assert(t->ops[2].n_causes == 0);
    trace_free(t);
    t = inferred(HARDWARE);
    trace_free(t);
}
END_TEST

static Trace *fixture(const char *name)
{
    char path[200], error[300];
    snprintf(path, sizeof path, "tests/fixtures/h200/%s", name);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert(infer_causes(t));
    return t;
}

static void says(const Trace *t, const char *range, const char *expected)
{
    uint32_t id = analysis_range(t, range), n;
    ck_assert_uint_ne(id, 0);
    Labels *labels = labels_new(t, id);
    const uint32_t *order = labels_order(labels, &n);
    char text[600];
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
        found =
            strstr(analysis_explain_with(t, labels, order[i], text, sizeof text), expected) != NULL;
    labels_free(labels);
    ck_assert_msg(found, "nothing in %s says: %s", range, expected);
}

START_TEST(real_pipeline)
{
    Trace *t = fixture("ex43.lane");
    ck_assert_str_eq(trace_meta(t, "card"), "NVIDIA H200");
    ck_assert(!t->truncated && t->ended && t->exit_status == 0);
    says(t, "pipelined",
         "for H2D0: the H2D copy engine was busy with H2D0 (inferred; solution.cu:11)");
    says(t, "pipelined", "for H2D0: both are in stream 1 (inferred; solution.cu:12)");
    says(t, "pipelined",
         "for D2H0: the D2H copy engine was busy with D2H0 (inferred; solution.cu:13)");
    /* three lanes at once: what the exercise is about, on hardware */
    uint32_t range = analysis_range(t, "pipelined");
    ck_assert_uint_gt(analysis_engines_busy_ns(t, range, 2), analysis_makespan_ns(t, range) / 4);
    trace_free(t);
}
END_TEST

START_TEST(real_reasons)
{
    Trace *t = fixture("multi.lane");
    says(t, "events",
         "stream 2 waits for an event recorded after K0, see cudaStreamWaitEvent at multi.cu:33 "
         "(inferred; multi.cu:34)");
    says(t, "barrier",
         "it is in stream 0, the default stream, which first waits for all earlier work in "
         "blocking");
    says(t, "barrier",
         "stream 2 is a blocking stream, and those wait for earlier work in stream 0");
    says(t, "host", "for CB0: both are in stream feed (inferred; multi.cu:47)");
    /* a graph's kernels belong to the call that launched it, those that were captured ran only
     * then */
    char error[200];
    AnalysisSet *set = analysis_select(t, "kernel@graph", error, sizeof error);
    ck_assert_uint_eq(set->n, 6);
    for (uint32_t i = 0; i < set->n; i++)
        ck_assert_str_eq(t->calls[t->ops[set->items[i].id].call].name, "cudaGraphLaunch");
    analysis_set_free(set);
    /* order and ids: what FORMAT.md promises */
    for (uint32_t i = 2; i <= t->n_ops; i++)
        REQUIRE(t->ops[i].issued_ns >= t->ops[i - 1].issued_ns);
    for (uint32_t i = 2; i <= t->n_calls; i++)
        REQUIRE(t->calls[i].start_ns >= t->calls[i - 1].start_ns);
    trace_free(t);
}
END_TEST

START_TEST(killed)
{
    Trace *t = fixture("killed.lane");
    ck_assert(t->truncated && !t->ended);
    ck_assert_uint_eq(t->n_ops, 2);
    ck_assert_uint_ne(t->ops[2].end_ns, TRACE_OPEN_NS);
    trace_free(t);
}
END_TEST

CASES("infer")
