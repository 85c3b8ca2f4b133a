/* What a trace says: ranges, makespans, selectors, and the sentence for every reason to wait. */
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "tests/unit/trace_text.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/labels.h"
#include "tests/unit/cases.h"

#define CALL(id, name, start, line, end) \
    "call " id " 1 " name " " start " dir/ex44.cu:" line "\nret " id " " end " 0\n"
#define KERNEL(id, call, stream, issued, name) \
    "op " id " " call " kernel 1 " stream " " issued " 0 - - 1,1,1 1,1,1 0 0 " name "\n"

static void check_sentence(const char *text, uint32_t op, const char *expected)
{
    Trace *t = trace_of(text);
    char got[1024];
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert_str_eq(analysis_explain(t, 0, op, got, sizeof got), expected);
    for (size_t size = 0; size < 80; size++) { /* any buffer will do */
        char *exact = malloc(size + 1);
        exact[size] = 'x';
        analysis_explain(t, 0, op, exact, size);
        REQUIRE(exact[size] == 'x' && (!size || strlen(exact) < size));
        free(exact);
    }
    trace_free(t);
}

/* K0 runs from 0 to 1 unit in stream 1. */
#define FIRST                                                                                \
    TRACE_HEAD CALL("1", "cudaLaunchKernel", "0", "20", "0") KERNEL("1", "1", "2", "0", "k") \
        RUN("1", "0", "2", "1000000")

/* Then K1 is issued at 0, in the given stream, starts at 1 for the given cause. */
#define TWO(stream, engine, cause)                \
    FIRST                                         \
    CALL("2", "cudaLaunchKernel", "0", "21", "0") \
    KERNEL("2", "2", stream, "0", "k")            \
    "start 2 1000000 " engine "\nwhy 2 " cause " 1000000\nend 2 2500000\n"

START_TEST(sentences)
{
    check_sentence(TWO("2", "2", "stream 1"), 1, "K0 did not wait (ex44.cu:20)");
    check_sentence(TWO("2", "2", "stream 1"), 2,
                   "K1 waited 1.0 unit for K0: both are in stream 1 (ex44.cu:21)");
    check_sentence(TWO("3", "2", "engine 1"), 2,
                   "K1 waited 1.0 unit for K0: the compute engine was busy with K0 (ex44.cu:21)");
    check_sentence(TWO("3", "2", "engine 0"), 2,
                   "K1 waited 1.0 unit: the compute engine was busy (ex44.cu:21)");
    check_sentence(
        TWO("3", "2", "event 1"), 2,
        "K1 waited 1.0 unit for K0: stream 2 waits for an event recorded after K0 (ex44.cu:21)");
    check_sentence(TWO("1", "2", "legacy 1"), 2,
                   "K1 waited 1.0 unit for K0: it is in stream 0, the default stream, which first "
                   "waits for all "
                   "earlier work in blocking streams, stream 1 among them (ex44.cu:21)");
    check_sentence(TWO("4", "2", "legacy 1"), 2,
                   "K1 waited 1.0 unit for K0: stream 3 is a blocking stream, and those wait for "
                   "earlier work in "
                   "stream 0, the default stream (ex44.cu:21)");
    check_sentence(TWO("3", "2", "room 1"), 2,
                   "K1 waited 1.0 unit for K0: there was no room on the device beside K0, whose "
                   "blocks filled it "
                   "(ex44.cu:21)");
    check_sentence(TWO("3", "2", "grids 1"), 2,
                   "K1 waited 1.0 unit for K0: the device already held as many kernels at once as "
                   "it can (128 on most "
                   "GPUs), and K0 had to end first (ex44.cu:21)");
    check_sentence(TWO("3", "2", "queue 1"), 2,
                   "K1 waited 1.0 unit for K0: it shares a hardware queue with K0 (stream 1), "
                   "which was ahead of it; "
                   "CUDA_DEVICE_MAX_CONNECTIONS sets how many queues there are (ex44.cu:21)");
    check_sentence(TWO("3", "4", "driver 1"), 2,
                   "K1 waited 1.0 unit for K0: the one driver thread that runs host functions was "
                   "busy with K0 "
                   "(ex44.cu:21)");
    check_sentence(
        TWO("2", "2", "memory 0"), 2,
        "K1 waited 1.0 unit: it polls memory that the host had not written yet (ex44.cu:21)");
    check_sentence(
        TWO("2", "2", "memory 1"), 2,
        "K1 waited 1.0 unit for K0: it polls memory that K0 had not written yet (ex44.cu:21)");
    check_sentence(TWO("2", "2", "stream 1 1000000\nname stream 2 compute\nwhy 2 stream 1"), 2,
                   "K1 waited 1.0 unit for K0: both are in stream compute (ex44.cu:21)");
    check_sentence(TRACE_HEAD, 7, "there is no operation 7 in this trace");
    check_sentence(TRACE_HEAD KERNEL("1", "0", "2", "5", "k"), 1, "K0 has not started");
    check_sentence(TRACE_HEAD KERNEL("1", "0", "2", "0", "k") RUN("1", "250000", "2", "300000"), 1,
                   "K0 started 0.25 units after it was issued; the trace does not say why");
}
END_TEST

