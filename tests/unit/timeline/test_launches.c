/* Launches of graphs in a trace: whose nodes are whose, what is said of them, and the band that
 * every picture draws over them. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/trace_text.h"
#include "timeline/exports/html.h"
#include "timeline/exports/svg.h"
#include "timeline/pictures/critical_path.h"
#include "timeline/pictures/schedule.h"
#include "timeline/pictures/spans.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/infer.h"
#include "timeline/trace/trace_write.h"
#include "tests/unit/cases.h"

/* Two launches in stream 1 (K1 before K2, K4; these before K3, K5; all before a copy. Then K1, K2),
 * and a kernel behind them. */
static Trace *two_launches(void)
{
    char error[256];
    Trace *t = trace_read("tests/fixtures/traces/graph.lane", error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_uint_eq(t->skipped_lines, 0);
    return t;
}

START_TEST(nodes_name_their_launch)
{
    static const uint32_t launch[] = {0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 9, 9, 0, 0};
    Trace *t = two_launches();

    ck_assert_uint_eq(t->n_ops, 13);
    for (uint32_t id = 1; id <= t->n_ops; id++) ck_assert_uint_eq(t->ops[id].launch, launch[id]);
    ck_assert_int_eq(t->ops[1].kind, TRACE_GRAPH);
    ck_assert(!trace_op_is_work(&t->ops[1]) && trace_op_is_shown(&t->ops[1]));
    ck_assert_uint_eq(analysis_makespan_ns(t, 0), 7000000);
    trace_free(t);
}
END_TEST

/* A launch by a kernel or a graph counts. One that is none, comes later, is the op itself, or lies
 * outside the file: none. What is no number loses the line, as everywhere. */
START_TEST(hostile_launches)
{
#define NODE(id, launch) "op " id " 0 kernel 1 2 0 1 - - - - 0 0 k " launch "\n"
    Trace *t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "k") NODE("2", "1") NODE("3", "3")
                            NODE("4", "5") OP("5", "graph", "2", "-") NODE("6", "4294967295")
                                NODE("7", "18446744073709551616") NODE("8", "5")
                                    NODE("9", "-1") "op 10 0 graph 1 2 0 1 - - - - 0 0 - 10\n"
                                                    "why 8 graph 99 5\nwhy 8 graph 5 7\n");
    ck_assert_uint_eq(t->n_ops, 10);
    ck_assert_uint_eq(t->skipped_lines, 2);
    for (uint32_t id = 1; id <= t->n_ops; id++)
        ck_assert_uint_eq(t->ops[id].launch, id == 8 ? 5 : id == 2 ? 1 : 0);
    char text[256];
    ck_assert_ptr_nonnull(strstr(analysis_explain(t, 0, 8, text, sizeof text), "waited"));
    trace_free(t);
}
END_TEST

START_TEST(written_and_read)
{
    char path[] = "/tmp/threelane-launch-XXXXXX", error[256];
    TraceWriter *w = trace_write_open(mkstemp(path));
    ck_assert_ptr_nonnull(w);
    trace_write_op(w, 1, &(TraceOp){.kind = TRACE_GRAPH, .name = ""});
    trace_write_op(w, 2, &(TraceOp){.kind = TRACE_MEMSET, .name = "n", .launch = 1});
    trace_write_op(w, 3, &(TraceOp){.kind = TRACE_KERNEL, .name = "k", .made = {"no node", 1}});
    trace_write_start(w, 3, 5, 0);
    trace_write_why(w, 3, TRACE_BY_GRAPH, 2, 5);
    trace_write_op(w, 4,
                   &(TraceOp){.kind = TRACE_KERNEL,
                              .name = "c",
                              .launch = 1,
                              .made = {"a\tb:c.cu", 12},
                              .captured = true});
    trace_write_op(w, 5,
                   &(TraceOp){.kind = TRACE_KERNEL,
                              .name = "a",
                              .launch = 1,
                              .made = {"a.cu", 13}});
    ck_assert_int_eq(trace_write_close(w), 0);
    Trace *t = trace_read(path, error, sizeof error);
    unlink(path);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert_uint_eq(t->n_ops, 5);
    ck_assert_uint_eq(t->ops[2].launch, 1);
    ck_assert(!t->ops[2].made.file && !t->ops[3].made.file);
    ck_assert_str_eq(t->ops[4].made.file, "a\tb:c.cu");
    ck_assert(t->ops[4].made.line == 12 && t->ops[4].captured);
    ck_assert(t->ops[5].made.line == 13 && !t->ops[5].captured);
    ck_assert_str_eq(t->ops[2].name, "n");
    ck_assert_uint_eq(t->ops[3].launch, 0);
    ck_assert_int_eq(t->causes[1].kind, TRACE_BY_GRAPH);
    trace_free(t);
}
END_TEST

