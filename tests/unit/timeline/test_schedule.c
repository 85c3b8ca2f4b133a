/* Schedules as text, JSON and SVG: the goldens, and what must hold for any trace at any width. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/utf8.h"
#include "tests/unit/trace_text.h"
#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "timeline/trace/labels.h"
#include "timeline/pictures/layout.h"
#include "timeline/exports/perfetto.h"
#include "timeline/pictures/schedule.h"
#include "timeline/exports/svg.h"
#include "tests/unit/cases.h"

static char *schedule(const Trace *t, ScheduleForm form, ScheduleOptions options)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(schedule_write(out, t, form, &options), 0);
    fclose(out);
    return text;
}

static void check_schedule(const Trace *t, ScheduleForm form, ScheduleOptions options,
                           const char *expected)
{
    char *got = schedule(t, form, options);
    ck_assert_str_eq(got, expected);
    free(got);
}

static Trace *pipeline(void)
{
    char error[256];
    Trace *t = trace_read("tests/fixtures/traces/pipeline4.lane", error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    return t;
}

/* ---- goldens ---- */

START_TEST(pipeline_cells_and_line)
{
    Trace *t = pipeline();
    ScheduleOptions sequential = {.range = analysis_range(t, "sequential")};
    ScheduleOptions pipelined = {.range = analysis_range(t, "pipelined")};
    check_schedule(t, SCHEDULE_LINE, sequential,
                   "[H2D0][K0][D2H0][H2D1][K1][D2H1][H2D2][K2][D2H2][H2D3][K3][D2H3]\n");
    check_schedule(t, SCHEDULE_CELLS, pipelined,
                   "t=0: [H2D0]\n"
                   "t=1: [K0  ] [H2D1]\n"
                   "t=2: [D2H0] [K1  ] [H2D2]\n"
                   "t=3: [D2H1] [K2  ] [H2D3]\n"
                   "t=4: [D2H2] [K3  ]\n"
                   "t=5: [D2H3]\n");
    trace_free(t);
}
END_TEST

START_TEST(pipeline_lanes)
{
    Trace *t = pipeline();
    ScheduleOptions options = {.range = 2, .width = 60};
    check_schedule(t, SCHEDULE_LANES, options,
                   "H2D     [=H2D0==][=H2D1=][=H2D2==][=H2D3==]\n"
                   "Kernels          [==K0==][==K1===][==K2===][==K3==]\n"
                   "D2H                      [=D2H0==][=D2H1==][=D2H2=][=D2H3==]\n"
                   "Host    [===StreamSynchronize====][Stream~][Strea~][Stream~]\n"
                   "        +--------+-------+--------+--------+-------+-------+\n"
                   "unit    0        1       2        3        4       5       6\n");
    options.least_ns = 12000000; /* to the scale of one that takes twice as long */
    check_schedule(t, SCHEDULE_LANES, options,
                   "H2D     [0=][=1=][2=][3=]\n"
                   "Kernels     [K0=][K1][K2][K3=]\n"
                   "D2H              [0=][1=][=2=][3=]\n"
                   "Host    [StreamSync~][==][St~][==]\n"
                   "        +--------+-------+--------+--------+-------+-------+\n"
                   "unit    0        2       4        6        8       10     12\n");
    options.least_ns = 0;
    options.range = 0;
    options.width = 20; /* the narrowest that is drawn */
    char *drawn = schedule(t, SCHEDULE_LANES, options);
    ck_assert_ptr_eq(strstr(drawn, "H2D "), drawn);
    ck_assert_ptr_null(strstr(drawn, "H2D0 0-1"));
    free(drawn);
    options.width = 19;
    char *list = schedule(t, SCHEDULE_LANES, options);
    ck_assert_ptr_eq(strstr(list, "H2D0 0-1\nK0 1-2\n"), list);
    free(list);
    trace_free(t);
}
END_TEST

/* A measured trace: rows are depth in the partial order, batches are numbered by their copy's
 * start. */