/* The last cause to end decides, in whatever order the file has them. */
START_TEST(decisive)
{
    Trace *t = trace_of(TWO("3", "2", "stream 1 1000000\nwhy 2 engine 1 999999\nwhy 2 queue 1"));
    ck_assert_int_eq(analysis_decisive_cause(t, 2)->kind, TRACE_BY_QUEUE);
    ck_assert_ptr_null(analysis_decisive_cause(t, 1));
    ck_assert_ptr_null(analysis_decisive_cause(t, 0));
    ck_assert_ptr_null(analysis_decisive_cause(t, 99));
    trace_free(t);
}
END_TEST

/* Where the wait for an event was asked for. */
START_TEST(event_wait)
{
    check_sentence(
        FIRST CALL("2", "cudaStreamWaitEvent", "0", "31",
                   "0") "event 1 0\nop 2 2 wait 1 3 0 0 - - - - 0 1 -\n" CALL("3",
                                                                              "cudaLaunchKernel",
                                                                              "0", "32", "0")
            KERNEL("3", "3", "3", "0", "k") "why 3 event 1 1000000\n" RUN("3", "1000000", "2",
                                                                          "2000000"),
        3,
        "K1 waited 1.0 unit for K0: stream 2 waits for an event recorded after K0, see "
        "cudaStreamWaitEvent "
        "at ex44.cu:31 (ex44.cu:32)");
}
END_TEST

/* The host had not come to it: inside a call, inside a range, or in code nobody named. */
START_TEST(host)
{
#define LATE(between)                                                                         \
    FIRST between CALL("3", "cudaLaunchKernel", "3000000", "32", "3000000")                   \
        KERNEL("2", "3", "2", "3000000",                                                      \
               "k") "why 2 stream 1 1000000\nwhy 2 host 0 3000000\n" RUN("2", "3000000", "2", \
                                                                         "4000000")
    check_sentence(LATE(CALL("2", "cudaStreamSynchronize", "0", "30", "3000000")), 2,
                   "K1 waited 2.0 units: the host had not issued it yet; it was inside "
                   "cudaStreamSynchronize at "
                   "ex44.cu:30 (ex44.cu:32)");
    check_sentence(LATE(CALL("2", "cudaEventQuery", "0", "30",
                             "10") "range 1 1 500000 host~work\nrangeend 1 2900000\n"),
                   2,
                   "K1 waited 2.0 units: the host had not issued it yet; it was busy in host work "
                   "(ex44.cu:32)");
    check_sentence(
        LATE(CALL("2", "cudaEventQuery", "0", "30", "10")), 2,
        "K1 waited 2.0 units: the host had not issued it yet; it was in the program's own code "
        "(ex44.cu:32)");
    /* a range around a long call says less than the call; a shorter range says more than the one
     * around it */
    check_sentence(LATE("range 1 1 0 all\n" CALL("2", "cudaEventSynchronize", "900000", "30",
                                                 "2500000") "rangeend 1 3000000\n"),
                   2,
                   "K1 waited 2.0 units: the host had not issued it yet; it was inside "
                   "cudaEventSynchronize at "
                   "ex44.cu:30 (ex44.cu:32)");
    check_sentence(
        LATE("range 1 1 0 all\nrange 2 1 1000000 part\nrangeend 2 2900000\nrangeend 1 3000000\n"),
        2, "K1 waited 2.0 units: the host had not issued it yet; it was busy in part (ex44.cu:32)");
    check_sentence(
        LATE(CALL("2", "cudaEventSynchronize", "900000", "30", "1700000")), 2,
        "K1 waited 2.0 units: the host had not issued it yet; it was, among other things, inside "
        "cudaEventSynchronize at ex44.cu:30 (ex44.cu:32)");
    /* a call of another thread is no reason */
    check_sentence(
        LATE("thread 2 host other\ncall 2 2 cudaDeviceSynchronize 0 -\nret 2 3000000 0\n"), 2,
        "K1 waited 2.0 units: the host had not issued it yet; it was in the program's own code "
        "(ex44.cu:32)");
}
END_TEST