static void says(const Trace *t, uint32_t op, const char *wanted)
{
    char text[512];
    ck_assert_str_eq(analysis_explain(t, 0, op, text, sizeof text), wanted);
}

static uint32_t count(const Trace *t, const char *selector)
{
    char error[256];
    AnalysisSet *set = analysis_select(t, selector, error, sizeof error);
    ck_assert_msg(set != NULL, "%s", error);
    uint32_t n = set->n;
    analysis_set_free(set);
    return n;
}

static void drawn(const Trace *t, ScheduleForm form, ScheduleOptions options, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(schedule_write(out, t, form, &options), 0);
    fclose(out);
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(sentences)
{
    Trace *t = two_launches();
    says(t, 3, "K2#0 waited 1.0 unit for K1#0: the graph orders it (g.cu:31)");
    says(t, 7, "D2H0 waited 3.0 units for K5: the graph orders it (g.cu:31)");
    says(t, 9, "G1 waited 4.0 units for D2H0: both are in stream 1 (g.cu:31)");
    says(t, 10,
         "K1#1 waited 4.0 units for D2H0: its graph was launched in stream 1, behind it (g.cu:31)");
    says(t, 13, "after waited 6.0 units for K2#1: both are in stream 1 (g.cu:33)");
    trace_free(t);

    t = trace_of(TRACE_HEAD OP("1", "graph", "2", "-") NODE("2", "1") OP("3", "graph", "3", "-")
                     NODE("4", "3") RUN("2", "0", "2", "1000000")
                         RUN("4", "1000000", "2", "2000000") "why 4 graph 2 1000000\n");
    says(t, 4,
         "K1 waited 1.0 unit for K0: a graph that was instantiated once runs once at a time, and "
         "its launch before had not ended");
    trace_free(t);
}
END_TEST

/* A node names the line that it was captured at, or added, and the one of its launch; older traces
 * and a real GPU's know the latter only. */
START_TEST(lines_of_nodes)
{
#define MADE(id, made) "op " id " 1 kernel 1 2 0 1 - - - - 0 0 k 1" made "\n"
    Trace *t = trace_of(
        TRACE_HEAD
        "call 1 1 cudaGraphLaunch 0 dir/x.cu:52\nop 1 1 graph 1 2 0 0 - - - - 0 0 -\n" MADE(
            "2", " dir/x.cu:31 captured") MADE("3", " x.cu:40 added") MADE("4", "") MADE("5", " -")
            MADE("6", " x.cu:41 found") MADE("7", " nowhere captured") RUN("2", "0", "2", "1000000")
                RUN("3", "1000000", "2", "2000000")
                    RUN("4", "2000000", "2",
                        "3000000") "why 3 graph 2 1000000\nwhy 4 graph 3 2000000\n");
    char text[256];
    ck_assert_uint_eq(t->skipped_lines, 1); /* a line that is no site */
    says(t, 2, "K0 did not wait (captured at x.cu:31, launched at x.cu:52)");
    says(t, 3,
         "K1 waited 1.0 unit for K0: the graph orders it (added at x.cu:40, launched at x.cu:52)");
    says(t, 4, "K2 waited 2.0 units for K1: the graph orders it (x.cu:52)");
    ck_assert_str_eq(analysis_op_place(t, 5, text, sizeof text), "x.cu:52");
    ck_assert_str_eq(analysis_op_place(t, 6, text, sizeof text),
                     "added at x.cu:41, launched at x.cu:52");
    ck_assert_str_eq(analysis_op_place(t, 1, text, sizeof text), "x.cu:52");
    ck_assert(analysis_op_site(t, 2).line == 31 && analysis_op_site(t, 4).line == 52);
    ck_assert_uint_eq(critical_path_ready_ns(t, 3), 1000000);
    trace_free(t);
}
END_TEST

/* A graph that is a node of another has a band of its own, is no launch, and its nodes belong to
 * the launch that it belongs to. */
START_TEST(graphs_in_graphs)
{
    Trace *t =
        trace_of(TRACE_HEAD OP("1", "graph", "2", "-")
                     NODE("2", "1") "op 3 0 graph 1 2 0 1 - - - - 0 0 - 1\n" NODE("4", "3")
                         NODE("5", "1") RUN("1", "0", "0", "3000000") RUN("2", "0", "2", "1000000")
                             RUN("3", "1000000", "0", "2000000") RUN("4", "1000000", "2", "2000000")
                                 RUN("5", "2000000", "2",
                                     "3000000") "why 4 graph 2 1000000\nwhy 5 graph 4 2000000\n");
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert(trace_launch(t, 4) == 1 && trace_launch(t, 3) == 1 && trace_launch(t, 1) == 0);
    ck_assert_uint_eq(count(t, "graph"), 1);
    ck_assert_uint_eq(count(t, "node"), 3);
    says(t, 4, "K1 waited 1.0 unit for K0: the graph orders it");
    says(t, 5, "K2 waited 2.0 units for K1: the graph orders it");
    drawn(t, SCHEDULE_LANES, (ScheduleOptions){.width = 60},
          "Graphs  [========================G0========================]\n"
          "                         [=====child0=====]\n"
          "Kernels [======K0=======][=======K1=======][======K2=======]\n"
          "        +--------+-------+--------+--------+-------+-------+\n"
          "unit    0.0      0.5     1.0      1.5      2.0     2.5   3.0\n");
    trace_free(t);
}
END_TEST

/* The host was late: since when did a node wait? Since all nodes of the launch before it had
 * ended, in whatever order they stand in the file. */
START_TEST(since_the_launch_before)
{
    Trace *t = trace_of(
        TRACE_HEAD "call 1 1 cudaGraphLaunch 0 -\nret 1 0 0\n"
                   "op 1 1 graph 1 2 0 0 - - - - 0 0 -\n"
                   "op 2 1 kernel 1 2 0 0 - - - - 0 0 k 1\nop 3 1 kernel 1 2 0 0 - - - - 0 0 k 1\n"
                   "start 2 0 2\nstart 3 0 2\nend 3 1000000\nend 2 3000000\n"
                   "call 2 1 cudaGraphLaunch 5000000 -\nret 2 5000000 0\n"
                   "op 4 2 graph 1 2 5000000 0 - - - - 0 0 -\n"
                   "op 5 2 kernel 1 2 5000000 0 - - - - 0 0 k 4\n"
                   "op 6 2 kernel 1 2 5000000 0 - - - - 0 0 k 4\n"
                   "start 5 5000000 2\nwhy 5 host 0 5000000\nend 5 6000000\n"
                   "start 6 5000000 2\nwhy 6 host 0 5000000\nend 6 6000000\n");
    says(t, 5,
         "K2 waited 2.0 units: the host had not issued it yet; it was in the program's own code");
    says(t, 6,
         "K3 waited 2.0 units: the host had not issued it yet; it was in the program's own code");
    trace_free(t);
}
END_TEST

START_TEST(selectors)
{
    Trace *t = two_launches();
    ck_assert_uint_eq(count(t, "graph"), 2);
    ck_assert_uint_eq(count(t, "graph@replay"), 2);
    ck_assert_uint_eq(count(t, "graph@none"), 0);
    ck_assert_uint_eq(count(t, "node"), 8);
    ck_assert_uint_eq(count(t, "node:K*"), 7);
    ck_assert_uint_eq(count(t, "node:K1@replay"), 2);
    ck_assert_uint_eq(count(t, "node:after"), 0);
    ck_assert_uint_eq(count(t, "work"), 9);
    ck_assert_uint_eq(count(t, "kernel"), 8);
    trace_free(t);
}
END_TEST

START_TEST(bands)
{
    Trace *t = two_launches();
    drawn(t, SCHEDULE_LINE, (ScheduleOptions){0},
          "[K1#0][K2#0][K4][K3][K5][D2H0][K1#1][K2#1][after]\n");
    drawn(t, SCHEDULE_LANES, (ScheduleOptions){.width = 80},
          "Graphs  [==================G0===================][========G1=========]\n"
          "Kernels [==K1#0==][==K2#0===][===K3===]          [==K1#1==][==K2#1===][=after==]\n"
          "                  [===K4====][===K5===]\n"
          "D2H                                    [==D2H0==]\n"
          "        +---------+----------+---------+---------+---------+----------+--------+\n"
          "unit    0         1          2         3         4         5          6        7\n");
    drawn(t, SCHEDULE_LANES, (ScheduleOptions){.width = 80, .by_stream = true},
          "stream 1 [==================G0===================][========G1========][=after==]\n"
          "         [==K1#0==][==K2#0==][===K3===][==D2H0===][==K1#1==][==K2#1==]\n"
          "                   [===K4===][===K5===]\n"
          "         +---------+---------+---------+----------+---------+---------+--------+\n"
          "unit     0         1         2         3          4         5         6        7\n");
    trace_free(t);
}
END_TEST

static char *written(const Trace *t, bool html)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(html ? html_write(out, t, &(HtmlOptions){0})
                          : svg_write(out, t, &(SvgOptions){0}),
                     0);
    fclose(out);
    return text;
}

