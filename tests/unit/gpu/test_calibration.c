/* A device model from what the probe measured: from recorded measurements, and from incomplete and
 * damaged ones. */
#include "gpu/calibration.h"
#include "tests/unit/cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "tests/fixtures/h200/calibrate/3/"
#define TWO "tests/fixtures/h200/calibrate/two/"
static char error[300];
static Calibration calibration;

static char *slurp(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, (1 << 19) + 1);
    ck_assert_msg(file != NULL && text != NULL, "%s", path);
    *length = fread(text, 1, 1 << 19, file);
    fclose(file);
    return text;
}

typedef struct Recorded {
    char *properties, *costs[5], *traced[5], *timeline;
    size_t length;
} Recorded;

static Recorded recorded_in(const char *folder)
{
    Recorded r;
    char path[100];
    size_t length;
    snprintf(path, sizeof path, "%sproperties.txt", folder);
    r.properties = slurp(path, &length);
    snprintf(path, sizeof path, "%stimeline.lane", folder);
    r.timeline = slurp(path, &r.length);
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%scosts%d.txt", folder, i + 1);
        r.costs[i] = slurp(path, &length);
        snprintf(path, sizeof path, "%straced%d.txt", folder, i + 1);
        r.traced[i] = slurp(path, &length);
    }
    return r;
}
static Recorded recorded(void) { return recorded_in(FOLDER); }

static void release(Recorded *r)
{
    free(r->properties);
    free(r->timeline);
    for (int i = 0; i < 5; i++) {
        free(r->costs[i]);
        free(r->traced[i]);
    }
}

static bool make(const Recorded *r, const char *timeline, size_t length)
{
    CalibrationInput in = {.properties = r->properties, .n_costs = 5, .n_traced = 5};
    for (int i = 0; i < 5; i++) {
        in.costs[i] = r->costs[i];
        in.traced[i] = r->traced[i];
    }
    error[0] = '\0';
    Trace *t = trace_parse(timeline, length, error, sizeof error);
    in.timeline = t;
    bool fine = t && calibration_make(&calibration, "test", &in, error, sizeof error);
    trace_free(t);
    return fine;
}

START_TEST(a_recorded_measurement)
{
    Recorded r = recorded();
    ck_assert_msg(make(&r, r.timeline, r.length), "%s", error);
    const Model *m = &calibration.model;
    ck_assert_str_eq(m->card, "NVIDIA H200");
    ck_assert_double_eq_tol(m->h2d.bytes_per_ns, 54, 2);
    ck_assert_double_eq_tol(m->d2h.bytes_per_ns, 55, 1);
    /* medians of what was measured from 4 MiB on: smaller copies, whose fixed part weighs more, do
     * not count */
    ck_assert_double_eq_tol(m->h2d_pageable.bytes_per_ns, 6.42, 0.001);
    ck_assert_double_eq_tol(m->d2h_pageable.bytes_per_ns, 10.36, 0.001);
    ck_assert(m->resident_grids == 128 && m->room_limited && m->staged_bytes == 2 << 20);
    ck_assert(m->gap_copy_copy < m->gap_copy_stream &&
              m->gap_copy_beside_h2d < m->gap_copy_beside_d2h);
    /* from one operation to the next: engines hand over slower than they go on */
    ck_assert(m->gap_kernel_kernel == 1120 && m->gap_kernel_copy == 3680);
    ck_assert(m->gap_copy_kernel == 5020 && m->gap_copy_copy == 1310);
    /* from a call to its work, and from that's end to the return of the call right behind */
    ck_assert_uint_eq(m->issue_latency, 2180);
    ck_assert_uint_eq(m->gap_return, 3210);
    /* the fastest of the five processes */
    ck_assert_uint_eq(m->traced.launch, 4820);
    ck_assert_uint_eq(m->costs.launch, 3510);
    ck_assert(m->traced.memcpy_async > m->costs.memcpy_async);
    ck_assert_int_eq(calibration.n_odd, 0);
    ck_assert_ptr_nonnull(
        strstr(calibration_remark(&calibration, "copies", "staged_bytes"), "measured"));
    ck_assert_ptr_null(calibration_remark(&calibration, "copies", "nothing"));

    /* as a file it is a model that can be read */
    char *text = NULL;
    size_t size = 0;
    Model again;
    FILE *file = open_memstream(&text, &size);
    ck_assert_int_eq(model_write(file, m, calibration_remark, &calibration), 0);
    fclose(file);
    ck_assert_msg(model_parse(&again, "test", text, size, error, sizeof error) == 0, "%s", error);
    ck_assert_int_eq(memcmp(m, &again, sizeof again), 0);
    free(text);
    release(&r);
}
END_TEST