START_TEST(measured_cells)
{
    Trace *t =
        trace_of("threelane 1\nmeta exact 0\ndevice 1 GPU\nengine 1 1 h2d a\nengine 2 1 compute "
                 "b\nengine 3 1 d2h c\n"
                 "stream 1 1 nonblocking 0 0 - -\nstream 2 1 nonblocking 0 0 - -\nstream 3 1 "
                 "nonblocking 0 0 - -\n"
                 "op 1 0 h2d 1 1 0 9 - - - - 0 0 -\nop 2 0 kernel 1 1 0 0 - - - - 0 0 k\nop 3 0 "
                 "d2h 1 1 0 9 - - - - 0 0 -\n"
                 "op 4 0 h2d 1 2 0 9 - - - - 0 0 -\nop 5 0 kernel 1 2 0 0 - - - - 0 0 k\nop 6 0 "
                 "d2h 1 2 0 9 - - - - 0 0 -\n"
                 "op 7 0 h2d 1 3 0 9 - - - - 0 0 -\nop 8 0 kernel 1 3 0 0 - - - - 0 0 k\nop 9 0 "
                 "d2h 1 3 0 9 - - - - 0 0 -\n"
                 "start 1 100 1\nend 1 201\nstart 7 203 1\nend 7 300\nstart 4 305 1\nend 4 407\n"
                 "start 2 207 2\nend 2 299\nstart 8 309 2\nend 8 399\nstart 5 412 2\nend 5 500\n"
                 "start 3 302 3\nend 3 410\nstart 9 413 3\nend 9 511\nstart 6 515 3\nend 6 600\n");
    ScheduleOptions all = {0};
    check_schedule(t, SCHEDULE_CELLS, all,
                   "t=0: [H2D0]\nt=1: [K0  ] [H2D1]\nt=2: [D2H0] [K1  ] [H2D2]\nt=3: [D2H1] [K2  "
                   "]\nt=4: [D2H2]\n");
    char label[64];
    ck_assert_str_eq(schedule_label(t, 0, 7, label, sizeof label), "H2D1");
    ck_assert_str_eq(schedule_label(t, 0, 6, label, sizeof label), "D2H2");
    trace_free(t);
}
END_TEST

/* Long operations go on below, idle time is one line, what never started is said. */
/* A host function that takes no time worth speaking of is no step; one that takes a unit is. Behind
 * each row, when. */
START_TEST(quick_host_functions)
{
    ScheduleOptions times = {.times = true};
    Trace *t = trace_of(
        "threelane 1\nmeta exact 0\nmeta unit_ns 1000000\ndevice 1 GPU\nengine 1 1 h2d a\nengine 2 "
        "1 compute b\n"
        "engine 3 0 host c\nstream 1 1 nonblocking 0 0 - -\nstream 2 1 nonblocking 0 0 - -\n"
        "op 1 0 h2d 1 1 0 9 - - - - 0 0 -\nop 2 0 hostfn 1 1 0 0 - - - - 0 0 -\nop 3 0 h2d 1 1 0 9 "
        "- - - - 0 0 -\n"
        "op 4 0 h2d 1 2 0 9 - - - - 0 0 -\nstart 1 100 1\nend 1 1000100\nstart 2 1000200 3\nend 2 "
        "1040000\n"
        "start 4 1000150 1\nend 4 1999000\nstart 3 2000000 1\nend 3 3000000\n");
    check_schedule(t, SCHEDULE_CELLS, times,
                   "t=0: [H2D0]\t0.00 - 1.00 ms\nt=1: [CB0 ] [H2D1]\t1.00 - 2.00 ms\nt=2: "
                   "[H2D2]\t2.00 - 3.00 ms\n");
    trace_free(t);
    t = trace_of(
        "threelane 1\nmeta exact 0\nmeta unit_ns 1000000\ndevice 1 GPU\nengine 1 1 h2d a\nengine 2 "
        "1 compute b\n"
        "engine 3 0 host c\nstream 1 1 nonblocking 0 0 - -\nop 1 0 h2d 1 1 0 9 - - - - 0 0 -\n"
        "op 2 0 hostfn 1 1 0 0 - - - - 0 0 -\nop 3 0 h2d 1 1 0 9 - - - - 0 0 -\nstart 1 0 1\nend 1 "
        "1000000\n"
        "start 2 1000000 3\nend 2 1200000\nstart 3 1200000 1\nend 3 2000000\n");
    ScheduleOptions all = {0};
    check_schedule(t, SCHEDULE_CELLS, all, "t=0: [H2D0]\nt=1: [CB0 ] [H2D1]\n");
    t->ops[2].end_ns = t->ops[3].start_ns = 1500000;
    check_schedule(t, SCHEDULE_CELLS, all, "t=0: [H2D0]\nt=1: [CB0 ]\nt=2: [H2D1]\n");
    trace_free(t);
}
END_TEST

START_TEST(long_cells)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "h2d", "2", "-") OP("2", "kernel", "3", "k")
                            OP("3", "memset", "2", "-") OP("4", "d2h", "2", "-")
                                RUN("1", "0", "1", "4000000") RUN("2", "1000000", "2", "2000000")
                                    RUN("3", "20000000", "2", "21000000"));
    ScheduleOptions all = {0};
    check_schedule(t, SCHEDULE_CELLS, all,
                   "t=0: [H2D0]\n"
                   "t=1: [|   ] [K0  ]\n"
                   "t=2..3: [|   ]\n"
                   "t=4..19: (idle)\n"
                   "t=20: [SET0]\n"
                   "never started: [D2H0]\n");
    check_schedule(t, SCHEDULE_LINE, all, "[H2D0][K0][SET0][D2H0?]\n");
    trace_free(t);
    t = trace_of(TRACE_HEAD);
    check_schedule(t, SCHEDULE_CELLS, all, "(nothing ran)\n");
    check_schedule(t, SCHEDULE_LINE, all, "(nothing ran)\n");
    check_schedule(t, SCHEDULE_LANES, all, "(nothing ran)\n");
    trace_free(t);
}
END_TEST