START_TEST(latency_and_units)
{
    check_sentence(
        "threelane 1\nmeta unit_ns 1000000\nmeta unit_name ms\nengine 1 0 h2d x\nstream 1 0 legacy "
        "0 0 - -\n" KERNEL("1", "0", "1", "0", "k")
            RUN("1", "0", "0",
                "1000000") "op 2 0 d2h 0 1 5 9 device pinned - - 0 0 -\nwhy 2 stream 1 "
                           "1000000\nwhy 2 latency 1 1003300\n" RUN("2", "1003300", "0", "2000000"),
        2, "D2H0 waited 3.3 us: the device takes this long to start it once K0 has ended");
    Trace *t = trace_of("threelane 1\nmeta unit_ns 1000\nmeta unit_name us\n");
    char text[64];
    ck_assert_str_eq(analysis_time(t, 0, text, sizeof text), "0.0 us");
    ck_assert_str_eq(analysis_time(t, 1000, text, sizeof text), "1.0 us");
    ck_assert_str_eq(analysis_time(t, 1234567, text, sizeof text), "1234.57 us");
    trace_free(t);
}
END_TEST

/* An order of issue that an engine keeps, though the op ahead was not ready. */
START_TEST(in_order_engine)
{
    check_sentence(TRACE_HEAD OP("1", "h2d", "2", "-")
                       OP("2", "h2d", "3", "-") "start 1 2000000 1\nstart 2 2000000 1\n"
                                                "why 2 engine 1 2000000\n",
                   2,
                   "H2D1 waited 2.0 units for H2D0: the H2D copy engine takes work in order of "
                   "issue, and H2D0 came "
                   "first");
}
END_TEST

/* Names cannot reach the terminal's controls. */
START_TEST(hostile_names)
{
    Trace *t = trace_of(
        TRACE_HEAD
        "call 1 1 \\x1b[2Jcall 0 a/\\x1b]0;x\\x07.cu:1\nret 1 5 0\n" KERNEL("1", "1", "2", "0",
                                                                            "\\x1b[31mred")
            KERNEL("2", "1", "2", "0", "\xff\xfe\xc2\x9b")
                RUN("1", "0", "2", "5") "why 2 stream 1 5\n" RUN("2", "5", "2", "9"));
    char text[512];
    for (uint32_t op = 1; op <= 2; op++) {
        analysis_explain(t, 0, op, text, sizeof text);
        for (const char *c = text; *c; c++) REQUIRE(*c >= 0x20 && *c != 0x7f);
    }
    ck_assert_str_eq(text,
                     "??? waited 0.0000050 units for ?[31mred: both are in stream 1 (?]0;x?.cu:1)");
    trace_free(t);
}
END_TEST

