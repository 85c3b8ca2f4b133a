/* Spans at any zoom: what a cell says must be what a look at every span says, however the trace
 * came. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/trace_random.h"
#include "tests/unit/trace_text.h"
#include "timeline/pictures/critical_path.h"
#include "timeline/pictures/spans.h"
#include "tests/unit/cases.h"

/* Every span of a lane by hand: does it touch eighth e of the window? */
static void span_eighths(const Spans *s, const SpansLane *l, uint32_t i, uint64_t from, uint64_t to,
                         uint32_t eighths, int64_t *first, int64_t *end)
{
    __int128 span = to - from, a = (__int128)l->start_ns[i] - from,
             b = (__int128)spans_end_ns(s, l, i) - from;
    __int128 e0 = a * eighths, e1 = b * eighths;
    *first = (int64_t)(e0 >= 0 ? e0 / span : -((-e0 + span - 1) / span));
    *end = (int64_t)(e1 >= 0 ? e1 / span : -((-e1 + span - 1) / span));
    if (*end <= *first) *end = *first + 1;
}

static void check_window(const Spans *s, const SpansLane *l, uint64_t from, uint64_t to,
                         uint32_t columns)
{
    SpansCell *cells = malloc(columns * sizeof *cells);
    spans_cells(s, l, from, to, columns, cells);
    uint64_t busy = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        uint64_t a = l->start_ns[i] > from ? l->start_ns[i] : from, b = spans_end_ns(s, l, i);
        if (b > to) b = to;
        if (b > a) busy += b - a;
    }
    if (!l->pile) REQUIRE(spans_busy_ns(s, l, from, to) == busy);
    else REQUIRE(spans_busy_ns(s, l, from, to) <= busy);
    for (uint32_t c = 0; c < columns; c++) {
        uint32_t count = 0, first = UINT32_MAX, last = 0;
        for (uint32_t i = 0; i < l->n; i++) {
            int64_t e0, e1;
            span_eighths(s, l, i, from, to, 8 * columns, &e0, &e1);
            bool closing = c + 1 == columns && l->start_ns[i] == to && spans_end_ns(s, l, i) == to;
            if (!closing && (e0 >= 8 * ((int64_t)c + 1) || e1 <= 8 * (int64_t)c)) continue;
            count++;
            if (first == UINT32_MAX) first = i;
            last = i;
        }
        REQUIRE(cells[c].count == count);
        if (!count) continue;
        REQUIRE(cells[c].first == first);
        if (!l->pile) REQUIRE(cells[c].last == last);
        REQUIRE(cells[c].covered >= 1 && cells[c].covered <= 8);
        REQUIRE(cells[c].first_from < cells[c].first_to && cells[c].first_to <= 8);
    }
    free(cells);
}

static void check_all(const Spans *s)
{
    for (int mode = 0; mode < SPANS_MODES; mode++) {
        uint32_t spans = 0, started = 0;
        for (uint32_t i = 0; i < s->n_tracks[mode]; i++) {
            const SpansTrack *track = &s->tracks[mode][i];
            for (uint32_t k = 0; k < track->n_lanes; k++) {
                const SpansLane *l = &track->lanes[k];
                spans += l->n;
                for (uint32_t j = 1; j < l->n; j++) {
                    REQUIRE(l->start_ns[j] >= l->start_ns[j - 1]);
                    if (!l->pile) REQUIRE(spans_end_ns(s, l, j - 1) <= l->start_ns[j]);
                }
                for (int window = 0; window < 12; window++) {
                    uint64_t range = s->to_ns - s->from_ns,
                             from = s->from_ns + (window ? chance((uint32_t)range) : 0);
                    uint64_t to =
                        window ? from + 1 + chance(window < 6 ? 40 : (uint32_t)range) : s->to_ns;
                    check_window(s, l, from, to, 1 + chance(30));
                }
            }
        }
        for (uint32_t op = 1; op <= s->trace->n_ops; op++) {
            uint32_t track, lane, index;
            bool ran = trace_op_is_work(&s->trace->ops[op]) &&
                       s->trace->ops[op].start_ns != TRACE_OPEN_NS &&
                       (mode != SPANS_BY_DEVICE || s->trace->n_devices > 1);
            started += ran;
            REQUIRE(spans_place(s, (SpansMode)mode, op, &track, &lane, &index) == ran);
            if (ran) REQUIRE(s->tracks[mode][track].lanes[lane].id[index] == op);
        }
        REQUIRE(spans == started);
    }
}