START_TEST(exports)
{
    Trace *t = two_launches();
    char *svg = written(t, false), *html = written(t, true);
    ck_assert_ptr_nonnull(strstr(svg, "G1 waited 4.0 units for D2H0"));
    ck_assert_ptr_nonnull(strstr(svg, ">launch of a graph (G)</text>"));
    /* the page has the bands among its operations, by start */
    ck_assert_ptr_nonnull(strstr(html, "\"ops\":11"));
    ck_assert_ptr_nonnull(strstr(html, "\"stems\":[\"G\",\"K1#\""));
    free(svg);
    free(html);
    trace_free(t);
}
END_TEST

/* On a card the graph's order is not recorded: what the stream does not order is not put down to
 * it, nor to a lack of room, and rows follow the times. */
START_TEST(recorded)
{
    Trace *t =
        trace_of("threelane 1\nmeta backend cuda\ndevice 1 GPU\nengine 1 1 compute c\n"
                 "stream 1 1 nonblocking 0 0 - -\n"
                 "op 1 0 kernel 1 1 0 0 - - - - 0 0 first\nop 2 0 graph 1 1 10 0 - - - - 0 0 -\n"
                 "op 3 0 kernel 1 1 10 0 - - - - 0 0 a 2\nop 4 0 kernel 1 1 10 0 - - - - 0 0 b 2\n"
                 "op 5 0 kernel 1 1 10 0 - - - - 0 0 c 2\nop 6 0 kernel 1 1 10 0 - - - - 0 0 last\n"
                 "start 1 0 1\nend 1 10000\nstart 2 11000 0\nstart 3 11000 1\nend 3 30000\n"
                 "start 4 11100 1\nend 4 20000\nstart 5 31000 1\nend 5 40000\nend 2 40000\n"
                 "start 6 41000 1\nend 6 50000\n");
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert(infer_causes(t));
    ck_assert_uint_eq(analysis_decisive_cause(t, 3)->by_op, 1);
    ck_assert_uint_eq(analysis_decisive_cause(t, 4)->by_op, 1);
    ck_assert_uint_eq(analysis_decisive_cause(t, 5)->by_op, 3);
    ck_assert_int_eq(analysis_decisive_cause(t, 5)->kind, TRACE_BY_GRAPH);
    ck_assert_int_eq(analysis_decisive_cause(t, 6)->kind, TRACE_BY_STREAM);
    ck_assert_uint_eq(analysis_decisive_cause(t, 6)->by_op, 5);
    drawn(t, SCHEDULE_CELLS, (ScheduleOptions){0},
          "t=0: [first]\nt=1: [a    ] [b    ]\nt=2: [c    ]\nt=3: [last ]\n");
    trace_free(t);
}
END_TEST