/* ---- labels ---- */

START_TEST(labels)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "ker_1") OP("2", "kernel", "3", "ker_A")
                            OP("3", "kernel", "2", "ker_1") OP("4", "kernel", "2", "add")
                                OP("5", "kernel", "2", "add") OP("6", "hostfn", "2", "-")
                                    OP("7", "h2d", "2", "weights") OP("8", "record", "2", "-"));
    static const char *const named[] = {"ker_1#0", "ker_A", "ker_1#1", "add0",
                                        "add1",    "CB0",   "weights", "event record"};
    char label[64];
    for (uint32_t op = 1; op <= 8; op++)
        ck_assert_str_eq(schedule_label(t, 0, op, label, sizeof label), named[op - 1]);
    trace_free(t);
    /* two copies in, two kernels, one copy out a batch: the kernels cannot share a number */
    t = trace_of(TRACE_HEAD OP("1", "h2d", "2", "-") OP("2", "h2d", "2", "-")
                     OP("3", "kernel", "2", "k") OP("4", "kernel", "2", "k")
                         OP("5", "d2h", "2", "-") OP("6", "h2d", "3", "-") OP("7", "h2d", "3", "-")
                             OP("8", "kernel", "3", "k") OP("9", "d2h", "3", "-"));
    static const char *const vector[] = {"H2D0", "H2D1", "K0", "K1",  "D2H0",
                                         "H2D2", "H2D3", "K2", "D2H1"};
    for (uint32_t op = 1; op <= 9; op++) {
        ck_assert_str_eq(schedule_label(t, 0, op, label, sizeof label), vector[op - 1]);
    }
    ck_assert_str_eq(schedule_label(t, 0, 99, label, sizeof label), "an earlier event record");
    trace_free(t);
    t = pipeline();
    ck_assert_str_eq(schedule_label(t, 2, 1, label, sizeof label), "an earlier H2D copy");
    trace_free(t);
}
END_TEST

START_TEST(glyphs)
{
    char out[64];
    ck_assert_int_eq(glyphs_columns("a\xc3\xa9\xe6\xbc\xa2"
                                    "e\xcc\x81\x1b\xff"),
                     1 + 1 + 2 + 1 + 1 + 1);
    ck_assert_int_eq(glyphs_fit("abcdef", 4, false, out, sizeof out), 4);
    ck_assert_str_eq(out, "abc~");
    ck_assert_int_eq(glyphs_fit("abcd", 4, true, out, sizeof out), 4);
    ck_assert_str_eq(out, "abcd");
    ck_assert_int_eq(glyphs_fit("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 4, true, out, sizeof out),
                     3);
    ck_assert_str_eq(out, "\xe6\xbc\xa2\xe2\x80\xa6");
    ck_assert_int_eq(glyphs_fit("\xc3\xa9t\xc3\xa9", 9, false, out, sizeof out), 3);
    ck_assert_str_eq(out, "?t?");
    ck_assert_int_eq(glyphs_fit("abc", 0, true, out, sizeof out), 0);
    ck_assert_str_eq(out, "");
    /* overlong, surrogate, cut off, override of direction, C1 control */
    utf8_safe("\xc0\xaf|\xed\xa0\x80|\xe2\x80|\xe2\x80\xae|\xc2\x9b", out, sizeof out);
    ck_assert_str_eq(out, "??|?|??|?|?");
}
END_TEST

/* ---- any trace, any width ---- */

static uint32_t state;

static uint32_t pick(uint32_t n)
{
    state = state * 1664525 + 1013904223;
    return (state >> 10) % n;
}

/* A trace of up to 400 operations, with odd names, many engines, ranges, calls and gaps of any
 * size. */
static Trace *random_trace(uint32_t seed)
{
    static const char *const kinds[] = {"h2d", "kernel", "d2h", "memset", "hostfn",
                                        "d2d", "record", "h2h", "p2p"};
    static const char *const names[] = {"-",         "work",
                                        "-",         "\xe6\xbc\xa2\xe5\xad\x97",
                                        "e\xcc\x81", "\\x1b[2J",
                                        "\xff",      "long_name_of_a_kernel<float,~8>"};
    state = seed * 2654435761u + 1;
    char *text = malloc(1 << 20);
    size_t n = (size_t)sprintf(text, TRACE_HEAD "thread 2 host w\xc3\xb6rker\n");
    if (seed % 3 == 0) n += (size_t)sprintf(text + n, "name stream 3 \xe6\xbc\xa2\\x07\n");
    uint32_t ops = pick(seed % 7 == 0 ? 400 : 30), streams = 4, scale = 1u << pick(24), now = 0,
             calls = 0;
    while (seed % 5 == 0 && streams < 90) {
        n += (size_t)sprintf(text + n, "stream %u 1 blocking 0 0 - -\n", ++streams);
    }
    uint32_t *free_at = calloc(streams + 1, sizeof *free_at);
    for (uint32_t i = 1; i <= ops; i++) {
        if (pick(6) == 0) now += pick(scale);
        if (pick(9) == 0)
            n += (size_t)sprintf(text + n, "range %u %u %u %s\n", i, pick(3), now, names[pick(8)]);
        if (pick(9) == 0)
            n += (size_t)sprintf(text + n, "rangeend %u %u\n", 1 + pick(i), now + pick(scale));
        n +=
            (size_t)sprintf(text + n, "call %u %u cudaCall %u a.cu:%u\n", ++calls, pick(3), now, i);
        uint32_t stream = 1 + pick(streams), kind = pick(9);
        n += (size_t)sprintf(text + n, "op %u %u %s 1 %u %u 5 - - - - 0 0 %s\n", i, calls,
                             kinds[kind], stream, now, names[pick(8)]);
        n += (size_t)sprintf(text + n, "ret %u %u 0\n", calls, now + (pick(2) ? 0 : pick(scale)));
        uint32_t start = (free_at[stream] > now ? free_at[stream] : now) + pick(2) * pick(scale);
        if (pick(12) == 0) continue;
        n += (size_t)sprintf(text + n, "start %u %u %u\n", i, start, pick(5));
        for (uint32_t k = pick(3); k > 0; k--) {
            n += (size_t)sprintf(text + n, "why %u %s %u %u\n", i, trace_cause_word[pick(11)],
                                 pick(i), start);
        }
        free_at[stream] = start + (pick(5) ? pick(scale) : 0);
        if (pick(12)) n += (size_t)sprintf(text + n, "end %u %u\n", i, free_at[stream]);
    }
    free(free_at);
    Trace *t = trace_of(text);
    free(text);
    return t;
}

/* Width of a line in columns; escape sequences must be colours, and nothing else may be a control
 * character. */
static int line_columns(const char *line, size_t length, bool colors, bool ascii)
{
    char *plain = malloc(length + 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)line[i];
        if (c == 0x1b) {
            REQUIRE(colors && line[i + 1] == '[');
            for (i += 2; line[i] != 'm'; i++)
                REQUIRE(isdigit((unsigned char)line[i]) || line[i] == ';');
            continue;
        }
        REQUIRE(c >= 0x20 && c != 0x7f && (!ascii || c < 0x80));
        plain[n++] = (char)c;
    }
    plain[n] = '\0';
    int columns = glyphs_columns(plain);
    free(plain);
    return columns;
}