/* Every span of a random trace is in one lane, and shows in every window that it touches. */
START_TEST(nothing_is_lost)
{
    static const struct {
        uint32_t n, disorder, most_long;
    } shapes[] = {{40, 0, 20},     {200, 0, 60},     {200, 400, 60},
                  {300, 50, 3000}, {150, 100000, 5}, {120, 10, 1}};
    for (uint32_t round = 0; round < 36; round++) {
        seed = round * 77 + 5;
        second_device = round % 3 == 1 ? 1 + round : 0;
        char error[200], *text = random_text(shapes[round % 6].n, shapes[round % 6].disorder,
                                             shapes[round % 6].most_long, round % 2);
        Trace *t = trace_parse(text, strlen(text), error, sizeof error);
        Spans *s = spans_new(t);
        ck_assert_ptr_nonnull(s);
        check_all(s);
        spans_free(s);
        trace_free(t);
        free(text);
    }
}
END_TEST

/* A trace that comes in pieces looks in the end as one that was there at once. */
START_TEST(growing)
{
    for (uint32_t round = 0; round < 8; round++) {
        seed = round + 100;
        second_device = round % 4 == 1 ? 90 : 0;
        char error[200], *text = random_text(250, round % 2 ? 300 : 0, 80, true),
                         path[] = "/tmp/threelane-test-XXXXXX";
        size_t length = strlen(text), at = 250;
        int fd = mkstemp(path);
        REQUIRE(write(fd, text, at) == (ssize_t)at);
        Trace *t = trace_read(path, error, sizeof error);
        ck_assert_msg(t != NULL, "%s", error);
        Spans *s = spans_new(t);
        while (at < length) {
            size_t n = 1 + chance(900);
            if (n > length - at) n = length - at;
            REQUIRE(write(fd, text + at, n) == (ssize_t)n);
            at += n;
            uint32_t before = t->n_ops;
            trace_read_more(t);
            bool changed, more = false;
            for (uint32_t op = before + 1; op <= t->n_ops; op++)
                more |= trace_op_is_shown(&t->ops[op]);
            REQUIRE(spans_update(s, &changed));
            if (more) REQUIRE(changed); /* else nobody would draw it */
        }
        check_all(s);
        Trace *whole = trace_parse(text, length, error, sizeof error);
        Spans *w = spans_new(whole);
        REQUIRE(w->from_ns == s->from_ns && w->to_ns == s->to_ns &&
                w->n_not_started == s->n_not_started);
        for (int mode = 0; mode < SPANS_MODES; mode++) {
            REQUIRE(w->n_tracks[mode] == s->n_tracks[mode]);
            for (uint32_t i = 0; i < w->n_tracks[mode]; i++) {
                REQUIRE(w->tracks[mode][i].ref == s->tracks[mode][i].ref &&
                        w->tracks[mode][i].n == s->tracks[mode][i].n);
            }
        }
        spans_free(w);
        trace_free(whole);
        spans_free(s);
        trace_free(t);
        close(fd);
        unlink(path);
        free(text);
    }
}
END_TEST

/* More at once than there are lanes: the rest is in a pile, and counted. */
START_TEST(a_pile)
{
    char *text = NULL, error[200];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("threelane\t1\nstream\t1\t1\tblocking\t0\t0\t-\t-\nengine\t1\t1\tcompute\tC\n", out);
    for (int id = 1; id <= 500; id++) {
        fprintf(
            out,
            "op\t%d\t0\tkernel\t1\t1\t0\t0\t-\t-\t-\t-\t0\t0\tk\nstart\t%d\t%d\t1\nend\t%d\t%d\n",
            id, id, 100 + id, id, 2000 - id);
    }
    fclose(out);
    Trace *t = trace_parse(text, strlen(text), error, sizeof error);
    Spans *s = spans_new(t);
    const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][0];
    ck_assert_uint_eq(track->n, 500);
    ck_assert(track->lanes[track->n_lanes - 1].pile);
    check_all(s);
    SpansCell cell;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < track->n_lanes; k++) {
        spans_cells(s, &track->lanes[k], 1000, 1001, 1, &cell);
        sum += cell.count;
    }
    ck_assert_uint_eq(sum, 500);
    spans_free(s);
    trace_free(t);
    free(text);
}
END_TEST