static char *longer(char *text, const char *more)
{
    char *both = malloc(strlen(text) + strlen(more) + 1);
    ck_assert_ptr_nonnull(both);
    strcpy(stpcpy(both, text), more);
    free(text);
    return both;
}

/* What newer probes say of graphs: costs of two sizes, and a part of the timeline with two launches
 * of three kernels, 300 ns apart, the launches 4600. Without, a model says nothing of graphs. */
START_TEST(graphs)
{
    Recorded r = recorded();
    ck_assert_msg(make(&r, r.timeline, r.length), "%s", error);
    const Model *m = &calibration.model;
    ck_assert(!m->gap_graph_node && !m->costs.graph_launch && !m->costs.graph_capture);

    Trace *t = trace_parse(r.timeline, r.length, error, sizeof error);
    ck_assert_ptr_nonnull(t);
    uint32_t op = t->n_ops, call = t->n_calls, range = t->n_ranges + 1;
    uint64_t ns = t->last_ns + 1000;
    trace_free(t);
    char text[4096];
    int n = sprintf(text, "range\t%u\t1\t%lu\tgraphs\n", range, ns);
    for (int launch = 0; launch < 2; launch++) {
        uint32_t graph = ++op;
        n += sprintf(text + n, "call\t%u\t1\tcudaGraphLaunch\t%lu\t-\n", ++call, ns);
        n += sprintf(text + n, "op\t%u\t%u\tgraph\t1\t1\t%lu\t0\t-\t-\t-\t-\t0\t0\t-\n", graph,
                     call, ns);
        for (int k = 0; k < 3; k++) {
            op++;
            uint64_t start = ns + 100000 + (uint64_t)(launch * (3 * 5300 + 4300) + k * 5300);
            n += sprintf(text + n,
                         "op\t%u\t%u\tkernel\t1\t1\t%lu\t0\t-\t-\t1,1,1\t1,1,1\t0\t0\tspin\t%u\n"
                         "start\t%u\t%lu\t0\nend\t%u\t%lu\n",
                         op, call, ns, graph, op, start, op, start + 5000);
        }
        n += sprintf(text + n, "ret\t%u\t%lu\t0\n", call, ns + 10);
    }
    sprintf(text + n, "rangeend\t%u\t%lu\n", range, ns + 900000);
    r.timeline[r.length] = '\0';
    r.timeline = longer(r.timeline, text);
    r.costs[2] = longer(r.costs[2], "graph_launch_10 = 2510\ngraph_launch_60 = 2710\n"
                                    "graph_first_10 = 13510\ngraph_first_60 = 68710\n"
                                    "graph_launch_20_copies = 30550\n"
                                    "graph_instantiate_10 = 19000\ngraph_instantiate_60 = 94000\n"
                                    "graph_capture = 800\n"
                                    "condition_none = 860\ncondition_enter = 4860\n"
                                    "condition_again = 4160\ncondition_after = 3460\n");
    ck_assert_msg(make(&r, r.timeline, strlen(r.timeline)), "%s", error);
    ck_assert_uint_eq(m->gap_graph_node, 300);
    ck_assert_uint_eq(m->gap_graph_graph, 4600);
    ck_assert_uint_eq(m->gap_graph_condition, 4300);
    ck_assert_uint_eq(m->gap_graph_again, 3600);
    ck_assert_uint_eq(m->gap_graph_after, 2600);
    ck_assert_uint_eq(m->costs.graph_launch, 2470);
    ck_assert_uint_eq(m->costs.graph_launch_per_node, 4);
    ck_assert_uint_eq(m->costs.graph_launch_per_other, 1400);
    ck_assert_uint_eq(m->costs.graph_upload_per_node, 1100);
    ck_assert_uint_eq(m->costs.graph_instantiate, 4000);
    ck_assert_uint_eq(m->costs.graph_instantiate_per_node, 1500);
    ck_assert_uint_eq(m->costs.graph_capture, 800);
    ck_assert_uint_eq(m->traced.graph_launch, 0);
    release(&r);
}
END_TEST

