/* Two runs side by side: figures on small traces, what CUDA forbids, runs that do not match,
 * damaged files. */
#include "timeline/trace/compare.h"
#include "tests/unit/trace_text.h"
#include "tests/unit/cases.h"

static char error[300];

static Compare *compared(const Trace *p, const Trace *m, const char *range)
{
    error[0] = '\0';
    return compare_new(p, m, range, error, sizeof error);
}

/* A kernel, a copy in and a copy out, in streams 2 and 3, units of 1000 ns. */
#define THREE(k, in, out)                                                                         \
    TRACE_HEAD OP("1", "kernel", "2", "k") k OP("2", "h2d", "3", "-") in OP("3", "d2h", "2", "-") \
        out

START_TEST(the_same_run_has_no_error)
{
    Trace *t = trace_of(THREE(RUN("1", "1000", "2", "5000"), RUN("2", "2000", "1", "4000"),
                              RUN("3", "5000", "3", "9000")));
    Compare *c = compared(t, t, NULL);
    ck_assert_msg(c != NULL, "%s", error);
    ck_assert_uint_eq(c->n_pairs, 3);
    ck_assert(c->makespan_error == 0 && c->overlap_error == 0);
    ck_assert_uint_eq(c->predicted.makespan_ns, 8000);
    ck_assert_uint_eq(c->predicted.overlap_ns, 2000);
    ck_assert_uint_eq(c->start_error_most_ns + c->inversions + c->n_breaches, 0);
    compare_free(c);
    trace_free(t);
}
END_TEST

START_TEST(figures)
{
    Trace *p = trace_of(THREE(RUN("1", "1000", "2", "5000"), RUN("2", "2000", "1", "4000"),
                              RUN("3", "5000", "3", "9000")));
    /* starts 100 us later, the kernel after the copy; 10 us in all, 1 of them two engines */
    Trace *m = trace_of(THREE(RUN("1", "102000", "2", "105500"), RUN("2", "101000", "1", "103000"),
                              RUN("3", "107000", "3", "111000")));
    Compare *c = compared(p, m, NULL);
    ck_assert_msg(c != NULL, "%s", error);
    ck_assert_uint_eq(c->measured.makespan_ns, 10000);
    ck_assert_double_eq_tol(c->makespan_error, -0.2, 1e-9);
    ck_assert_uint_eq(c->measured.overlap_ns, 1000);
    ck_assert_double_eq_tol(c->overlap_error, 0.25 - 0.1, 1e-9);
    ck_assert_uint_eq(c->inversions, 1);
    /* by measured start: the copy (predicted 1000 after the first), the kernel (0), the copy out
     * (4000) */
    static const struct {
        uint32_t op;
        int64_t start, length;
    } rows[] = {{2, 1000, 0}, {1, -1000, 500}, {3, -2000, 0}};
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(c->pairs[i].measured, rows[i].op);
        ck_assert_int_eq(c->pairs[i].start_error_ns, rows[i].start);
        ck_assert_int_eq(c->pairs[i].length_error_ns, rows[i].length);
    }
    ck_assert_uint_eq(c->start_error_median_ns, 1000);
    ck_assert_uint_eq(c->start_error_most_ns, 2000);
    ck_assert_uint_eq(c->start_error_most_pair, 2);
    ck_assert_uint_eq(c->predicted.breaches + c->measured.breaches, 0);
    compare_free(c);
    trace_free(p);
    trace_free(m);
}
END_TEST

/* Streams are found by what was done in them, whatever their numbers are. */
START_TEST(streams_need_not_have_the_same_number)
{
    Trace *p = trace_of(TRACE_HEAD OP("1", "kernel", "2", "k") RUN("1", "0", "2", "5")
                            OP("2", "kernel", "3", "l") RUN("2", "0", "2", "5"));
    Trace *m = trace_of(TRACE_HEAD OP("1", "kernel", "3", "k") RUN("1", "0", "2", "5")
                            OP("2", "kernel", "4", "l") RUN("2", "0", "2", "5"));
    Compare *c = compared(p, m, NULL);
    ck_assert_msg(c != NULL, "%s", error);
    ck_assert_uint_eq(c->n_pairs, 2);
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(p->ops[c->pairs[i].predicted].name, m->ops[c->pairs[i].measured].name);
    compare_free(c);
    trace_free(p);
    trace_free(m);
}
END_TEST

