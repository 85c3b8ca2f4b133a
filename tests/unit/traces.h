/* traces.h - hand-made traces for tests of the checks: a unit model with three engines and three
 * streams. */
#ifndef THREELANE_TRACES_H
#define THREELANE_TRACES_H
#include "tests/unit/cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/text.h"
#include "timeline/trace/trace.h"

#define UNIT 1000000ull

typedef struct Tape {
    Text text;
    int calls, ops, ranges, allocs;
} Tape;

static inline Tape tape_start(void)
{
    Tape tape = {0};
    text_add(
        &tape.text,
        "threelane\t1\n"
        "meta\tunit_ns\t1000000\nmeta\tunit_name\tunit\nmeta\texact\t1\nmeta\tmodel\tunit\n"
        "device\t1\tGPU\nengine\t1\t1\th2d\tH2D\nengine\t2\t1\tcompute\tKernels\nengine\t3\t1\td2h"
        "\tD2H\n"
        "thread\t1\tmain\tmain\nstream\t1\t1\tlegacy\t0\t0\t-\t-\n"
        "stream\t2\t1\tblocking\t0\t0\tex.cu:5\t-\nstream\t3\t1\tblocking\t0\t0\tex.cu:6\t-\n");
    return tape;
}

/* A call from start to end (in units); returns its id. */
static inline int tape_call(Tape *tape, const char *name, double start, double end, int result,
                            const char *site)
{
    int id = ++tape->calls;
    text_printf(&tape->text, "call\t%d\t1\t%s\t%.0f\t%s\n", id, name, start * UNIT, site);
    if (end >= 0) text_printf(&tape->text, "ret\t%d\t%.0f\t%d\n", id, end * UNIT, result);
    return id;
}

static inline int tape_alloc(Tape *tape, const char *call, const char *kind, const char *site)
{
    int by = tape_call(tape, call, 0, 0, 0, site), id = ++tape->allocs;
    text_printf(&tape->text, "alloc\t%d\t%d\t%s\t%x000\t4096\n", id, by, kind, id);
    return id;
}

static inline void tape_free(Tape *tape, int alloc, const char *call, const char *site)
{
    text_printf(&tape->text, "free\t%d\t%d\n", alloc, tape_call(tape, call, 9, 9, 0, site));
}

/* What an op is; zeros are usual values: stream 2, call returns as it is issued, pinned host
 * memory. */
typedef struct Op {
    const char *kind, *name;
    int stream;
    double issued, start, end, returned;
    const char *host, *why; /* why: "stream\t1\t3000000": cause, by_op, until_ns */
    int line, alloc;
    int launch; /* the graph's launch whose node it is */
} Op;

static inline int tape_op(Tape *tape, Op op)
{
    char site[32];
    const char *host = op.host ? op.host : "pinned";
    snprintf(site, sizeof site, "ex.cu:%d", op.line ? op.line : 10 + tape->ops);
    bool h2d = !strcmp(op.kind, "h2d"), d2h = !strcmp(op.kind, "d2h");
    const char *from = h2d ? host : d2h ? "device" : "-", *to = h2d ? "device" : d2h ? host : "-";
    int call = tape_call(tape, h2d || d2h ? "cudaMemcpyAsync" : "cudaLaunchKernel", op.issued,
                         op.returned > 0 ? op.returned : op.issued, 0, site);
    int id = ++tape->ops;
    text_printf(&tape->text, "op\t%d\t%d\t%s\t1\t%d\t%.0f\t4096\t%s\t%s\t-\t-\t0\t0\t%s\t%d\n", id,
                call, op.kind, op.stream ? op.stream : 2, op.issued * UNIT, from, to,
                op.name ? op.name : "-", op.launch);
    if (op.alloc)
        text_printf(&tape->text, "uses\t%d\t%s\t%d\t0\t4096\n", id, h2d ? "r" : "w", op.alloc);
    if (op.why) text_printf(&tape->text, "why\t%d\t%s\n", id, op.why);
    text_printf(&tape->text, "start\t%d\t%.0f\t%d\n", id, op.start * UNIT, h2d ? 1 : d2h ? 3 : 2);
    if (op.end >= 0) text_printf(&tape->text, "end\t%d\t%.0f\n", id, op.end * UNIT);
    return id;
}

static inline int tape_range(Tape *tape, const char *name, double start)
{
    int id = ++tape->ranges;
    text_printf(&tape->text, "range\t%d\t1\t%.0f\t%s\n", id, start * UNIT, name);
    return id;
}

static inline void tape_range_end(Tape *tape, int range, double end)
{
    text_printf(&tape->text, "rangeend\t%d\t%.0f\n", range, end * UNIT);
}

/* Two batches through three stages in range `p`: one after another, or in two streams. */
static inline Tape tape_pipeline(bool overlapping)
{
    Tape tape = tape_start();
    int range = tape_range(&tape, "p", 0);
    for (int i = 0; i < 2; i++) {
        double at = overlapping ? i : 3 * i;
        int stream = overlapping ? 2 + i : 2, before = tape.ops;
        char why[64];
        snprintf(why, sizeof why, "stream\t%d\t%.0f", before, at * UNIT);
        tape_op(&tape, (Op){.kind = "h2d",
                            .stream = stream,
                            .start = at,
                            .end = at + 1,
                            .line = 11,
                            .why = i && !overlapping ? why : NULL});
        tape_op(&tape, (Op){.kind = "kernel",
                            .stream = stream,
                            .start = at + 1,
                            .end = at + 2,
                            .line = 12,
                            .name = "work"});
        tape_op(&tape,
                (Op){.kind = "d2h", .stream = stream, .start = at + 2, .end = at + 3, .line = 13});
    }
    tape_range_end(&tape, range, overlapping ? 4 : 6);
    return tape;
}

/* Ends the tape and reads it. `cut`: as if the program had been killed. */
static inline Trace *tape_trace(Tape *tape, bool cut)
{
    char error[300];
    if (!cut) text_add(&tape->text, "exit\t99000000\t0\n");
    Trace *trace = trace_parse(text_string(&tape->text), tape->text.length, error, sizeof error);
    ck_assert_msg(trace != NULL, "%s", error);
    ck_assert_msg(trace->damaged_line == 0, "line %d of the test's own trace is damaged",
                  (int)trace->damaged_line);
    text_release(&tape->text);
    return trace;
}
#endif