START_TEST(places)
{
    char text[64] = "what was there";
    ck_assert_str_eq(analysis_site((TraceSite){"a/b.cu", 7}, text, sizeof text), "b.cu:7");
    ck_assert_str_eq(analysis_site((TraceSite){NULL, 0}, text, sizeof text), "");
    ck_assert_str_eq(analysis_site((TraceSite){"a/", 7}, text, sizeof text), "a/:7");
    ck_assert_str_eq(analysis_site((TraceSite){"", 7}, text, sizeof text), "");
}
END_TEST

/* Where calls are free, the order of the file says what is in a range. */
START_TEST(range_ties)
{
    Trace *t = trace_of(
        TRACE_HEAD "range 1 1 0 first\n" KERNEL("1", "0", "2", "0", "k")
            RUN("1", "0", "2", "10") "rangeend 1 10\nrange 2 1 10 second\n" KERNEL(
                "2", "0", "2", "10", "k") "rangeend 2 10\n" KERNEL("3", "0", "2", "10", "k")
                RUN("2", "10", "2", "20") RUN("3", "20", "2", "40"));
    ck_assert_uint_eq(analysis_range(t, "second"), 2);
    ck_assert_uint_eq(analysis_range(t, "none"), 0);
    ck_assert_uint_eq(analysis_range_nth(t, "first", 1), 0);
    ck_assert(trace_in_range(t, 1, 1) && !trace_in_range(t, 1, 2) && !trace_in_range(t, 1, 3));
    ck_assert(!trace_in_range(t, 2, 1) && trace_in_range(t, 2, 2) && !trace_in_range(t, 2, 3));
    ck_assert(trace_in_range(t, 0, 3) && !trace_in_range(t, 9, 3) && !trace_in_range(t, 1, 9));
    ck_assert_uint_eq(analysis_makespan_ns(t, 1), 10);
    ck_assert_uint_eq(analysis_makespan_ns(t, 0), 40);
    trace_free(t);
}
END_TEST

static uint32_t count(const Trace *t, const char *selector)
{
    char error[256] = "";
    AnalysisSet *set = analysis_select(t, selector, error, sizeof error);
    ck_assert_msg(set != NULL, "%s: %s", selector, error);
    uint32_t n = set->n;
    for (uint32_t i = 0; i < n; i++) REQUIRE(set->items[i].start_ns <= set->items[i].end_ns);
    for (uint32_t i = 1; i < n; i++) REQUIRE(set->items[i - 1].start_ns <= set->items[i].start_ns);
    analysis_set_free(set);
    return n;
}