START_TEST(any_width)
{
    static const int widths[] = {1,  2,  5,  12, 19, 20,  21,  25,  33,
                                 40, 60, 79, 80, 81, 133, 300, 1000};
    for (uint32_t seed = 0; seed < 120; seed++) {
        Trace *t = random_trace(seed);
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            ScheduleOptions o = {.range = pick(3) ? 0 : pick(4),
                                 .width = widths[w],
                                 .colors = pick(3) * 8,
                                 .utf8 = pick(2),
                                 .by_stream = pick(2)};
            if (o.colors == 16) o.colors = 256;
            char *text = schedule(t, SCHEDULE_LANES, o);
            for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
                size_t length = strcspn(line, "\n");
                REQUIRE(line[length] == '\n');
                int columns = line_columns(line, length, o.colors, !o.utf8);
                if (columns > widths[w])
                    ck_abort_msg("seed %u: %d columns of %d: %s", seed, columns, widths[w], text);
            }
            REQUIRE(text[0] &&
                    strcmp(text + strlen(text) - (strlen(text) > 1 ? 2 : 1), "\n\n") != 0);
            free(text);
        }
        ScheduleOptions all = {.width = 30};
        free(schedule(t, SCHEDULE_CELLS, all));
        free(schedule(t, SCHEDULE_LINE, all));
        FILE *null = fopen("/dev/null", "w");
        ck_assert_int_eq(schedule_write_waits(null, t, &all, 0), 0);
        fclose(null);
        trace_free(t);
    }
}
END_TEST

/* Every operation that started is in exactly one row and its columns are not blank; rows do not
 * overlap. */