START_TEST(eighths)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "k") RUN("1", "0", "2", "20")
                            OP("2", "kernel", "2", "k") RUN("2", "20", "2", "28") "exit 80 0\n");
    Spans *s = spans_new(t);
    const SpansLane *l = &s->tracks[SPANS_BY_ENGINE][0].lanes[0];
    SpansCell c[8];
    spans_cells(s, l, 0, 64, 8, c); /* 8 ns a column, 1 ns an eighth */
    ck_assert_uint_eq(c[0].count, 1);
    ck_assert(c[0].begins && !c[0].ends && c[0].first_from == 0 && c[0].first_to == 8);
    ck_assert_uint_eq(c[2].count, 2); /* 16..24: one ends at 20, the next begins */
    ck_assert(c[2].first_to == 4 && c[2].last_from == 4 && c[2].last_to == 8 && c[2].covered == 8);
    ck_assert(c[3].count == 1 && c[3].first_from == 0 && c[3].first_to == 4 && c[3].ends);
    ck_assert_uint_eq(c[4].count, 0);
    ck_assert_uint_eq(spans_busy_ns(s, l, 10, 25), 15);
    uint64_t event;
    ck_assert(spans_next_event(s, 0, &event) && event == 20);
    ck_assert(spans_next_event(s, 20, &event) && event == 28);
    ck_assert(!spans_next_event(s, 28, &event));
    ck_assert(spans_previous_event(s, 28, &event) && event == 20);
    ck_assert(spans_previous_event(s, 20, &event) && event == 0);
    spans_free(s);
    trace_free(t);
}
END_TEST

/* Busy at once, by hand: H2D 0..10, kernel 5..20, D2H 8..12. */
START_TEST(overlap)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "h2d", "2", "-") RUN("1", "0", "1", "10")
                            OP("2", "kernel", "3", "k") RUN("2", "5", "2", "20")
                                OP("3", "d2h", "4", "-") RUN("3", "8", "3", "12"));
    Spans *s = spans_new(t);
    SpansOverlap o;
    for (uint32_t steps = 1; steps < 40; steps += 13) { /* in pieces of any size */
        spans_overlap_start(&o, 0, 40);
        for (int guard = 0; guard < 1000 && !o.done; guard++) spans_overlap_go(s, &o, steps);
        ck_assert(o.done);
        ck_assert_uint_eq(o.any_ns, 20);
        ck_assert_uint_eq(o.two_ns, 7);   /* 5..12 */
        ck_assert_uint_eq(o.three_ns, 2); /* 8..10 */
        ck_assert_uint_eq(o.class_ns[TRACE_ENGINE_COMPUTE], 15);
    }
    spans_free(s);
    trace_free(t);
}
END_TEST

/* Two kernels at once are two, although they share the compute engine. */
START_TEST(kernels_overlap)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "k") RUN("1", "0", "2", "10")
                            OP("2", "kernel", "3", "k") RUN("2", "5", "2", "20")
                                OP("3", "kernel", "4", "k") RUN("3", "8", "2", "12"));
    Spans *s = spans_new(t);
    SpansOverlap o;
    spans_overlap_start(&o, 0, 40);
    for (int guard = 0; guard < 1000 && !o.done; guard++) spans_overlap_go(s, &o, 7);
    ck_assert(o.done && o.any_ns == 20 && o.two_ns == 7 && o.three_ns == 2);
    ck_assert_uint_eq(o.class_ns[TRACE_ENGINE_COMPUTE], 20);
    spans_free(s);
    trace_free(t);
}
END_TEST

static bool has_pile(const Spans *s)
{
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE]; i++)
        for (uint32_t k = 0; k < s->tracks[SPANS_BY_ENGINE][i].n_lanes; k++)
            if (s->tracks[SPANS_BY_ENGINE][i].lanes[k].pile) return true;
    return false;
}