START_TEST(selectors)
{
    char error[256];
    Trace *t = trace_read("tests/fixtures/traces/pipeline4.lane", error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_uint_eq(count(t, "h2d"), 8);
    ck_assert_uint_eq(count(t, "work"), 24);
    ck_assert_uint_eq(count(t, "h2d@pipelined"), 4);
    ck_assert_uint_eq(count(t, " kernel : work @ pipe* "), 4);
    ck_assert_uint_eq(count(t, "kernel:wor"), 0);
    ck_assert_uint_eq(count(t, "kernel:w*k"), 8);
    ck_assert_uint_eq(count(t, "kernel@*"), 8);
    ck_assert_uint_eq(count(t, "kernel@none"), 0);
    ck_assert_uint_eq(count(t, "memset"), 0);
    ck_assert_uint_eq(count(t, "call:cuda*Synchronize@pipelined"), 4);
    ck_assert_uint_eq(count(t, "call:cuda*Synchronize@sequential"), 0);
    ck_assert_uint_eq(count(t, "call:cudaMemcpy@sequential"), 8);
    ck_assert_uint_eq(count(t, "range"), 2);
    ck_assert_uint_eq(count(t, "range:s*"), 1);
    ck_assert_uint_eq(count(t, "range:*@sequential"), 0);
    static const char *const wrong[] = {"",   "h2x",        "h2d@",      "h2d:",
                                        ":x", "@pipelined", "kernel:@x", "call :: @"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong - 1; i++) {
        error[0] = '\0';
        ck_assert_msg(analysis_select(t, wrong[i], error, sizeof error) == NULL, "'%s'", wrong[i]);
        ck_assert(error[0] && !strchr(error, '\n'));
    }
    /* the three lanes are busy at once from unit 2 to unit 4 of the pipelined part */
    AnalysisSet *h2d = analysis_select(t, "h2d@pipelined", error, sizeof error);
    AnalysisSet *kernel = analysis_select(t, "kernel@pipelined", error, sizeof error);
    AnalysisSet *d2h = analysis_select(t, "d2h@pipelined", error, sizeof error);
    const AnalysisSet *sets[] = {h2d, kernel, d2h};
    uint64_t first = 0;
    ck_assert_uint_eq(analysis_together_ns(sets, 3, &first), 2000000);
    ck_assert_uint_eq(first, 14000000);
    ck_assert_uint_eq(analysis_set_busy_ns(h2d), 4000000);
    ck_assert_uint_eq(analysis_set_span_ns(h2d), 4000000);
    ck_assert_uint_eq(analysis_shared_ns(&h2d->items[1], &kernel->items[0]), 1000000);
    ck_assert_uint_eq(analysis_shared_ns(&h2d->items[0], &kernel->items[0]), 0);
    ck_assert_uint_eq(analysis_engine_busy_ns(t, 2, 1), 4000000);
    ck_assert_uint_eq(analysis_engine_busy_ns(t, 0, 1), 8000000);
    ck_assert_uint_eq(analysis_engines_busy_ns(t, 2, 2), 4000000);
    ck_assert_uint_eq(analysis_engines_busy_ns(t, 1, 2), 0);
    ck_assert_uint_eq(analysis_makespan_ns(t, 1), 12000000);
    ck_assert_uint_eq(analysis_makespan_ns(t, 2), 6000000);
    analysis_set_free(h2d);
    analysis_set_free(kernel);
    analysis_set_free(d2h);
    trace_free(t);
}
END_TEST

#define ASKED(id, thread, name, result) \
    "call " id " " thread " " name " 0 ex44.cu:1\nret " id " 0 " result "\n"

/* A copy between devices is known by its link; one that went through the host has none. */
#define PEER(id, stream) "op " id " " id " p2p 1 " stream " 0 64 device device - - 0 0 -\n"

START_TEST(links)
{
    char error[200];
    Trace *t = trace_read("tests/fixtures/traces/four-gpus.lane", error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    static const struct {
        const char *selector;
        uint32_t n;
    } sets[] = {{"p2p", 9},     {"p2p:0>1", 1}, {"p2p:0>*", 3},
                {"p2p:2>*", 0}, {"p2p:*>0", 2}, {"work:1>2", 1}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        AnalysisSet *set = analysis_select(t, sets[i].selector, error, sizeof error);
        ck_assert_msg(set != NULL, "%s", error);
        ck_assert_msg(set->n == sets[i].n, "%s: %u", sets[i].selector, set->n);
        analysis_set_free(set);
    }
    trace_free(t);

    check_sentence(TRACE_HEAD "device 2 GPU\nengine 5 1 link L 2\n" CALL("1", "cudaMemcpyPeerAsync",
                                                                         "0", "20", "0")
                       CALL("2", "cudaMemcpyPeerAsync", "0", "21",
                            "0") PEER("1", "2") RUN("1", "0", "5", "1000000")
                           PEER("2",
                                "3") "start 2 1000000 5\nwhy 2 engine 1 1000000\nend 2 2000000\n",
                   2,
                   "P2P1 waited 1.0 unit for P2P0: the link from GPU 0 to GPU 1 was busy with P2P0 "
                   "(ex44.cu:21)");
}
END_TEST

/* What the host waits with has many names: a call of the driver API, a free, and a loop that asks
 * until it is told yes, which is one wait. */
START_TEST(waits)
{
    static const char text[] =
        TRACE_HEAD "thread 2 host -\nthread 3 driver -\nthread 4 host -\n" /* */
        ASKED("1", "1", "cudaMalloc", "0")                                 /* */
        ASKED("2", "1", "cudaStreamQuery", "600")                          /* one */
        ASKED("3", "2", "cudaStreamQuery", "600")                          /* two */
        ASKED("4", "1", "cudaEventQuery", "600")                           /* */
        ASKED("5", "1", "cudaEventQuery", "0")                             /* */
        ASKED("6", "1", "cuEventQuery", "600")                             /* three */
        ASKED("7", "1", "cudaFree", "0")                                   /* four */
        ASKED("8", "3", "cudaFree", "0")                                   /* in a host function */
        ASKED("9", "1", "cuStreamSynchronize", "0")                        /* five */
        ASKED("10", "1", "cudaMemcpyAsync", "0")                           /* */
        ASKED("11", "1", "cuMemcpyDtoH", "0")                              /* six */
        ASKED("12", "1", "cudaStreamQuery", "0")                           /* */
        ASKED("13", "4", "cudaEventQuery", "600") /* seven: the last thread asks, too */
        ASKED("14", "4", "cudaEventQuery", "600");
    Trace *t = trace_of(text);
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert_uint_eq(count(t, "wait"), 7);
    ck_assert_uint_eq(count(t, "wait:cu*Query"), 4);
    ck_assert_uint_eq(count(t, "call:cudaStreamSynchronize"), 1);
    ck_assert_uint_eq(count(t, "call:cuda*Query"), 8);
    ck_assert_uint_eq(count(t, "call:cuMemcpyDtoH"), 1);
    trace_free(t);
}
END_TEST

/* What kept the host from issuing an operation earlier: the wait before it that ended with another
 * one. Where calls are free any wait that took time; on a device one that returned soon after. */
START_TEST(what_held_the_host)
{
    static const struct {
        char exact;
        const char *returned;
        uint32_t by;
    } rows[] = {{'1', "1900000", 1}, {'1', "5000000", 1}, {'0', "1900000", 1}, {'0', "5000000", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = memory_format(
            TRACE_HEAD CALL("1", "cudaLaunchKernel", "0", "20", "0") KERNEL("1", "1", "2", "0", "k")
                RUN("1", "0", "2",
                    "1500000") "call 2 1 cudaStreamSynchronize 0 ex44.cu:21\nret 2 %s 0\n"
                               "call 3 1 cudaLaunchKernel %s ex44.cu:22\nret 3 %s 0\n"
                               "op 2 3 kernel 1 3 %s 0 - - 1,1,1 1,1,1 0 0 k\n",
            rows[i].returned, rows[i].returned, rows[i].returned, rows[i].returned);
        *(strstr(text, "meta exact ") + strlen("meta exact ")) = rows[i].exact;
        Trace *t = trace_of(text);
        uint32_t call;
        ck_assert_uint_eq(t->skipped_lines, 0);
        ck_assert_msg(analysis_held(t, 2, &call) == rows[i].by, "row %zu", i);
        ck_assert_uint_eq(call, rows[i].by ? 2 : 0);
        trace_free(t);
        free(text);
    }
}
END_TEST

/* Engines of one kind are told apart by a number; one that is alone has none. */
START_TEST(names_of_engines)
{
    char text[60];
    Trace *t = trace_of(TRACE_HEAD "engine 5 1 h2d H2D\n");
    ck_assert_str_eq(labels_engine(t, 1, text, sizeof text), "H2D 1");
    ck_assert_str_eq(labels_engine(t, 5, text, sizeof text), "H2D 2");
    ck_assert_str_eq(labels_engine(t, 3, text, sizeof text), "D2H");
    trace_free(t);
}
END_TEST

/* Ops that have not started are in no set; what has not ended reaches to the end of the trace. */
START_TEST(unfinished)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "k")
                            OP("2", "kernel", "2", "k") "start 1 3 2\nmark 1 9 x\n");
    char error[256];
    AnalysisSet *set = analysis_select(t, "work", error, sizeof error);
    ck_assert_uint_eq(set->n, 1);
    ck_assert_uint_eq(set->items[0].end_ns, 9);
    ck_assert_uint_eq(analysis_makespan_ns(t, 0), 6);
    analysis_set_free(set);
    trace_free(t);
}
END_TEST