START_TEST(every_op_shows)
{
    for (uint32_t seed = 0; seed < 120; seed++) {
        Trace *t = random_trace(seed);
        Labels *l = labels_new(t, 0);
        Layout *layout = layout_new(t, l, seed & 1);
        unsigned char *seen = calloc(t->n_ops + 1, 1);
        uint32_t columns = 1 + pick(200), not_started = 0;
        LayoutCell *cells = malloc(columns * sizeof *cells);
        for (uint32_t r = 0; r < layout->n_rows; r++) {
            const LayoutRow *row = &layout->rows[r];
            layout_cells(row, layout->start_ns, layout->end_ns, columns, cells);
            uint64_t span =
                layout->end_ns > layout->start_ns ? layout->end_ns - layout->start_ns : 1;
            uint64_t touched = 0, sum = 0;
            for (uint32_t i = 0; i < row->n; i++) {
                const LayoutItem *item = &row->items[i];
                REQUIRE(item->start_ns >= layout->start_ns && item->end_ns <= layout->end_ns);
                if (i > 0 && !row->stacked) REQUIRE(row->items[i - 1].end_ns <= item->start_ns);
                if (item->what == LAYOUT_OP) seen[item->id]++;
                uint64_t column = (item->start_ns - layout->start_ns) * columns / span;
                REQUIRE(cells[column < columns ? column : columns - 1].count > 0);
                touched++;
            }
            for (uint32_t c = 0; c < columns; c++) {
                sum += cells[c].count;
                REQUIRE(cells[c].count == 0 || (cells[c].covered >= 1 && cells[c].covered <= 8));
                REQUIRE(cells[c].count == 0 || (cells[c].first < row->n && cells[c].last < row->n));
                REQUIRE(cells[c].count != 1 || row->stacked || cells[c].first == cells[c].last);
                REQUIRE(cells[c].count == 0 || cells[c].first_from < cells[c].first_to);
            }
            ck_assert_uint_ge(sum, touched);
            ck_assert_uint_le(sum, touched * columns);
        }
        for (uint32_t op = 1; op <= t->n_ops; op++) {
            bool started = t->ops[op].start_ns != TRACE_OPEN_NS,
                 work = trace_op_is_work(&t->ops[op]);
            ck_assert_int_eq(seen[op], started && work);
            not_started += work && !started;
        }
        ck_assert_uint_eq(layout->n_not_started, not_started);
        /* and no label is the same for two operations of a kind */
        for (uint32_t a = 1; a <= t->n_ops && a < 60; a++) {
            for (uint32_t b = 1; b < a && trace_op_is_work(&t->ops[a]); b++) {
                char one[256], two[256];
                if (t->ops[a].kind != t->ops[b].kind) continue;
                REQUIRE(strcmp(labels_op(l, a, one, sizeof one),
                               labels_op(l, b, two, sizeof two)) != 0);
            }
        }
        free(cells);
        free(seen);
        layout_free(layout);
        labels_free(l);
        trace_free(t);
    }
}
END_TEST

/* A stream that a growing trace got after the labels were made goes on counting where they stopped;
 * the default stream and the per-thread ones are not counted. */
START_TEST(streams_created_later)
{
    static const char *const born[] = {
        "stream\t2\t1\tblocking\t0\t0\t-\t-\n",   "stream\t3\t1\tnonblocking\t0\t0\t-\t-\n",
        "stream\t4\t1\tper-thread\t0\t0\t-\t-\n", "stream\t5\t1\tnonblocking\t0\t0\t-\t-\n",
        "stream\t6\t1\tper-thread\t0\t0\t-\t-\n", "stream\t7\t1\tblocking\t0\t0\t-\t-\n",
    };
    static const char *const expected[] = {"stream 1",
                                           "stream 2",
                                           "the per-thread default stream",
                                           "stream 3",
                                           "the per-thread default stream",
                                           "stream 4"};
    enum { BORN = sizeof born / sizeof *born };
    for (unsigned before = 0; before <= BORN; before++) {
        char path[] = "/tmp/threelane-streams-XXXXXX", error[256], text[64];
        int fd = mkstemp(path);
        ck_assert_int_ge(fd, 0);
        dprintf(fd, "threelane\t1\ndevice\t1\tGPU\nthread\t1\tmain\tmain\nstream\t1\t1\tlegacy\t0\t"
                    "0\t-\t-\n");
        for (unsigned i = 0; i < before; i++) dprintf(fd, "%s", born[i]);
        Trace *t = trace_read(path, error, sizeof error);
        ck_assert_msg(t != NULL, "%s", error);
        Labels *l = labels_new(t, 0);
        for (unsigned i = before; i < BORN; i++) dprintf(fd, "%s", born[i]);
        if (before < BORN) ck_assert(trace_read_more(t));

        ck_assert_uint_eq(t->n_streams, BORN + 1);
        for (unsigned i = 0; i < BORN; i++)
            ck_assert_msg(!strcmp(labels_stream(l, i + 2, text, sizeof text), expected[i]),
                          "%u streams before the labels: stream %u is called '%s'", before, i + 2,
                          text);
        ck_assert_str_eq(labels_stream(l, BORN + 2, text, sizeof text), "an unknown stream");
        labels_free(l);
        trace_free(t);
        close(fd);
        unlink(path);
    }
}
END_TEST