/* ... and of random traces, from one moment to the next. */
START_TEST(overlap_of_anything)
{
    for (uint32_t round = 0; round < 20; round++) {
        seed = round + 500;
        char error[200],
            *text = random_text(150, round % 2 ? 400 : 0, round % 3 ? 90 : 400, round % 4 == 0);
        Trace *t = trace_parse(text, strlen(text), error, sizeof error);
        Spans *s = spans_new(t);
        uint64_t from = s->from_ns + chance(500), to = from + 1 + chance(5000),
                 class_ns[TRACE_ENGINE_CLASSES] = {0}, sums[4] = {0};
        for (uint64_t ns = from; ns < to; ns++) {
            bool busy[TRACE_ENGINE_CLASSES] = {false};
            unsigned running = 0;
            for (uint32_t id = 1; id <= t->n_ops; id++) {
                const TraceOp *op = &t->ops[id];
                if (op->start_ns == TRACE_OPEN_NS || op->start_ns > ns) continue;
                if ((op->end_ns == TRACE_OPEN_NS ? s->now_ns : op->end_ns) <= ns) continue;
                busy[spans_class(t, id)] = true;
                running += trace_op_is_work(op) && spans_class(t, id) != TRACE_ENGINE_HOST;
            }
            for (int c = 0; c < TRACE_ENGINE_CLASSES; c++) class_ns[c] += busy[c];
            sums[running < 3 ? running : 3]++;
        }
        SpansOverlap o;
        spans_overlap_start(&o, from, to);
        for (int guard = 0; guard < 100000 && !o.done; guard++)
            spans_overlap_go(s, &o, 1 + chance(30));
        REQUIRE(o.done);
        REQUIRE(!memcmp(o.class_ns, class_ns, sizeof class_ns));
        REQUIRE(o.any_ns == sums[3] + sums[2] + sums[1]);
        if (has_pile(s)) { /* how many of a pile run is not known: at least so many */
            REQUIRE(o.three_ns <= sums[3] && o.two_ns <= sums[3] + sums[2]);
        } else {
            REQUIRE(o.three_ns == sums[3] && o.two_ns == sums[3] + sums[2]);
        }
        spans_free(s);
        trace_free(t);
        free(text);
    }
}
END_TEST

/* The way back: an engine, a stream, and a host that was waiting. */
/* Where nothing has run there is a picture all the same. */
START_TEST(nothing_has_run)
{
    Trace *t = trace_of(TRACE_HEAD);
    Spans *s = spans_new(t);
    ck_assert_ptr_nonnull(s);
    ck_assert_uint_eq(s->from_ns, 0);
    ck_assert_uint_eq(s->to_ns, 1);
    spans_free(s);
    trace_free(t);
}
END_TEST

START_TEST(the_way_back)
{
    Trace *t = trace_of(
        TRACE_HEAD
        "call 1 1 a 0 x.cu:1\nop 1 1 h2d 1 2 0 1 - - - - 0 0 -\nret 1 0 0\nstart 1 0 1\nend 1 10\n"
        "call 2 1 b 0 x.cu:2\nop 2 2 kernel 1 2 0 1 - - - - 0 0 k\nret 2 0 0\nwhy 2 stream 1 "
        "10\nstart 2 10 2\nend 2 20\n"
        "call 3 1 cudaDeviceSynchronize 0 x.cu:3\nret 3 20 0\n"
        "call 4 1 c 20 x.cu:4\nop 3 4 d2h 1 3 20 1 - - - - 0 0 -\nret 4 20 0\nstart 3 20 3\nend 3 "
        "30\n"
        "call 5 1 d 20 x.cu:5\nop 4 5 h2d 1 3 20 1 - - - - 0 0 -\nret 5 20 0\nstart 4 20 1\nend 4 "
        "22\nexit 30 0\n");
    Spans *s = spans_new(t);
    uint32_t call;
    ck_assert_uint_eq(critical_path_back(t, 3, &call), 2);
    ck_assert_uint_eq(call, 3);
    ck_assert_uint_eq(critical_path_back(t, 2, &call), 1);
    ck_assert_uint_eq(call, 0);
    ck_assert_uint_eq(critical_path_back(t, 1, &call), 0);
    ck_assert_uint_eq(critical_path_ready_ns(t, 2), 10);
    CriticalPath p = {0};
    ck_assert(critical_path_start(&p, t));
    for (int guard = 0; guard < 100 && !p.done; guard++) critical_path_go(&p, t, 1);
    ck_assert(p.done && p.length == 3);
    ck_assert(critical_path_has(&p, 1) && critical_path_has(&p, 2) && critical_path_has(&p, 3) &&
              !critical_path_has(&p, 4) && !critical_path_has(&p, 99999));
    critical_path_release(&p);
    spans_free(s);
    trace_free(t);
}
END_TEST

CASES("spans")