/* ---- what CUDA forbids ---- */

static void breaks(const char *text, uint32_t before, uint32_t after, bool sync)
{
    Trace *t = trace_of(text);
    Compare *c = compared(t, t, NULL);
    ck_assert_msg(c != NULL, "%s", error);
    ck_assert_msg(c->predicted.breaches == (before != 0) && c->measured.breaches == (before != 0),
                  "%u and %u in %s", c->predicted.breaches, c->measured.breaches, text);
    if (before) {
        ck_assert_uint_eq(c->n_breaches, 2);
        ck_assert_uint_eq(c->breaches[0].before, before);
        ck_assert_uint_eq(c->breaches[0].after, after);
        ck_assert(c->breaches[0].sync == sync && !c->breaches[0].of_measured &&
                  c->breaches[1].of_measured);
    }
    compare_free(c);
    trace_free(t);
}

#define MARK(id, kind, stream, event) \
    "op " id " 0 " kind " 1 " stream " 0 0 - - - - 0 " event " -\n"

START_TEST(orders_that_cuda_forbids)
{
#define K(id, stream, start, end) OP(id, "kernel", stream, "k") RUN(id, start, "2", end)
    breaks(TRACE_HEAD K("1", "2", "1000", "5000") K("2", "2", "5000", "9000"), 0, 0, false);
    breaks(TRACE_HEAD K("1", "2", "1000", "5000") K("2", "2", "4000", "9000"), 1, 2,
           false); /* stream
                      order
                    */
    breaks(TRACE_HEAD K("1", "2", "1000", "5000") K("2", "3", "4000", "9000"), 0, 0,
           false); /* no
                      order
                    */
    /* an event */
#define EVENT                                                                          \
    TRACE_HEAD "event 1 0\n" K("1", "2", "1000", "5000") MARK("2", "record", "2", "1") \
        K("3", "2", "5000", "20000")
    breaks(EVENT MARK("4", "wait", "3", "1") K("5", "3", "6000", "9000"), 0, 0, false);
    breaks(EVENT MARK("4", "wait", "3", "1") K("5", "3", "4000", "9000"), 1, 5, false);
    breaks(EVENT K("4", "3", "4000", "4500") MARK("5", "wait", "3", "1")
               K("6", "3", "5500", "9000"),
           0, 0, false);
    /* recorded again after the wait: only the first counts */
    breaks(EVENT MARK("4", "wait", "3", "1") MARK("5", "record", "2", "1")
               K("6", "3", "6000", "9000"),
           0, 0, false);
    /* the legacy default stream's barrier, both ways; not for non-blocking streams */
    breaks(TRACE_HEAD K("1", "4", "1000", "5000") K("2", "1", "4000", "9000"), 1, 2, false);
    breaks(TRACE_HEAD K("1", "1", "1000", "5000") K("2", "4", "4000", "9000"), 1, 2, false);
    breaks(TRACE_HEAD K("1", "1", "1000", "5000") K("2", "2", "4000", "9000"), 0, 0, false);
    breaks(TRACE_HEAD K("1", "2", "1000", "5000") K("2", "1", "4000", "9000"), 0, 0, false);
    /* cudaDeviceSynchronize returns when all has ended */
#define CALLED(end)                                                                          \
    TRACE_HEAD                                                                               \
    "call 1 1 cudaLaunchKernel 0 -\nop 1 1 kernel 1 2 0 1 - - - - 0 0 k\nret 1 500 0\n" RUN( \
        "1", "1000", "2", "5000") "call 2 1 cudaDeviceSynchronize 600 -\nret 2 " end " 0\n"
    breaks(CALLED("5100"), 0, 0, false);
    breaks(CALLED("3000"), 1, 2, true);
}
END_TEST

/* A card's time stamps of neighbours are not exact to the last half microsecond; a prediction's
 * are. */