/* Kernels that begin before what they depend on has ended, in pairs: the first lets the second go
 * 40 us after its start, which comes 900 ns later and ends 1300 ns after the first. */
START_TEST(dependent_kernels)
{
    Recorded r = recorded();
    Trace *t = trace_parse(r.timeline, r.length, error, sizeof error);
    ck_assert_ptr_nonnull(t);
    uint32_t op = t->n_ops, call = t->n_calls, range = t->n_ranges + 1;
    uint64_t ns = t->last_ns + 1000;
    trace_free(t);
    char text[2048];
    int n = sprintf(text, "range\t%u\t1\t%lu\tdependent\n", range, ns);
    for (int k = 0; k < 2; k++) {
        uint64_t start = ns + 9000 + (k ? 40900 : 0), end = ns + 69000 + (k ? 1300 : 0);
        op++;
        call++;
        n += sprintf(text + n,
                     "call\t%u\t1\tcudaLaunchKernelExC\t%lu\t-\n"
                     "op\t%u\t%u\tkernel\t1\t1\t%lu\t0\t-\t-\t1,1,1\t1,1,1\t0\t0\tspin\n"
                     "ret\t%u\t%lu\t0\nstart\t%u\t%lu\t0\nend\t%u\t%lu\n",
                     call, ns, op, call, ns, call, ns + 5, op, start, op, end);
    }
    sprintf(text + n, "rangeend\t%u\t%lu\n", range, ns + 900000);
    r.timeline[r.length] = '\0';
    r.timeline = longer(r.timeline, text);
    ck_assert_msg(make(&r, r.timeline, strlen(r.timeline)), "%s", error);
    ck_assert_uint_eq(calibration.model.gap_trigger, 900);
    ck_assert_uint_eq(calibration.model.gap_depend, 1300);
    release(&r);
}
END_TEST

/* The pageable bandwidth is that of large copies. Here most of them are said to have been smaller,
 * so slow for their size that they would be seen in the median. */
START_TEST(small_pageable_copies_do_not_count)
{
    static const char *const sizes[] = {"\t4194304\tpageable\tdevice",
                                        "\t8388608\tpageable\tdevice",
                                        "\t16777216\tpageable\tdevice"};
    Recorded r = recorded();
    unsigned changed = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (char *at; (at = strstr(r.timeline, sizes[i])); changed++) {
            size_t length = strcspn(at + 1, "\t");
            memset(at + 1, '0', length);
            memcpy(at + 1 + length - 7, "3145728", 7);
        }
    ck_assert_uint_ge(changed, 6);
    ck_assert_msg(make(&r, r.timeline, r.length), "%s", error);
    ck_assert_double_eq_tol(calibration.model.h2d_pageable.bytes_per_ns, 6.42, 0.3);
    release(&r);
}
END_TEST

/* What lies between two cards; and it counts whichever of several measurements had two. */
START_TEST(links)
{
    static Calibration of[3], all;
    Recorded one = recorded(), two = recorded_in(TWO);
    ck_assert_msg(make(&one, one.timeline, one.length), "%s", error);
    of[0] = of[2] = calibration;
    ck_assert(calibration.model.devices_measured == 0 && !calibration.model.gap_event_peer);
    ck_assert_double_eq_tol(calibration.model.p2p.bytes_per_ns, calibration.model.h2d.bytes_per_ns,
                            0.001);
    ck_assert_msg(make(&two, two.timeline, two.length), "%s", error);
    of[1] = calibration;
    const Model *m = &of[1].model;
    ck_assert_int_eq(m->devices_measured, 2);
    ck_assert_double_eq_tol(m->p2p.bytes_per_ns, 396.3, 1);
    ck_assert(m->p2p.fixed_ns > 1500 && m->p2p.fixed_ns < 2000);
    ck_assert_double_eq_tol(m->p2p_staged.bytes_per_ns, 38, 1);
    ck_assert(m->p2p_staged_factor > 0.7 && m->p2p_staged_factor < 0.85);
    ck_assert(m->gap_event_peer > m->gap_event && m->gap_p2p_target > m->gap_event_peer &&
              m->gap_p2p_target_next > m->gap_p2p_target);
    ck_assert(m->costs.memcpy_peer < m->costs.memcpy_peer_target &&
              m->costs.memcpy_peer_target < m->costs.memcpy_peer_staged);

    calibration_combine(&all, of, 3);
    ck_assert_double_eq_tol(all.model.p2p.bytes_per_ns, m->p2p.bytes_per_ns, 0.001);
    ck_assert_uint_eq(all.model.gap_p2p_target, m->gap_p2p_target);
    ck_assert_double_eq_tol(all.model.h2d.bytes_per_ns, of[0].model.h2d.bytes_per_ns, 0.001);
    ck_assert_ptr_nonnull(
        strstr(calibration_remark(&all, "copies", "p2p_bytes_per_ns"), "over the link"));
    release(&one);
    release(&two);
}
END_TEST