START_TEST(overlapping_kernels)
{
    char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text, TRACE_HEAD);
    for (int i = 1; i <= 12; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "stream %d 1 nonblocking 0 0 - -\n"
                              "op %d 0 kernel 1 %d 0 0 - - - - 0 0 k\nstart %d %d 2\nend %d 100\n",
                              i + 4, i, i + 4, i, i, i);
    }
    Trace *t = trace_of(text);
    Labels *l = labels_new(t, 0);
    Layout *layout = layout_new(t, l, false);
    LayoutCell cells[10];
    ck_assert_uint_eq(layout->n_rows, 6);
    ck_assert_str_eq(layout->rows[0].title, "Kernels");
    ck_assert_str_eq(layout->rows[1].title, "");
    ck_assert(layout->rows[5].stacked && !layout->rows[4].stacked);
    ck_assert_uint_eq(layout->rows[5].n, 7);
    layout_cells(&layout->rows[5], layout->start_ns, layout->end_ns, 10, cells);
    ck_assert_uint_eq(cells[0].count, 5); /* those that begin at 6..10 of 1..100 */
    ck_assert_uint_eq(cells[5].count, 7);
    ck_assert_uint_eq(cells[9].count, 7);
    layout_free(layout);
    labels_free(l);
    trace_free(t);
}
END_TEST

/* The rows of a device stand together, by engine and by stream; one sees where they end. */
START_TEST(rows_of_devices)
{
    static const char text[] =
        TRACE_HEAD "device 2 Other\n"
                   "engine 7 2 compute -\nengine 8 2 h2d -\nengine 9 1 link - 2\n"
                   "stream 5 2 nonblocking 0 0 - -\nstream 6 1 nonblocking 0 0 - -\n"
                   "op 1 0 kernel 2 5 0 0 - - - - 0 0 k\nstart 1 1 7\nend 1 9\n"
                   "op 2 0 kernel 1 6 0 0 - - - - 0 0 k\nstart 2 1 2\nend 2 9\n"
                   "op 3 0 h2d 2 5 0 4 - - - - 0 0 c\nstart 3 9 8\nend 3 12\n"
                   "op 4 0 p2p 1 6 0 4 - - - - 0 0 c\nstart 4 9 9\nend 4 12\n";
    static const char *const engines[] = {"GPU0 Kernels", "GPU0 to 1", "GPU1 H2D", "GPU1 Kernels"},
                             *const streams[] = {"GPU0 str. 5", "GPU1 str. 4"};
    Trace *t = trace_of(text);
    Labels *l = labels_new(t, 0);
    for (int by_stream = 0; by_stream < 2; by_stream++) {
        Layout *layout = layout_new(t, l, by_stream);
        uint32_t n = by_stream ? 2 : 4;
        ck_assert_uint_eq(layout->n_rows, n);
        for (uint32_t i = 0; i < n; i++) {
            ck_assert_str_eq(layout->rows[i].title, by_stream ? streams[i] : engines[i]);
            ck_assert_uint_eq(layout->rows[i].device, i < n / 2 ? 1 : 2);
        }
        layout_free(layout);

        char *picture = NULL;
        size_t size;
        FILE *out = open_memstream(&picture, &size);
        ck_assert_int_eq(svg_write(out, t, &(SvgOptions){.by_stream = by_stream}), 0);
        fclose(out);
        const char *line = strstr(picture, "class=\"device\"");
        ck_assert(line && !strstr(line + 1, "class=\"device\""));
        free(picture);
    }
    labels_free(l);
    trace_free(t);
}
END_TEST

/* A column of many short items shows how much of its time is busy, not how many there are. */
START_TEST(density)
{
    char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text, TRACE_HEAD);
    for (int i = 1; i <= 100; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "op %d 0 h2d 1 2 0 0 - - - - 0 0 -\n"
                              "start %d %d 1\nend %d %d\n",
                              i, i, i * 1000, i, i * 1000 + (i <= 50 ? 125 : 750));
    }
    Trace *t = trace_of(text);
    Labels *l = labels_new(t, 0);
    Layout *layout = layout_new(t, l, false);
    LayoutCell cells[2];
    layout_cells(&layout->rows[0], 1000, 101000, 2, cells);
    ck_assert_uint_eq(cells[0].count, 50);
    ck_assert_uint_eq(cells[1].count, 50);
    ck_assert_uint_eq(cells[0].covered, 1);
    ck_assert_uint_eq(cells[1].covered, 6);
    layout_free(layout);
    labels_free(l);
    trace_free(t);
}
END_TEST

/* A column knows in which of its eighths the first and the last of its items begin and end: what
 * lies between is drawn. */