START_TEST(a_cards_clock_has_some_slack)
{
    Trace *t = trace_of(TRACE_HEAD K("1", "2", "1000", "5000") K("2", "2", "4600", "9000"));
    Compare *c = compared(t, t, NULL);
    ck_assert_msg(c != NULL, "%s", error);
    ck_assert_uint_eq(c->predicted.breaches, 1);
    ck_assert_uint_eq(c->measured.breaches, 0);
    compare_free(c);
    trace_free(t);
}
END_TEST

/* ---- what is compared ---- */

#define LAUNCH(n, op, name, start, end)                                                   \
    "call " n " 1 cudaLaunchKernel 0 -\nop " op " " n " kernel 1 2 0 1 - - - - 0 0 " name \
    "\nret " n " 1 0\n" RUN(op, start, "2", end)
#define SYNC(n) "call " n " 1 cudaDeviceSynchronize 0 -\nret " n " 99000 0\n"

START_TEST(what_is_compared)
{
    static const struct {
        const char *text, *range;
        uint32_t n;
        bool warm;
    } cases[] = {
        {TRACE_HEAD LAUNCH("1", "1", "k", "10", "20") LAUNCH("2", "2", "k", "20", "30"), NULL, 2,
         false},
        {TRACE_HEAD LAUNCH("1", "1", "k", "10", "20") SYNC("2") LAUNCH("3", "2", "k", "20", "30"),
         NULL, 1, true},
        {TRACE_HEAD LAUNCH("1", "1", "k", "10", "20") SYNC("2") LAUNCH("3", "2", "k", "20", "30")
             LAUNCH("4", "3", "l", "30", "40") SYNC("5") LAUNCH("6", "4", "k", "50", "60")
                 LAUNCH("7", "5", "l", "60", "70"),
         NULL, 2, true},
        {TRACE_HEAD LAUNCH("1", "1", "k", "10", "20") "range 1 1 0 measured\n" LAUNCH(
             "2", "2", "k", "20", "30") "rangeend 1 90\n" LAUNCH("3", "3", "k", "30", "40"),
         NULL, 1, true},
        {TRACE_HEAD LAUNCH("1", "1", "k", "10", "20") "range 1 1 0 mine\n" LAUNCH(
             "2", "2", "k", "20", "30") "rangeend 1 90\n" LAUNCH("3", "3", "k", "30", "40"),
         "mine", 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Trace *t = trace_of(cases[i].text);
        Compare *c = compared(t, t, cases[i].range);
        ck_assert_msg(c != NULL, "%zu: %s", i, error);
        ck_assert_msg(c->n_pairs == cases[i].n && c->warm == cases[i].warm,
                      "%zu: %u pairs, warm %d", i, c->n_pairs, c->warm);
        compare_free(c);
        trace_free(t);
    }
}
END_TEST

START_TEST(runs_that_do_not_match_are_refused)
{
#define ONE TRACE_HEAD K("1", "2", "10", "20")
    static const struct {
        const char *p, *m, *range, *says;
    } cases[] = {
        {ONE, TRACE_HEAD, NULL, "measured run has no copy, set, kernel or host function"},
        {TRACE_HEAD, ONE, NULL, "predicted run has no copy"},
        {ONE, TRACE_HEAD OP("1", "kernel", "2", "other") RUN("1", "10", "2", "20"), NULL,
         "operation 1 of a stream is a kernel k<<<(0,0,0), (0,0,0)>>> in the predicted run and a "
         "kernel other"},
        {ONE, TRACE_HEAD OP("1", "h2d", "2", "-") RUN("1", "10", "1", "20"), NULL,
         "and a h2d of 1 bytes in the measured one"},
        {ONE, ONE K("2", "2", "20", "30"), NULL,
         "predicted run has 1 operations, of the measured one 2, and the first 1"},
        {ONE, ONE K("2", "3", "20", "30"), NULL,
         "the predicted run used 1 streams, the measured one 2"},
        {ONE, TRACE_HEAD OP("1", "kernel", "2", "k") "start 1 10 2\n", NULL,
         "measured run was cut off: a kernel did not end (operation 1)"},
        {ONE, ONE, "nowhere", "the predicted run has no NVTX range \"nowhere\""},
        {TRACE_HEAD "range 1 1 0 r\nrangeend 1 5\n" K("1", "2", "10", "20"),
         TRACE_HEAD "range 1 1 0 r\nrangeend 1 5\n" K("1", "2", "10", "20"), "r",
         "host function in the range \"r\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Trace *p = trace_of(cases[i].p), *m = trace_of(cases[i].m);
        Compare *c = compared(p, m, cases[i].range);
        ck_assert_msg(c == NULL && strstr(error, cases[i].says) && !strchr(error, '\n'), "%zu: %s",
                      i, error);
        trace_free(p);
        trace_free(m);
    }
}
END_TEST

/* ---- a recorded run, whole, cut off and damaged ---- */

static char *slurp(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(1 << 20);
    ck_assert_msg(file != NULL && text != NULL, "%s", path);
    *length = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

static void any_answer(const Trace *whole, const char *text, size_t length)
{
    char said[200] = "";
    Trace *t = trace_parse(text, length, said, sizeof said);
    if (!t) {
        REQUIRE(said[0]);
        return;
    }
    for (int way = 0; way < 2; way++) {
        Compare *c = way ? compared(t, whole, NULL) : compared(whole, t, NULL);
        REQUIRE(c || (error[0] && !strchr(error, '\n')));
        if (c)
            REQUIRE(c->n_pairs > 0 && c->start_error_most_pair < c->n_pairs &&
                    c->n_breaches <= COMPARE_BREACHES);
        compare_free(c);
    }
    trace_free(t);
}

START_TEST(cut_off_and_damaged)
{
    size_t length;
    char *text = slurp("tests/fixtures/h200/compare/barriers.lane", &length),
         *copy = malloc(length);
    Trace *whole = trace_parse(text, length, error, sizeof error);
    uint64_t state = 1;
    ck_assert_msg(whole != NULL && copy != NULL, "%s", error);
    Compare *c = compared(whole, whole, NULL);
    ck_assert_msg(c != NULL, "%s", error);
    ck_assert(c->n_pairs == 28 && c->makespan_error == 0 && c->warm && c->n_breaches == 0);
    compare_free(c);
    for (size_t cut = 0; cut < length; cut += 13) any_answer(whole, text, cut);
    for (int round = 0; round < 1500; round++) {
        memcpy(copy, text, length);
        for (int k = 0; k <= round % 8; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            copy[(state >> 33) % length] =
                k % 2 ? (char)(state >> 25) : (char)('0' + (state >> 25) % 10);
        }
        any_answer(whole, copy, length);
    }
    trace_free(whole);
    free(copy);
    free(text);
}
END_TEST

/* Many operations in many streams: neither slow nor deep. */
START_TEST(a_large_run)
{
    enum { N = 120000, STREAMS = 3000 };
    char *text = malloc((size_t)(N + STREAMS) * 110);
    size_t length = (size_t)
        sprintf(text, "threelane\t1\ndevice\t1\tG\nengine\t1\t1\tcompute\tc\nthread\t1\tmain\t-\n");
    ck_assert_ptr_nonnull(text);
    for (int i = 1; i <= STREAMS; i++)
        length += (size_t)sprintf(text + length, "stream\t%d\t1\t%s\t0\t0\t-\t-\n", i,
                                  i == 1 ? "legacy" : "blocking");
    for (int i = 1; i <= N; i++)
        length += (size_t)sprintf(text + length,
                                  "op\t%d\t0\tkernel\t1\t%d\t0\t0\t-\t-\t1,1,1\t1,1,"
                                  "1\t0\t0\tk\nstart\t%d\t%d\t1\nend\t%d\t%d\n",
                                  i, 2 + i % (STREAMS - 1), i, 10 * i, i, 10 * i + 9);
    Trace *t = trace_parse(text, length, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    Compare *c = compared(t, t, NULL);
    ck_assert_msg(c != NULL, "%s", error);
    ck_assert_uint_eq(c->n_pairs, N);
    ck_assert(c->inversions == 0 && c->n_breaches == 0);
    compare_free(c);
    trace_free(t);
    free(text);
}
END_TEST

CASES("compare")