/* @range with many ranges, also of no length, agrees with looking at each. */
START_TEST(many_ranges)
{
    char *text = malloc(1 << 20);
    size_t n = (size_t)sprintf(text, TRACE_HEAD);
    uint32_t ops = 0, ranges = 0, state = 12345, open[8], depth = 0, now = 0;
    for (int i = 0; i < 3000; i++) {
        state = state * 1664525 + 1013904223;
        uint32_t r = state >> 16;
        if (r % 3 == 0) {
            now += r / 3 % 2;
        } else if (r % 3 == 1) {
            ops++;
            n += (size_t)sprintf(text + n, "op %u 0 kernel 1 2 %u 0 - - - - 0 0 k\nstart %u %u 2\n",
                                 ops, now, ops, now);
        } else if (depth == 8 || (depth > 0 && r % 2)) {
            n += (size_t)sprintf(text + n, "rangeend %u %u\n", open[--depth], now);
        } else {
            open[depth++] = ++ranges;
            n += (size_t)sprintf(text + n, "range %u 1 %u %s\n", ranges, now, r % 5 ? "no" : "yes");
        }
    }
    Trace *t = trace_of(text);
    ck_assert_uint_eq(t->skipped_lines, 0);
    uint32_t expected = 0, got = count(t, "work@yes");
    for (uint32_t op = 1; op <= t->n_ops; op++) {
        bool in = false;
        for (uint32_t r = 1; r <= t->n_ranges && !in; r++) {
            in = strcmp(t->ranges[r].name, "yes") == 0 && trace_in_range(t, r, op);
        }
        expected += in;
    }
    ck_assert_uint_gt(expected, 100);
    ck_assert_uint_lt(expected, ops);
    ck_assert_uint_eq(got, expected);
    trace_free(t);
    free(text);
}
END_TEST