/* By engine the band has a track of its own, by stream a lane above the nodes'. It is no work: two
 * things run at once when two nodes do. */
START_TEST(spans)
{
    Trace *t = two_launches();
    Spans *s = spans_new(t);
    SpansOverlap o;
    uint32_t track, lane, index;
    ck_assert_ptr_nonnull(s);
    ck_assert(spans_place(s, SPANS_BY_ENGINE, 9, &track, &lane, &index));
    ck_assert_int_eq(s->tracks[SPANS_BY_ENGINE][track].kind, SPANS_GRAPHS);
    ck_assert(track == 0 && lane == 0 && index == 1);
    ck_assert(spans_place(s, SPANS_BY_STREAM, 9, &track, &lane, &index));
    ck_assert(track == 0 && lane == 0 && index == 1);
    ck_assert(spans_place(s, SPANS_BY_STREAM, 10, &track, &lane, &index));
    ck_assert_uint_eq(lane, 1);
    spans_overlap_start(&o, 0, 7000000);
    while (!o.done) spans_overlap_go(s, &o, 100);
    ck_assert_uint_eq(o.any_ns, 7000000);
    ck_assert_uint_eq(o.two_ns, 2000000);
    ck_assert_uint_eq(o.class_ns[TRACE_ENGINE_COMPUTE], 6000000);
    spans_free(s);
    trace_free(t);
}
END_TEST

CASES("launches of graphs")