START_TEST(several_are_combined)
{
    static Calibration of[2], both;
    Recorded r = recorded();
    ck_assert_msg(make(&r, r.timeline, r.length), "%s", error);
    of[0] = of[1] = calibration;
    of[1].model.costs.launch = 1000;
    of[1].model.gap_event = of[0].model.gap_event + 100;
    calibration_combine(&both, of, 2);
    ck_assert_uint_eq(both.model.costs.launch, 1000);
    ck_assert_uint_eq(both.model.gap_event, of[0].model.gap_event + 50);
    ck_assert_ptr_nonnull(calibration_remark(&both, "copies", "staged_bytes"));
    release(&r);
}
END_TEST

/* What is missing is named. */
START_TEST(incomplete_measurements)
{
    Recorded r = recorded();
    char *range = strstr(r.timeline, "\twait\n"), *key;
    ck_assert_ptr_nonnull(range);
    memcpy(range, "\tlate\n", 6);
    ck_assert(!make(&r, r.timeline, r.length));
    ck_assert_msg(strstr(error, "the range \"wait\"") && !strchr(error, '\n'), "%s", error);
    memcpy(range, "\twait\n", 6);
    ck_assert(make(&r, r.timeline, r.length));

    key = strstr(r.properties, "sm_count");
    key[0] = 'x';
    ck_assert(!make(&r, r.timeline, r.length));
    ck_assert_msg(strstr(error, "the property \"sm_count\""), "%s", error);
    key[0] = 's';
    for (int i = 0; i < 5; i++) memcpy(strstr(r.traced[i], "launch"), "lunch ", 6);
    ck_assert(!make(&r, r.timeline, r.length));
    ck_assert_msg(strstr(error, "the measurement \"launch\""), "%s", error);
    release(&r);
}
END_TEST

START_TEST(no_text_at_all)
{
    Recorded r = recorded();
    r.properties[0] = '\0';
    for (int i = 0; i < 5; i++) r.costs[i][0] = r.traced[i][0] = '\0';
    ck_assert(!make(&r, "threelane\t1\n", 12));
    ck_assert(error[0] && !strchr(error, '\n'));
    release(&r);
}
END_TEST

/* Cut off and damaged: one line, or a model that can be written; never a crash. */
START_TEST(damaged_measurements)
{
    Recorded r = recorded();
    char *copy = malloc(r.length);
    uint64_t state = 1;
    ck_assert_ptr_nonnull(copy);
    for (size_t cut = 0; cut < r.length; cut += 4099) {
        bool fine = make(&r, r.timeline, cut);
        ck_assert(!fine && error[0] && !strchr(error, '\n'));
    }
    for (int round = 0; round < 150; round++) {
        memcpy(copy, r.timeline, r.length);
        for (int k = 0; k <= round % 32; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            copy[(state >> 33) % r.length] =
                k % 2 ? (char)(state >> 25) : (char)('0' + (state >> 25) % 10);
        }
        bool fine = make(&r, copy, r.length);
        ck_assert(fine || (error[0] && !strchr(error, '\n')));
    }
    /* numbers that are none, or far too large */
    static const char *const values[] = {"launch = 1e300\n", "launch = -5\n", "launch = many\n",
                                         "launch = \n", "launch\n"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (int k = 0; k < 5; k++) strcpy(r.costs[k], values[i]);
        ck_assert(!make(&r, r.timeline, r.length));
        ck_assert(error[0] && !strchr(error, '\n'));
    }
    free(copy);
    release(&r);
}
END_TEST

CASES("calibration")