START_TEST(matching)
{
    ck_assert(analysis_match("", "") && analysis_match("*", "") &&
              analysis_match("a*b*c", "aXbXbc"));
    ck_assert(!analysis_match("", "a") && !analysis_match("a*b", "abc") &&
              !analysis_match("abc", "ab"));
    ck_assert(analysis_match("cuda*Synchronize", "cudaStreamSynchronize"));
    char many[5001];
    memset(many, 'a', 5000);
    many[5000] = '\0';
    ck_assert(!analysis_match("*a*a*a*a*a*a*a*a*a*b", many)); /* and in no long time */
}
END_TEST

/* A student's ranges are there to be looked at, and prove nothing. */
START_TEST(whose_ranges)
{
    Trace *t = trace_of(
        TRACE_HEAD "range 1 1 0 stage student\n" KERNEL("1", "0", "2", "0", "k")
            RUN("1", "0", "2",
                "10") "rangeend 1 10\nrange 2 1 10 stage harness\n" KERNEL("2", "0", "2", "10", "k")
                RUN("2", "10", "2",
                    "30") "rangeend 2 30\nrange 3 1 30 mine student\n" KERNEL("3", "0", "2", "30",
                                                                              "k")
                    RUN("3", "30", "2", "31") "rangeend 3 31\n");
    ck_assert_uint_eq(t->n_ranges, 3);
    ck_assert_uint_eq(analysis_range(t, "stage"), 2);
    ck_assert_uint_eq(analysis_range_nth(t, "stage", 1), 0);
    ck_assert_uint_eq(analysis_range(t, "mine"), 0);
    ck_assert_uint_eq(analysis_range_to_show(t, "stage"), 2);
    ck_assert_uint_eq(analysis_range_to_show(t, "mine"), 3);
    ck_assert_uint_eq(analysis_range_to_show(t, "none"), 0);
    ck_assert(!analysis_range_counts(t, 1) && analysis_range_counts(t, 2));
    ck_assert_uint_eq(count(t, "kernel@stage"), 1);
    ck_assert_uint_eq(count(t, "kernel@mine"), 0);
    ck_assert_uint_eq(count(t, "kernel@*"), 1);
    ck_assert_uint_eq(count(t, "range"), 1);
    ck_assert_uint_eq(count(t, "range:mine"), 0);
    trace_free(t);
}
END_TEST

CASES("analysis")