START_TEST(gaps_in_a_column)
{
    Trace *t =
        trace_of(TRACE_HEAD "op 1 0 h2d 1 2 0 0 - - - - 0 0 -\nstart 1 1000 1\nend 1 1200\n"
                            "op 2 0 h2d 1 2 0 0 - - - - 0 0 -\nstart 2 1500 1\nend 2 1600\n"
                            "op 3 0 h2d 1 2 0 0 - - - - 0 0 -\nstart 3 1700 1\nend 3 1800\n");
    Labels *l = labels_new(t, 0);
    Layout *layout = layout_new(t, l, false);
    LayoutCell cells[1];
    layout_cells(&layout->rows[0], 1000, 1800, 1, cells);
    ck_assert_uint_eq(cells[0].count, 3);
    ck_assert_uint_eq(cells[0].first_from, 0);
    ck_assert_uint_eq(cells[0].first_to, 2);
    ck_assert_uint_eq(cells[0].last_from, 7);
    ck_assert_uint_eq(cells[0].last_to, 8);
    layout_free(layout);
    labels_free(l);
    trace_free(t);
}
END_TEST

START_TEST(ruler)
{
    int digits;
    ck_assert_double_eq(layout_step(6000000, 1000000, 60, 6, &digits), 1);
    ck_assert_int_eq(digits, 0);
    ck_assert_double_eq_tol(layout_step(6000000, 1000000, 600, 10, &digits), 0.1, 1e-12);
    ck_assert_int_eq(digits, 1);
    ck_assert_double_eq_tol(layout_step(7331000, 1000000, 70, 7, &digits), 1, 1e-12);
    ck_assert_double_eq_tol(layout_step(24000, 1000000, 72, 8, &digits), 0.005, 1e-12);
    ck_assert_int_eq(digits, 3);
    ck_assert_double_eq(layout_step(1000000000000, 1000000, 70, 7, &digits), 100000);
    ck_assert_int_eq(digits, 0);
    /* a nanosecond on an axis of seconds, on a wide screen */
    ck_assert_double_eq_tol(layout_step(1, 1000000000, 1500, 1, &digits), 1e-12, 1e-15);
    ck_assert_int_eq(digits, 12);
}
END_TEST

START_TEST(reasons)
{
    Trace *t = pipeline();
    ScheduleOptions o = {.range = 2, .width = 60};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(schedule_write_waits(out, t, &o, 3), 0);
    fclose(out);
    ck_assert_str_eq(text, "   0.00 - 1.00    H2D0 did not wait (ex43.cu:22)\n"
                           "   1.00 - 2.00    K0 waited 1.0 unit for H2D0: both are in\n"
                           "                  stream 1 (ex43.cu:23)\n"
                           "   1.00 - 2.00    H2D1 waited 1.0 unit for H2D0: the H2D\n"
                           "                  copy engine was busy with H2D0\n"
                           "                  (ex43.cu:22)\n"
                           "and 9 more\n");
    free(text);
    trace_free(t);
}
END_TEST

/* ---- JSON and SVG ---- */

static const char *json_value(const char *at, int depth);

static const char *json_blank(const char *at) { return at + strspn(at, " \t\r\n"); }

static const char *json_string(const char *at)
{
    if (*at++ != '"') return NULL;
    while (*at != '"') {
        uint32_t code;
        int columns;
        if ((unsigned char)*at < 0x20) return NULL;
        if (*at == '\\') {
            at++;
            if (*at == 'u') {
                for (int i = 0; i < 4; i++)
                    if (!isxdigit((unsigned char)*++at)) return NULL;
            } else if (!strchr("\"\\/bfnrt", *at)) {
                return NULL;
            }
            at++;
            continue;
        }
        size_t bytes = glyphs_next(at, &code, &columns);
        if (code == '?' && *at != '?') return NULL; /* not UTF-8 */
        at += bytes;
    }
    return at + 1;
}

static const char *json_list(const char *at, char close, int depth)
{
    at = json_blank(at + 1);
    if (*at == close) return at + 1;
    for (;;) {
        if (close == '}') {
            at = json_string(at);
            if (!at || *(at = json_blank(at)) != ':') return NULL;
            at = json_blank(at + 1);
        }
        at = json_value(at, depth + 1);
        if (!at) return NULL;
        at = json_blank(at);
        if (*at == close) return at + 1;
        if (*at != ',') return NULL;
        at = json_blank(at + 1);
    }
}

static const char *json_value(const char *at, int depth)
{
    if (depth > 20) return NULL;
    if (*at == '{') return json_list(at, '}', depth);
    if (*at == '[') return json_list(at, ']', depth);
    if (*at == '"') return json_string(at);
    if (*at == '-') at++;
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || (digits > 1 && *at == '0')) return NULL;
    at += digits;
    if (*at != '.') return at;
    digits = strspn(at + 1, "0123456789");
    return digits ? at + 1 + digits : NULL;
}

static char *perfetto(const Trace *t)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(perfetto_write(out, t), 0);
    fclose(out);
    ck_assert_uint_eq(strlen(text), size);
    return text;
}

START_TEST(json)
{
    for (uint32_t seed = 0; seed < 80; seed++) {
        Trace *t = random_trace(seed);
        char *text = perfetto(t);
        const char *end = json_value(text, 0);
        ck_assert_msg(end && !*json_blank(end), "seed %u is not JSON", seed);
        /* arrows come in pairs */
        size_t leave = 0, arrive = 0;
        for (const char *c = text; (c = strstr(c, "\"ph\":\"s\"")); c++) leave++;
        for (const char *c = text; (c = strstr(c, "\"ph\":\"f\"")); c++) arrive++;
        ck_assert_uint_eq(leave, arrive);
        free(text);
        trace_free(t);
    }
    Trace *t = pipeline();
    char *text = perfetto(t);
    ck_assert_ptr_nonnull(
        strstr(text, "\"name\":\"H2D3\",\"cat\":\"gpu_memcpy\",\"ts\":9000.000,\"dur\":1000.000"));
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"stream 4\""));
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"stream 0 (default stream)\""));
    ck_assert_ptr_nonnull(
        strstr(text, "{\"ph\":\"s\",\"pid\":2,\"tid\":2,\"name\":\"engine\",\"cat\":\"wait\""));
    free(text);
    trace_free(t);
}
END_TEST

/* Tags nest and close, attributes are quoted, text is escaped. */
static void check_xml(const char *at)
{
    char stack[16][16];
    int depth = 0;
    bool root = false;
    while (*at) {
        if (*at == '&') {
            REQUIRE(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                    strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0 ||
                    strncmp(at, "&#39;", 5) == 0);
        }
        if (*at != '<') {
            uint32_t code;
            int columns;
            REQUIRE(depth > 0 || isspace((unsigned char)*at));
            size_t bytes = glyphs_next(at, &code, &columns);
            REQUIRE(code != '?' || *at == '?' || *at == '\n');
            at += bytes;
            continue;
        }
        bool closing = at[1] == '/';
        at += 1 + closing;
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        char name[16];
        REQUIRE(length > 0 && length < sizeof name);
        memcpy(name, at, length);
        name[length] = '\0';
        at += length;
        if (closing) {
            REQUIRE(depth > 0);
            ck_assert_str_eq(name, stack[--depth]);
            REQUIRE(*at++ == '>');
            continue;
        }
        REQUIRE(depth > 0 || !root);
        root = true;
        while (*at == ' ') {
            at += 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-:");
            REQUIRE(at[0] == '=' && at[1] == '"');
            at += 2;
            at += strcspn(at, "\"<&");
            REQUIRE(*at++ == '"');
        }
        bool empty = *at == '/';
        at += empty;
        REQUIRE(*at++ == '>');
        if (empty) continue;
        REQUIRE(depth < 16);
        memcpy(stack[depth++], name, sizeof name);
    }
    REQUIRE(root && depth == 0);
}

START_TEST(svg)
{
    for (uint32_t seed = 0; seed < 80; seed++) {
        Trace *t = random_trace(seed);
        SvgOptions o = {.range = pick(2),
                        .width = (int)pick(2000),
                        .by_stream = pick(2),
                        .title = pick(2) ? "a < b & \"c\"\x1b" : NULL};
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        ck_assert_int_eq(svg_write(out, t, &o), 0);
        fclose(out);
        check_xml(text);
        free(text);
        trace_free(t);
    }
}
END_TEST

/* A unit's name of ten letters has room beside the axis. */
START_TEST(the_axis_names_its_unit)
{
    static const char *const names[][2] = {{"time_units", ">time_units</text>"},
                                           {"microseconds", ">microseco\xe2\x80\xa6</text>"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char trace[300], *text = NULL;
        snprintf(trace, sizeof trace,
                 "threelane 1\nmeta unit_ns 1000\nmeta unit_name %s\nengine 1 0 h2d a\n"
                 "stream 1 0 nonblocking 0 0 - -\nop 1 0 h2d 1 1 0 9 - - - - 0 0 -\n"
                 "start 1 0 1\nend 1 2000\n",
                 names[i][0]);
        Trace *t = trace_of(trace);
        size_t size;
        FILE *out = open_memstream(&text, &size);
        ck_assert_int_eq(svg_write(out, t, &(SvgOptions){0}), 0);
        fclose(out);
        ck_assert_msg(strstr(text, names[i][1]) != NULL, "%s", text);
        free(text);
        trace_free(t);
    }
}
END_TEST

/* A stream that cannot be written to is reported, by every form. */
START_TEST(full_disk)
{
    Trace *t = pipeline();
    for (int form = 0; form < 6; form++) {
        FILE *out = fopen("/dev/full", "w");
        if (!out) break;
        setvbuf(out, NULL, _IONBF, 0);
        ScheduleOptions o = {.utf8 = true};
        SvgOptions s = {0};
        int status = form < 3    ? schedule_write(out, t, (ScheduleForm)form, &o)
                     : form == 3 ? schedule_write_waits(out, t, &o, 0)
                     : form == 4 ? perfetto_write(out, t)
                                 : svg_write(out, t, &s);
        ck_assert_int_eq(status, -1);
        fclose(out);
    }
    trace_free(t);
}
END_TEST

CASES("schedule")
