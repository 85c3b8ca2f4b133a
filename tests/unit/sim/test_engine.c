/* The engine, rule by rule on the textbook models, then against schedules measured on an H200, then
 * with random programs against the rules stated once more in the plainest way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/engine/chance.h"
#include "sim/engine/engine.h"
#include "tests/unit/cases.h"

enum { UNIT = 1000000, MAX_OPS = 4096 };

/* check reports every assertion to its parent; where there are millions, only a failure is worth
 * that. */
#define MUST(condition)                                   \
    do {                                                  \
        if (!(condition)) ck_abort_msg("%s", #condition); \
    } while (0)

static Engine *engine;
static Model model;

/* ---- a small language for programs ---- */

static void use(const char *name, int queues, uint64_t seed)
{
    char error[256];
    EngineConfig config = {.hardware_queues = queues, .seed = seed};
    ck_assert_msg(model_load(&model, name, error, sizeof error) == 0, "%s", error);
    engine_free(engine);
    engine = engine_new(&model, &config);
    ck_assert_ptr_nonnull(engine);
    ck_assert_uint_eq(engine_stream_new(engine, 0, TRACE_STREAM_LEGACY, 0), 1);
}

/* The same, with a model that the test has changed. */
static void use_changed(int queues)
{
    EngineConfig config = {.hardware_queues = queues};
    engine_free(engine);
    engine = engine_new(&model, &config);
    ck_assert_uint_eq(engine_stream_new(engine, 0, TRACE_STREAM_LEGACY, 0), 1);
}

static EngineStream stream(TraceStreamFlavour flavour)
{
    EngineStream s = engine_stream_new(engine, 0, flavour, 0);
    MUST(s != 0);
    return s;
}

static EngineOp submit_after(TraceOpKind kind, EngineStream s, uint64_t work, uint64_t now,
                             EngineOp after)
{
    EngineSubmit submit = {.kind = kind,
                           .stream = s,
                           .work_ns = work,
                           .after = &after,
                           .n_after = after != 0};
    EngineOp op = engine_submit(engine, &submit, now);
    MUST(op != 0);
    return op;
}
static EngineOp submit(TraceOpKind kind, EngineStream s, uint64_t work, uint64_t now)
{
    return submit_after(kind, s, work, now, 0);
}
static EngineOp h2d(EngineStream s) { return submit(TRACE_H2D, s, UNIT, 0); }
static EngineOp d2h(EngineStream s) { return submit(TRACE_D2H, s, UNIT, 0); }
static EngineOp kernel(EngineStream s) { return submit(TRACE_KERNEL, s, UNIT, 0); }
static EngineOp record_event(EngineStream s) { return submit(TRACE_RECORD, s, 0, 0); }
static EngineOp wait_event(EngineStream s, EngineOp event)
{
    return submit_after(TRACE_WAIT, s, 0, 0, event);
}

static EngineOp blocks(EngineStream s, uint32_t n, uint32_t per_sm, uint64_t work, uint64_t now)
{
    EngineSubmit op = {.kind = TRACE_KERNEL,
                       .stream = s,
                       .work_ns = work,
                       .blocks = n,
                       .blocks_per_sm = per_sm};
    return engine_submit(engine, &op, now);
}

static void run_until(uint64_t ns)
{
    EngineStep step;
    while (engine_next_ns(engine) <= ns && engine_next_ns(engine) != ENGINE_NEVER)
        engine_step(engine, &step);
}
static void run(void) { run_until(ENGINE_NEVER - 1); }

static double start(EngineOp op) { return (double)engine_op_start_ns(engine, op) / UNIT; }
static double end(EngineOp op) { return (double)engine_op_end_ns(engine, op) / UNIT; }

#define RUNS(op, from, to)                              \
    do {                                                \
        ck_assert_double_eq_tol(start(op), from, 1e-9); \
        ck_assert_double_eq_tol(end(op), to, 1e-9);     \
    } while (0)

/* "stream 3 2.0, engine 1 3.0": kind, by, until in units. */
static const char *causes(EngineOp op)
{
    static const char *const words[] = {"host",   "stream", "event", "legacy", "engine",
                                        "room",   "grids",  "queue", "driver", "latency",
                                        "memory", "pool",   "graph", "trigger"};
    static char text[4096];
    const EngineCause *list;
    uint32_t n = engine_causes(engine, op, &list);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n && used < sizeof text; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s %u %.1f", i ? ", " : "",
                             words[list[i].kind], list[i].by_op, (double)list[i].until_ns / UNIT);
    return text;
}

/* ---- the textbook pipeline ---- */

START_TEST(pipeline_takes_batches_plus_stages_minus_one)
{
    EngineOp ops[4][3];
    use("unit", 0, 0);
    for (int i = 0; i < 4; i++) {
        EngineStream s = stream(TRACE_STREAM_BLOCKING);
        ops[i][0] = h2d(s);
        ops[i][1] = kernel(s);
        ops[i][2] = d2h(s);
    }
    run();
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) RUNS(ops[i][k], i + k, i + k + 1);
    ck_assert_str_eq(causes(ops[0][0]), "host 0 0.0");
    ck_assert_str_eq(causes(ops[0][1]), "stream 1 1.0");
    ck_assert_str_eq(causes(ops[1][0]), "engine 1 1.0");
    ck_assert_str_eq(causes(ops[3][0]), "engine 7 3.0");
    ck_assert_str_eq(causes(ops[1][1]), "stream 4 2.0");
}
END_TEST

START_TEST(one_stream_is_sequential)
{
    EngineOp last = 0;
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING);
    for (int i = 0; i < 4; i++) h2d(s), kernel(s), last = d2h(s);
    run();
    RUNS(last, 11, 12);
    ck_assert(engine_idle(engine));
    ck_assert(engine_stream_idle(engine, s));
}
END_TEST

/* Depth-first the second H2D waits behind the first D2H; breadth-first the copies overlap the
 * kernels. */
START_TEST(one_copy_engine_serves_in_issue_order)
{
    EngineStream s[3];
    EngineOp in[3], out[3];
    use("one-copy-engine", 0, 0);
    for (int i = 0; i < 3; i++) s[i] = stream(TRACE_STREAM_BLOCKING);
    for (int i = 0; i < 3; i++) in[i] = h2d(s[i]), kernel(s[i]), out[i] = d2h(s[i]);
    run();
    RUNS(out[0], 2, 3);
    RUNS(in[1], 3, 4);
    RUNS(out[2], 8, 9);
    ck_assert_str_eq(causes(in[1]), "engine 3 3.0");

    use("one-copy-engine", 0, 0);
    for (int i = 0; i < 3; i++) s[i] = stream(TRACE_STREAM_BLOCKING);
    for (int i = 0; i < 3; i++) in[i] = h2d(s[i]);
    for (int i = 0; i < 3; i++) kernel(s[i]);
    for (int i = 0; i < 3; i++) out[i] = d2h(s[i]);
    run();
    RUNS(in[2], 2, 3);
    RUNS(out[0], 3, 4);
    RUNS(out[2], 5, 6);
}
END_TEST

START_TEST(copy_engine_by_readiness_lets_a_ready_copy_pass)
{
    use("one-copy-engine", 0, 0);
    for (int i = 0; i < model.n_engines; i++) model.engines[i].order = MODEL_BY_READY;
    use_changed(0);
    EngineStream a = stream(TRACE_STREAM_BLOCKING), b = stream(TRACE_STREAM_BLOCKING);
    kernel(a);
    EngineOp out = d2h(a), in = h2d(b);
    run();
    RUNS(in, 0, 1);
    RUNS(out, 1, 2);
}
END_TEST

START_TEST(two_copy_engines_of_a_class_share_the_work)
{
    use("one-copy-engine", 0, 0);
    model.engines[2] = model.engines[0];
    model.n_engines = 3;
    use_changed(0);
    EngineOp ops[3];
    for (int i = 0; i < 3; i++) ops[i] = h2d(stream(TRACE_STREAM_BLOCKING));
    run();
    RUNS(ops[0], 0, 1);
    RUNS(ops[1], 0, 1);
    RUNS(ops[2], 1, 2);
}
END_TEST

/* ---- events and markers ---- */

START_TEST(event_orders_two_streams_and_names_the_work)
{
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_BLOCKING), b = stream(TRACE_STREAM_BLOCKING);
    EngineOp producer = kernel(a), done = record_event(a), later = kernel(a);
    EngineOp wait = wait_event(b, done), consumer = kernel(b);
    run();
    RUNS(producer, 0, 1);
    RUNS(done, 1, 1);
    RUNS(wait, 1, 1);
    RUNS(consumer, 1, 2);
    RUNS(later, 1, 2);
    ck_assert_str_eq(causes(done), "stream 1 1.0");
    ck_assert_str_eq(causes(wait), "event 1 1.0");
    ck_assert_str_eq(causes(consumer), "event 1 1.0");
    ck_assert_str_eq(causes(later), "stream 1 1.0");
}
END_TEST

START_TEST(event_chain_names_the_work_that_decided)
{
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_BLOCKING), b = stream(TRACE_STREAM_BLOCKING);
    EngineStream c = stream(TRACE_STREAM_BLOCKING);
    kernel(a);
    EngineOp slow = kernel(a), event_a = record_event(a);
    kernel(b);
    wait_event(b, event_a);
    EngineOp event_b = record_event(b); /* stands for a's second kernel, not for b's own */
    wait_event(c, event_b);
    EngineOp last = kernel(c);
    run();
    RUNS(last, 2, 3);
    ck_assert_uint_eq(slow, 2);
    ck_assert_str_eq(causes(last), "event 2 2.0");
}
END_TEST

START_TEST(event_of_idle_stream_holds_nothing)
{
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_BLOCKING), b = stream(TRACE_STREAM_BLOCKING);
    EngineOp event = record_event(a);
    wait_event(b, event);
    EngineOp op = kernel(b);
    run();
    RUNS(op, 0, 1);
    ck_assert_str_eq(causes(op), "host 0 0.0");
}
END_TEST

START_TEST(all_waits_are_told_in_the_order_in_which_they_ended)
{
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_BLOCKING), b = stream(TRACE_STREAM_BLOCKING);
    EngineStream c = stream(TRACE_STREAM_BLOCKING);
    EngineOp busy = submit(TRACE_H2D, c, 4 * UNIT, 0);
    EngineOp first = submit(TRACE_KERNEL, a, 3 * UNIT, 0), event = record_event(a);
    EngineOp second = kernel(b);
    EngineOp copy = submit_after(TRACE_H2D, b, UNIT, 0, event);
    run();
    ck_assert(busy == 1 && first == 2 && second == 4);
    ck_assert_str_eq(causes(copy), "stream 4 1.0, event 2 3.0, engine 1 4.0");
    RUNS(copy, 4, 5);
}
END_TEST

START_TEST(long_chains_of_markers_stay_small)
{
    const EngineCause *list;
    EngineOp tail = 0;
    use("unit", 0, 0);
    EngineStream join = stream(TRACE_STREAM_NONBLOCKING);
    for (int i = 0; i < 500; i++) {
        EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
        submit(TRACE_KERNEL, s, UNIT * (uint64_t)(1 + i % 7), 0);
        wait_event(join, record_event(s));
    }
    tail = kernel(join);
    run();
    ck_assert_uint_le(engine_causes(engine, tail, &list), 40);
    ck_assert_uint_eq(list[engine_causes(engine, tail, &list) - 1].until_ns,
                      engine_op_start_ns(engine, tail));
}
END_TEST

/* ---- the legacy stream ---- */

/* The order of the launches, and what ran together, as traced on an H200. */
START_TEST(legacy_stream_is_a_barrier_both_ways)
{
    use("unit", 0, 0);
    EngineStream q0 = stream(TRACE_STREAM_BLOCKING), q1 = stream(TRACE_STREAM_BLOCKING);
    EngineStream apart = stream(TRACE_STREAM_NONBLOCKING), own = stream(TRACE_STREAM_PER_THREAD);
    EngineOp a = submit(TRACE_KERNEL, q0, 5 * UNIT, 0),
             legacy = submit(TRACE_KERNEL, 1, 3 * UNIT, 0);
    EngineOp b = submit(TRACE_KERNEL, q1, 4 * UNIT, 0),
             c = submit(TRACE_KERNEL, apart, 6 * UNIT, 0);
    EngineOp d = submit(TRACE_KERNEL, q0, 2 * UNIT, 0), f = submit(TRACE_KERNEL, own, UNIT, 0);
    ck_assert(!engine_stream_idle(engine, 1));
    run();
    RUNS(a, 0, 5);
    RUNS(c, 0, 6);
    RUNS(legacy, 5, 8);
    RUNS(b, 8, 12);
    RUNS(d, 8, 10);
    RUNS(f, 8, 9);
    ck_assert_str_eq(causes(legacy), "legacy 1 5.0");
    ck_assert_str_eq(causes(b), "legacy 2 8.0");
    ck_assert_str_eq(causes(d), "stream 1 5.0, legacy 2 8.0");
    ck_assert(engine_stream_idle(engine, 1));
}
END_TEST

START_TEST(legacy_tail_covers_every_blocking_stream)
{
    use("unit", 0, 0);
    EngineStream s[3] = {stream(TRACE_STREAM_BLOCKING), stream(TRACE_STREAM_BLOCKING),
                         stream(TRACE_STREAM_NONBLOCKING)};
    ck_assert_uint_eq(engine_stream_tail(engine, 1), 0);
    EngineOp a = submit(TRACE_KERNEL, s[0], 3 * UNIT, 0);
    ck_assert_uint_eq(engine_stream_tail(engine, 1), a);
    EngineOp b = submit(TRACE_KERNEL, s[1], UNIT, 0);
    submit(TRACE_KERNEL, s[2], 9 * UNIT, 0);
    EngineOp tail = engine_stream_tail(engine, 1);
    ck_assert_uint_eq(engine_stream_tail(engine, 1), tail);
    EngineOp after = submit_after(TRACE_KERNEL, s[2], UNIT, 0, tail);
    EngineStream t = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp behind = submit_after(TRACE_KERNEL, t, UNIT, 0, tail);
    run_until(UNIT);
    ck_assert(engine_op_ended(engine, b) && !engine_op_ended(engine, tail));
    ck_assert(!engine_stream_idle(engine, 1));
    run_until(3 * UNIT);
    ck_assert(engine_op_ended(engine, tail));
    ck_assert_double_eq(end(tail), 3);
    ck_assert(engine_stream_idle(engine, 1) && !engine_device_idle(engine, 0));
    run();
    RUNS(behind, 3, 4);
    RUNS(after, 9, 10);
    ck_assert(engine_device_idle(engine, 0));
}
END_TEST

START_TEST(thousands_of_streams_and_legacy_work_are_cheap)
{
    enum { STREAMS = 4000 };
    EngineOp last = 0;
    use("unit", 0, 0);
    for (int i = 0; i < STREAMS; i++) kernel(stream(TRACE_STREAM_BLOCKING));
    for (int i = 0; i < 2000; i++) last = kernel(1);
    run();
    ck_assert_double_eq(end(last), (STREAMS + 127) / 128 + 2000);
}
END_TEST

/* ---- kernels ---- */

START_TEST(at_most_128_grids_are_resident)
{
    EngineOp ops[200];
    use("unit", 0, 0);
    for (int i = 0; i < 200; i++) ops[i] = kernel(stream(TRACE_STREAM_NONBLOCKING));
    run();
    for (int i = 0; i < 200; i++) RUNS(ops[i], i / 128, i / 128 + 1);
    ck_assert_str_eq(causes(ops[128]), "grids 128 1.0");
    ck_assert_str_eq(causes(ops[127]), "host 0 0.0");
}
END_TEST

/* Room as on a card of 16 multiprocessors: two kernels of half the device run together, a third
 * waits. */
START_TEST(kernels_share_room)
{
    use("classroom", 0, 0);
    EngineOp a = blocks(stream(TRACE_STREAM_NONBLOCKING), 8 * 4, 4, 3 * UNIT, 0);
    EngineOp b = blocks(stream(TRACE_STREAM_NONBLOCKING), 8 * 4, 4, 5 * UNIT, 0);
    EngineOp c = blocks(stream(TRACE_STREAM_NONBLOCKING), 16 * 4, 4, 2 * UNIT, 0);
    EngineOp d = blocks(stream(TRACE_STREAM_NONBLOCKING), 1, 4, UNIT, 0);
    run();
    RUNS(a, 0, 3);
    RUNS(b, 0, 5);
    RUNS(c, 3, 7); /* half its blocks at 3, the other half when those are through, as b still runs
                    */
    RUNS(d, 5, 6); /* not before all blocks of c are in */
    ck_assert_str_eq(causes(c), "room 1 3.0");
    ck_assert_str_eq(causes(d), "room 3 5.0");
}
END_TEST

START_TEST(a_large_kernel_goes_in_waves)
{
    use("classroom", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp even = blocks(s, 16 * 4 * 6, 4, UNIT, 0), odd = blocks(s, 16 * 4 * 2 + 1, 4, UNIT, 0);
    EngineOp alone = blocks(s, 1u << 20, 32, UNIT / 10, 0);
    run();
    RUNS(even, 0, 6);
    RUNS(odd, 6, 9);
    RUNS(alone, 9, 9 + (1 << 20) / (16 * 32) * 0.1);
}
END_TEST

START_TEST(urgent_kernel_gets_in_at_the_next_wave)
{
    use("classroom", 0, 0);
    EngineStream low = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    EngineStream high = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, -9); /* clamped */
    EngineOp slow = blocks(low, 16 * 4 * 6, 4, UNIT, 0);
    EngineOp other = blocks(stream(TRACE_STREAM_NONBLOCKING), 1, 4, UNIT, UNIT / 4);
    EngineOp urgent = blocks(high, 16, 4, UNIT, UNIT / 2);
    run();
    RUNS(urgent, 1, 2);
    RUNS(slow, 0, 7); /* the urgent kernel displaced a quarter of a wave */
    RUNS(other, 6, 7);
    ck_assert_str_eq(causes(urgent), "room 1 1.0");
}
END_TEST

START_TEST(memset_and_device_copies_wait_for_room)
{
    use("classroom", 0, 0);
    EngineOp full = blocks(stream(TRACE_STREAM_NONBLOCKING), 16, 1, 3 * UNIT, 0);
    EngineSubmit set = {.kind = TRACE_MEMSET,
                        .stream = stream(TRACE_STREAM_NONBLOCKING),
                        .work_ns = UNIT,
                        .blocks = 4,
                        .blocks_per_sm = 1};
    EngineOp memset_op = engine_submit(engine, &set, 0);
    EngineOp copy = submit(TRACE_D2D, stream(TRACE_STREAM_NONBLOCKING), UNIT, 0);
    run();
    RUNS(full, 0, 3);
    RUNS(memset_op, 3, 4);
    RUNS(copy, 3, 4); /* needs no room, but goes behind what does */
}
END_TEST

START_TEST(open_kernel_is_told_its_time_when_it_starts)
{
    EngineStep step;
    use("classroom", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp open = blocks(s, 16 * 8, 4, ENGINE_OPEN, 0), behind = kernel(s);
    EngineOp third = blocks(stream(TRACE_STREAM_NONBLOCKING), 16 * 4, 4, UNIT, 0);
    ck_assert(engine_step(engine, &step) && step.op == open && step.what == ENGINE_STARTED);
    ck_assert(!engine_step(engine, &step));
    engine_set_work(engine, open, 2 * UNIT);
    engine_set_work(engine, open, 7 * UNIT); /* only the first counts */
    run();
    RUNS(open, 0, 4);
    RUNS(behind, 4, 5);
    RUNS(third, 4, 5);
}
END_TEST

START_TEST(open_kernel_ends_when_it_is_told_to)
{
    EngineStep step;
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp spinning = submit(TRACE_KERNEL, s, ENGINE_OPEN, 0), behind = kernel(s);
    EngineOp other = kernel(stream(TRACE_STREAM_NONBLOCKING));
    run();
    RUNS(other, 0, 1);
    ck_assert(!engine_op_ended(engine, spinning));
    ck_assert_uint_eq(engine_next_ns(engine), ENGINE_NEVER);
    engine_finish(engine, spinning, UNIT / 2); /* in the past: now */
    ck_assert(engine_step(engine, &step) && step.op == spinning && step.what == ENGINE_ENDED &&
              step.ns == UNIT);
    run();
    RUNS(behind, 1, 2);
}
END_TEST

/* ---- host functions ---- */

START_TEST(host_functions_run_one_at_a_time_and_hold_their_stream)
{
    EngineStep step;
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    kernel(a);
    EngineOp f = submit(TRACE_HOSTFN, a, ENGINE_OPEN, 0), behind = kernel(a);
    kernel(b);
    EngineOp g = submit(TRACE_HOSTFN, b, ENGINE_OPEN, 0);
    while (engine_next_ns(engine) != ENGINE_NEVER)
        if (engine_step(engine, &step) && step.what == ENGINE_STARTED &&
            (step.op == f || step.op == g)) {
            ck_assert_uint_eq(step.engine, engine_count(engine));
            engine_finish(engine, step.op, step.ns + 2 * UNIT);
        }
    RUNS(f, 1, 3);
    RUNS(g, 3, 5);
    RUNS(behind, 3, 4);
    ck_assert_str_eq(causes(g), "stream 4 1.0, driver 2 3.0");
}
END_TEST

/* ---- hardware queues ---- */

START_TEST(streams_that_share_a_queue_get_false_dependencies)
{
    use("unit", 1, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp a1 = kernel(a), a2 = kernel(a), b1 = kernel(b), b2 = kernel(b);
    run();
    RUNS(a1, 0, 1);
    RUNS(a2, 1, 2);
    RUNS(b1, 1, 2);
    RUNS(b2, 2, 3);
    ck_assert_str_eq(causes(b1), "queue 2 1.0");

    use("unit", 8, 0);
    a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    a1 = kernel(a), a2 = kernel(a), b1 = kernel(b), b2 = kernel(b);
    run();
    RUNS(b1, 0, 1);
    RUNS(b2, 1, 2);
}
END_TEST

/* All of these as measured on an H200 with CUDA_DEVICE_MAX_CONNECTIONS=1: A is a kernel of 3 ms,
 * other work short. */
START_TEST(what_stands_in_a_hardware_queue)
{
    EngineStream a, b, c;
    EngineOp op, other;
#define ONE_QUEUE()                                                              \
    (use("unit", 1, 0), a = stream(TRACE_STREAM_NONBLOCKING),                    \
     b = stream(TRACE_STREAM_NONBLOCKING), c = stream(TRACE_STREAM_NONBLOCKING), \
     submit(TRACE_KERNEL, a, 3 * UNIT, 0))
    /* copies of one direction stand behind one another, those of the other direction do not */
    ONE_QUEUE(), h2d(a), op = h2d(b), run();
    RUNS(op, 4, 5);
    ck_assert_str_eq(causes(op), "queue 2 3.0, engine 2 4.0");
    ONE_QUEUE(), d2h(a), op = d2h(b), run();
    RUNS(op, 4, 5);
    ONE_QUEUE(), d2h(a), op = h2d(b), run();
    RUNS(op, 0, 1);
    /* kernels do not stand behind copies, but behind sets and copies inside the device */
    ONE_QUEUE(), h2d(a), op = kernel(b), run();
    RUNS(op, 0, 1);
    ONE_QUEUE(), submit(TRACE_MEMSET, a, UNIT, 0), op = kernel(b), run();
    RUNS(op, 3, 4);
    ONE_QUEUE(), submit(TRACE_D2D, a, UNIT, 0), op = kernel(b), run();
    RUNS(op, 3, 4);
    /* records and waits stand nowhere; what follows a wait does */
    ONE_QUEUE(), record_event(a), op = kernel(b), run();
    RUNS(op, 0, 1);
    ONE_QUEUE(), wait_event(b, record_event(a)), h2d(b), op = kernel(c), run();
    RUNS(op, 0, 1);
    ONE_QUEUE(), wait_event(b, record_event(a)), other = kernel(b), op = kernel(c), run();
    RUNS(other, 3, 4);
    RUNS(op, 3, 4);
    ck_assert_str_eq(causes(op), "queue 4 3.0");
}
END_TEST

static void run_with_functions_of_one_unit(void)
{
    EngineStep step;
    while (engine_next_ns(engine) != ENGINE_NEVER)
        if (engine_step(engine, &step) && step.what == ENGINE_STARTED &&
            step.engine == engine_count(engine))
            engine_finish(engine, step.op, step.ns + UNIT);
}

START_TEST(a_host_function_leaves_its_queue_when_the_stream_reaches_it)
{
    EngineStream a, b, c;
    EngineOp f, g, op;
    ONE_QUEUE(), f = submit(TRACE_HOSTFN, a, ENGINE_OPEN, 0), op = kernel(c);
    run_with_functions_of_one_unit();
    RUNS(f, 3, 4);
    RUNS(op, 3, 4);
    ONE_QUEUE(), f = submit(TRACE_HOSTFN, b, ENGINE_OPEN, 0),
                 g = submit(TRACE_HOSTFN, c, ENGINE_OPEN, 0);
    op = kernel(stream(TRACE_STREAM_NONBLOCKING));
    run_with_functions_of_one_unit();
    RUNS(f, 0, 1);
    RUNS(g, 1, 2);
    RUNS(op, 0, 1);
    ONE_QUEUE(), submit(TRACE_HOSTFN, a, ENGINE_OPEN, 0),
        g = submit(TRACE_HOSTFN, b, ENGINE_OPEN, 0), op = kernel(b);
    run_with_functions_of_one_unit();
    RUNS(g, 0, 1);
    RUNS(op, 3, 4);
}
END_TEST

/* ---- copies of both directions, copies without an engine, several devices ---- */

START_TEST(copies_slow_each_other_down)
{
    use("unit", 0, 0);
    model.duplex_factor = 0.5;
    model.duplex_factor_d2h = 0.8;
    use_changed(0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp in = submit(TRACE_H2D, a, 4 * UNIT, 0), out = submit(TRACE_D2H, b, 2 * UNIT, 2 * UNIT);
    run();
    RUNS(out, 2, 4.5); /* 0.8 of its rate for 2 units of work */
    RUNS(in, 0, 5.25); /* 2 alone, 2.5 at half rate do 1.25, 0.75 are left */
}
END_TEST

START_TEST(duplex_retiming_never_loses_work)
{
    enum { N = 40 };
    EngineOp ops[N];
    uint64_t work[N];
    use("h200", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    for (int i = 0; i < N; i++) {
        work[i] = 1000 + (uint64_t)(i * 7919 % 4001);
        ops[i] = submit(i % 2 ? TRACE_D2H : TRACE_H2D, i % 2 ? b : a, work[i], 0);
    }
    run();
    for (int i = 0; i < N; i++) {
        uint64_t lasted = engine_op_end_ns(engine, ops[i]) - engine_op_start_ns(engine, ops[i]);
        ck_assert_uint_ge(lasted, work[i]);
        ck_assert_uint_le(lasted,
                          (uint64_t)((double)(work[i] + (i % 2 ? model.duplex_fixed_d2h : 0)) /
                                     0.9) +
                              1);
    }
}
END_TEST

/* What the other direction costs whatever the size is paid once, also by a copy that meets two
 * others. */
START_TEST(beside_another_direction_a_copy_pays_once)
{
    use("unit", 0, 0);
    model.duplex_fixed_d2h = UNIT / 2;
    use_changed(0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp out = submit(TRACE_D2H, b, 6 * UNIT, 0);
    EngineOp one = submit(TRACE_H2D, a, UNIT, UNIT), two = submit(TRACE_H2D, a, UNIT, 3 * UNIT);
    EngineOp alone = submit(TRACE_D2H, b, UNIT, 9 * UNIT);
    run();
    RUNS(one, 1, 2);
    RUNS(two, 3, 4);
    RUNS(out, 0, 6.5);
    RUNS(alone, 9, 10);
}
END_TEST

/* Between two copies of one engine: what it needs to turn to another stream, and while the other
 * direction runs. */
START_TEST(an_engine_needs_time_between_copies)
{
    use("unit", 0, 0);
    model.gap_copy_copy = UNIT / 10;
    model.gap_copy_stream = UNIT / 5;
    model.gap_copy_beside_d2h = UNIT / 2;
    use_changed(0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineStream c = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp first = submit(TRACE_D2H, a, UNIT, 0), same = submit(TRACE_D2H, a, UNIT, 0);
    EngineOp other = submit(TRACE_D2H, b, UNIT, 3 * UNIT / 2);
    EngineOp in = submit(TRACE_H2D, c, 5 * UNIT, 5 * UNIT),
             beside = submit(TRACE_D2H, a, UNIT, 5 * UNIT);
    EngineOp both = submit(TRACE_D2H, b, UNIT, 5 * UNIT);
    run();
    RUNS(first, 0, 1);
    RUNS(same, 1.1, 2.1);
    RUNS(other, 2.3, 3.3);
    RUNS(in, 5, 10);
    RUNS(beside, 5, 6);
    RUNS(both, 6.6, 7.6);
}
END_TEST

/* An engine by stream takes the next copy of the stream at hand, if it is there by then, before
 * what was ready first. */
START_TEST(an_engine_by_stream_stays_with_it)
{
    for (int by_stream = 0; by_stream < 2; by_stream++) {
        use("unit", 0, 0);
        for (int i = 0; i < model.n_engines; i++)
            model.engines[i].order = by_stream ? MODEL_BY_STREAM : MODEL_BY_READY;
        use_changed(0);
        EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
        EngineOp one = submit(TRACE_H2D, a, UNIT, 0), other = submit(TRACE_H2D, b, UNIT, 0);
        EngineOp two = submit(TRACE_H2D, a, UNIT, UNIT / 2);
        run();
        RUNS(one, 0, 1);
        RUNS(two, by_stream ? 1 : 2, by_stream ? 2 : 3);
        RUNS(other, by_stream ? 2 : 1, by_stream ? 3 : 2);
    }
}
END_TEST

/* A copy in pieces neither waits for its engine nor holds it; its stream goes on when it has
 * ended. */
START_TEST(copies_in_pieces_let_others_between)
{
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineSubmit pieces = {.kind = TRACE_H2D, .stream = a, .work_ns = 4 * UNIT, .in_pieces = true};
    EngineOp slow = engine_submit(engine, &pieces, 0);
    EngineOp one = submit(TRACE_H2D, b, UNIT, UNIT), two = submit(TRACE_H2D, b, 5 * UNIT, UNIT);
    EngineOp kernel = submit(TRACE_KERNEL, a, UNIT, UNIT);
    run();
    RUNS(slow, 0, 4);
    RUNS(one, 1, 2);
    RUNS(two, 2, 7);
    RUNS(kernel, 4, 5);
}
END_TEST

START_TEST(host_to_host_copies_need_no_engine)
{
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp k = kernel(a), x = submit(TRACE_H2H, a, UNIT, 0), y = submit(TRACE_H2H, b, UNIT, 0);
    EngineOp z = submit(TRACE_H2H, stream(TRACE_STREAM_NONBLOCKING), 0, 0);
    run();
    RUNS(k, 0, 1);
    RUNS(x, 1, 2);
    RUNS(y, 0, 1);
    RUNS(z, 0, 0);
}
END_TEST

START_TEST(peer_copies_run_on_the_source)
{
    use("unit", 0, 0);
    model.devices = 2;
    use_changed(0);
    EngineStream legacy = engine_stream_new(engine, 1, TRACE_STREAM_LEGACY, 0);
    EngineStream zero = engine_stream_new(engine, 0, TRACE_STREAM_BLOCKING, 0);
    EngineStream one = engine_stream_new(engine, 1, TRACE_STREAM_BLOCKING, 0);
    EngineOp out = d2h(zero), far = d2h(one);
    EngineSubmit peer = {.kind = TRACE_P2P,
                         .stream = engine_stream_new(engine, 1, TRACE_STREAM_BLOCKING, 0),
                         .work_ns = UNIT,
                         .copies_from = 1};
    EngineOp pull = engine_submit(engine, &peer, 0);
    EngineOp other = submit(TRACE_KERNEL, legacy, UNIT, 0);

    run();
    RUNS(out, 0, 1);
    RUNS(far, 0, 1);
    RUNS(pull, 1, 2);
    RUNS(other, 2, 3); /* the barrier is the device's own */
    ck_assert_uint_eq(engine_count(engine), 9);
    TraceEngine it = engine_describe(engine, 4);
    ck_assert(it.device == 2 && it.class_ == TRACE_ENGINE_H2D && !it.to);
    ck_assert_str_eq(it.name, "H2D copy");
    it = engine_describe(engine, 9);
    ck_assert(it.device == 0 && it.class_ == TRACE_ENGINE_HOST);
}
END_TEST

/* A path for each direction of each pair: two copies of one direction take turns, whichever
 * device's streams they are in, and nothing else shares it. */
START_TEST(links_are_one_path_a_direction)
{
    use("unit", 0, 0);
    model.devices = 3;
    use_changed(0);
    EngineStream zero = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    EngineStream more = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    EngineStream again = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    EngineStream one = engine_stream_new(engine, 1, TRACE_STREAM_NONBLOCKING, 0);
    EngineSubmit peer = {.kind = TRACE_P2P, .work_ns = UNIT};
    static const struct {
        uint32_t from, to;
    } path[] = {{1, 2}, {2, 1}, {1, 3}, {1, 2}};
    EngineStream stream_of[] = {zero, more, again, one};
    EngineOp ops[4];

    for (int i = 0; i < 4; i++) {
        peer.stream = stream_of[i];
        peer.copies_from = path[i].from;
        peer.copies_to = path[i].to;
        ops[i] = engine_submit(engine, &peer, 0);
    }
    EngineOp out = d2h(engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0));
    run();
    for (int i = 0; i < 3; i++) RUNS(ops[i], 0, 1);
    RUNS(out, 0, 1);
    RUNS(ops[3], 1, 2);
    const EngineCause *list;
    ck_assert_uint_ge(engine_causes(engine, ops[3], &list), 1);
    ck_assert(list[0].kind == TRACE_BY_ENGINE && list[0].by_op == ops[0]);

    /* nine of the devices, six links, the host's */
    ck_assert_uint_eq(engine_count(engine), 16);
    static const struct {
        uint32_t from, to;
    } all[] = {{1, 2}, {1, 3}, {2, 1}, {2, 3}, {3, 1}, {3, 2}};
    for (uint32_t i = 0; i < 6; i++) {
        TraceEngine it = engine_describe(engine, 10 + i);
        ck_assert(it.class_ == TRACE_ENGINE_LINK);
        ck_assert(it.device == all[i].from && it.to == all[i].to);
    }
}
END_TEST

/* Where the links of a device share its port, copies from one device to several have a part of it
 * each, as have those from several to one; other pairs have theirs. */
START_TEST(links_share_a_port)
{
    static const struct {
        uint32_t from, to;
        double begins, lasts;
    } copies[] = {{1, 2, 0, 2}, {1, 3, 0, 2}, {4, 3, 0, 2}, {3, 4, 0, 1}, {2, 1, 2, 1}};
    EngineOp ops[5];
    use("unit", 0, 0);
    model.devices = 4;
    model.p2p_ports = true;
    use_changed(0);
    for (int i = 0; i < 5; i++)
        ops[i] =
            engine_submit(engine,
                          &(EngineSubmit){.kind = TRACE_P2P,
                                          .work_ns = UNIT,
                                          .stream =
                                              engine_stream_new(engine, (int)copies[i].from - 1,
                                                                TRACE_STREAM_NONBLOCKING, 0),
                                          .copies_from = copies[i].from,
                                          .copies_to = copies[i].to,
                                          .after = &ops[0],
                                          .n_after = copies[i].begins > 0},
                          0);
    run();
    for (int i = 0; i < 5; i++) RUNS(ops[i], copies[i].begins, copies[i].begins + copies[i].lasts);
}
END_TEST

/* Through the host they share its memory, whichever way they go. */
START_TEST(staged_copies_slow_each_other_down)
{
    use("unit", 0, 0);
    model.devices = 2;
    model.p2p_staged_factor = 0.5;
    use_changed(0);
    EngineSubmit peer = {.kind = TRACE_P2P, .work_ns = 2 * UNIT};
    peer.stream = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    peer.copies_from = 1;
    EngineOp there = engine_submit(engine, &peer, 0);
    peer.stream = engine_stream_new(engine, 1, TRACE_STREAM_NONBLOCKING, 0);
    peer.copies_from = 2;
    EngineOp back = engine_submit(engine, &peer, UNIT);
    peer.stream = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    peer.copies_from = 1;
    peer.copies_to = 2;
    EngineOp link = engine_submit(engine, &peer, UNIT);
    run();
    RUNS(there, 0, 3); /* 1 alone, the other 1 at half the rate */
    RUNS(back, 1, 4);  /* 2 at half the rate are 1, and 1 alone */
    RUNS(link, 1, 3);
}
END_TEST

/* From one device's event to another device's kernel it takes longer than to its own. */
START_TEST(an_event_takes_longer_between_devices)
{
    use("unit", 0, 0);
    model.devices = 2;
    model.gap_event = UNIT / 4;
    model.gap_event_peer = UNIT / 2;
    use_changed(0);
    EngineStream from = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    EngineStream near = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    EngineStream far = engine_stream_new(engine, 1, TRACE_STREAM_NONBLOCKING, 0);
    EngineOp first = submit(TRACE_KERNEL, from, UNIT, 0);
    EngineSubmit later = {.kind = TRACE_KERNEL, .work_ns = UNIT, .after = &first, .n_after = 1};
    later.stream = near;
    EngineOp own = engine_submit(engine, &later, 0);
    later.stream = far;
    EngineOp other = engine_submit(engine, &later, 0);
    run();
    RUNS(own, 1.25, 2.25);
    RUNS(other, 1.5, 2.5);
}
END_TEST

/* ---- the interface ---- */

START_TEST(released_streams_finish)
{
    EngineSubmit op = {.kind = TRACE_KERNEL, .work_ns = UNIT};
    use("unit", 0, 0);
    op.stream = stream(TRACE_STREAM_BLOCKING);
    EngineOp k = engine_submit(engine, &op, 0);
    engine_stream_release(engine, op.stream);
    ck_assert_uint_eq(engine_submit(engine, &op, 0), 0);
    run();
    RUNS(k, 0, 1);
    op.stream = 77;
    ck_assert_uint_eq(engine_submit(engine, &op, 0), 0);
    ck_assert_uint_eq(engine_stream_new(engine, 1, TRACE_STREAM_BLOCKING, 0), 0);
}
END_TEST

START_TEST(steps_come_in_order_and_ends_before_starts)
{
    EngineStep step, seen[16];
    int n = 0;
    use("unit", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    kernel(b), kernel(a), record_event(a), kernel(a), kernel(b);
    while (engine_next_ns(engine) != ENGINE_NEVER && n < 16)
        if (engine_step(engine, &step)) {
            seen[n++] = step;
            ck_assert(engine_op_ended(engine, step.op) == (step.what == ENGINE_ENDED));
        }
    ck_assert_int_eq(n, 10);
    static const struct {
        EngineWhat what;
        EngineOp op;
        int at;
    } expected[10] = {
        {ENGINE_STARTED, 1, 0}, {ENGINE_STARTED, 2, 0}, {ENGINE_ENDED, 1, 1},
        {ENGINE_ENDED, 2, 1},   {ENGINE_STARTED, 3, 1}, {ENGINE_STARTED, 5, 1},
        {ENGINE_ENDED, 3, 1},   {ENGINE_STARTED, 4, 1}, {ENGINE_ENDED, 4, 2},
        {ENGINE_ENDED, 5, 2},
    };
    for (int i = 0; i < 10; i++)
        ck_assert(seen[i].what == expected[i].what && seen[i].op == expected[i].op &&
                  seen[i].ns == (uint64_t)expected[i].at * UNIT);
}
END_TEST

START_TEST(what_is_issued_late_starts_late_because_of_the_host)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    kernel(s);
    EngineOp late = submit(TRACE_KERNEL, s, UNIT, 5 * UNIT);
    run();
    RUNS(late, 5, 6);
    ck_assert_str_eq(causes(late), "host 0 5.0");
}
END_TEST

START_TEST(gaps_delay_and_are_told)
{
    use("unit", 0, 0);
    model.gap_kernel_copy = UNIT / 2;
    model.gap_event = UNIT;
    model.issue_latency = UNIT / 10;
    model.gap_copy_copy = UNIT / 5;
    use_changed(0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp k = kernel(a), event = record_event(a), out = d2h(a);
    EngineOp cross = submit_after(TRACE_KERNEL, b, UNIT, 0, event);
    EngineOp x = h2d(stream(TRACE_STREAM_NONBLOCKING)), y = h2d(stream(TRACE_STREAM_NONBLOCKING));
    run();
    RUNS(k, 0.1, 1.1);
    RUNS(out, 1.6, 2.6);
    RUNS(cross, 2.1, 3.1);
    RUNS(x, 0.1, 1.1);
    RUNS(y, 1.3, 2.3);
    ck_assert_str_eq(causes(k), "host 0 0.0, latency 0 0.1");
    ck_assert_str_eq(causes(out), "stream 1 1.1, latency 1 1.6");
    ck_assert_str_eq(causes(cross), "event 1 1.1, latency 1 2.1");
    ck_assert_str_eq(causes(y), "latency 0 0.1, engine 5 1.1, latency 5 1.3");
}
END_TEST

START_TEST(residents_go_on_when_a_more_urgent_kernel_has_no_slot)
{
    use("unit", 0, 0);
    model.room_limited = true;
    model.sm_count = 1;
    model.resident_grids = 2;
    use_changed(0);
    EngineStream low = stream(TRACE_STREAM_NONBLOCKING);
    EngineStream middle = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, -1);
    EngineStream high = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, -2);
    EngineOp a = blocks(low, 2, 1, UNIT, 0), b = blocks(middle, 2, 1, UNIT, UNIT / 2);
    EngineOp c = blocks(high, 1, 1, UNIT, 3 * UNIT / 2);
    run();
    RUNS(b, 1, 3); /* both slots are taken by kernels that still have blocks to run */
    RUNS(c, 3, 4);
    RUNS(a, 0, 5);
    ck_assert_str_eq(causes(c), "grids 2 3.0");
}
END_TEST

START_TEST(seed_changes_only_what_is_open)
{
    bool differs = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        EngineOp ops[8];
        use("unit", 0, seed);
        for (int i = 0; i < 8; i++) ops[i] = h2d(stream(TRACE_STREAM_NONBLOCKING));
        EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
        EngineOp first = kernel(s), second = kernel(s);
        run();
        for (int i = 0; i < 8; i++) differs |= start(ops[i]) != i;
        if (seed == 0) ck_assert(!differs);
        if (seed == 0) {
            RUNS(first, 0, 1);
            RUNS(second, 1, 2);
        }
        ck_assert(start(second) >= end(first)); /* the order of a stream is never open */
        for (int i = 0; i < 8; i++) {
            ck_assert(end(ops[i]) - start(ops[i]) > 0.33 && end(ops[i]) - start(ops[i]) < 3.01);
            for (int k = 0; k < i; k++)
                ck_assert(start(ops[i]) >= end(ops[k]) || start(ops[k]) >= end(ops[i]));
        }
    }
    ck_assert(differs);
}
END_TEST

/* On a device that was measured, durations stay within what measurements vary by. */
START_TEST(seed_keeps_to_what_was_measured)
{
    bool differs = false;
    for (uint64_t seed = 1; seed < 40; seed++) {
        EngineConfig config = {.seed = seed};
        use("unit", 0, seed);
        model.exact = false;
        engine_free(engine);
        engine = engine_new(&model, &config);
        engine_stream_new(engine, 0, TRACE_STREAM_LEGACY, 0);
        EngineOp op = h2d(stream(TRACE_STREAM_NONBLOCKING));
        run();
        double took = end(op) - start(op);
        ck_assert(took >= 0.979 && took <= 1.021);
        differs |= took < 0.9999 || took > 1.0001;
    }
    ck_assert(differs);
}
END_TEST

START_TEST(chances_are_the_same_everywhere)
{
    ck_assert_uint_eq(chance(1, CHANCE_RANK, 1), 0xe220a8397b1dcdafu);
    ck_assert_uint_eq(chance_duration(0, 5, 1000, true, false), 1000);
    ck_assert_uint_eq(chance_delay(0, CHANCE_CALL, 5, 1000), 0);
    for (uint64_t seed = 1; seed < 200; seed++)
        for (uint64_t i = 0; i < 50; i++) {
            uint64_t most = chance_duration(seed, i, 3000, true, false);
            uint64_t run = chance_duration(seed, i, 3000, true, true);
            MUST(most >= 1000 && most <= 9010 && run >= 3000 && run <= 3060);
            MUST(chance_delay(seed, CHANCE_CALL, i, 777) <= 777);
        }
}
END_TEST

/* ---- against the H200 ---- */

enum { MIB = 1 << 20 };

static EngineOp copy_at(TraceOpKind kind, EngineStream s, uint64_t bytes, double us)
{
    return submit(kind, s, model_copy_ns(&model, kind, false, bytes), (uint64_t)(us * 1000));
}
static EngineOp kernel_at(EngineStream s, uint32_t n, uint32_t per_sm, double block_us, double us)
{
    return blocks(s, n, per_sm, (uint64_t)(block_us * 1000), (uint64_t)(us * 1000));
}
static double us(uint64_t ns) { return (double)ns / 1000; }
#define START_US(op) us(engine_op_start_ns(engine, op))
#define END_US(op) us(engine_op_end_ns(engine, op))
#define WITHIN(value, measured, percent) \
    ck_assert_double_eq_tol(value, measured, (measured) * (percent) / 100.0)

/* Four batches of 64 MiB in four streams, depth first; the kernel (65536 blocks of 256 threads: 63
 * waves) is as long as a copy. Times are microseconds from the first call; calls return at the
 * times given. */
START_TEST(h200_pipeline_of_four)
{
    static const double returns[12] = {8.15,  16.28, 20.44, 24.03, 29.89, 33.74,
                                       37.60, 44.22, 47.87, 50.48, 56.24, 58.59};
    EngineOp ops[12];
    use("h200", 0, 0);
    for (int i = 0; i < 4; i++) {
        EngineStream s = stream(TRACE_STREAM_BLOCKING);
        ops[3 * i] = copy_at(TRACE_H2D, s, 64 * MIB, returns[3 * i]);
        ops[3 * i + 1] = kernel_at(s, 65536, 8, 1223.95 / 63, returns[3 * i + 1]);
        ops[3 * i + 2] = copy_at(TRACE_D2H, s, 64 * MIB, returns[3 * i + 2]);
    }
    run();
    WITHIN(END_US(ops[11]) - START_US(ops[0]), 7562.7 - 10.8, 1);
    WITHIN(END_US(ops[0]), 1241.8, 2);
    WITHIN(END_US(ops[1]), 2473.1, 1.5);
    WITHIN(END_US(ops[2]), 3811.7, 1);
    WITHIN(END_US(ops[5]), 5133.0, 1);
    WITHIN(END_US(ops[10]), 6263.7, 1);
}
END_TEST

/* Eight batches of 32 MiB in three streams with a short kernel: the copies of both directions are
 * always busy. */
START_TEST(h200_pipeline_of_eight)
{
    double at = 4;
    EngineStream s[3];
    EngineOp first = 0, last = 0;
    use("h200", 0, 0);
    for (int i = 0; i < 3; i++) s[i] = stream(TRACE_STREAM_NONBLOCKING);
    for (int i = 0; i < 8; i++, at += 10.2) {
        EngineOp in = copy_at(TRACE_H2D, s[i % 3], 32 * MIB, at);
        kernel_at(s[i % 3], 32768, 8, 28.5 / 32, at + 4);
        last = copy_at(TRACE_D2H, s[i % 3], 32 * MIB, at + 7);
        if (!first) first = in;
    }
    run();
    WITHIN(END_US(last) - START_US(first), 347620.23 - 341637.07, 10);
}
END_TEST

START_TEST(h200_copies_queue_and_overlap)
{
    EngineOp ops[4], in, out;
    use("h200", 0, 0);
    for (int i = 0; i < 4; i++)
        ops[i] = copy_at(TRACE_H2D, stream(TRACE_STREAM_NONBLOCKING), 64 * MIB, 5 + 3 * i);
    run();
    WITHIN(END_US(ops[3]) - START_US(ops[0]), 326549.55 - 321700.16, 1);
    for (int i = 1; i < 4; i++)
        ck_assert_double_eq_tol(START_US(ops[i]) - END_US(ops[i - 1]), 1.75, 0.02);

    use("h200", 0, 0);
    in = copy_at(TRACE_H2D, stream(TRACE_STREAM_NONBLOCKING), 256 * MIB, 3.1);
    out = copy_at(TRACE_D2H, stream(TRACE_STREAM_NONBLOCKING), 256 * MIB, 7.3);
    run();
    WITHIN(END_US(in) - START_US(in), 5137.5, 1);
    WITHIN(END_US(out) - START_US(out), 5281.9, 1);
}
END_TEST

START_TEST(h200_sets_and_device_copies_run_beside_a_small_kernel)
{
    use("h200", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    EngineStream c = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp spin = kernel_at(a, 1, 32, 3000.5, 4.5);
    EngineOp inside = copy_at(TRACE_D2D, b, 256 * MIB, 13.1),
             in = copy_at(TRACE_H2D, c, 64 * MIB, 15.7);
    EngineOp small = copy_at(TRACE_MEMSET, b, 4, 20),
             large = copy_at(TRACE_MEMSET, b, 256 * MIB, 22);
    run();
    WITHIN(END_US(spin) - START_US(spin), 3000.5, 0.1);
    WITHIN(END_US(inside) - START_US(inside), 127.5, 1);
    WITHIN(END_US(in) - START_US(in), 1213.3, 1);
    WITHIN(END_US(small) - START_US(small), 1.15, 10);
    WITHIN(END_US(large) - START_US(large), 59.55, 1);
    ck_assert_double_lt(END_US(large), END_US(spin));
}
END_TEST

/* Kernels of 200 and 100 us that wait for each other's events, three times over. */
START_TEST(h200_event_latency)
{
    double at = 2.7;
    EngineOp last = 0, first = 0, event = 0;
    use("h200", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    for (int i = 0; i < 3; i++, at += 10) {
        if (event) submit_after(TRACE_WAIT, a, 0, (uint64_t)(at * 1000), event);
        last = kernel_at(a, 1, 32, 200.54, at);
        if (!first) first = last;
        event = submit(TRACE_RECORD, a, 0, (uint64_t)(at * 1000) + 100);
        submit_after(TRACE_WAIT, b, 0, (uint64_t)(at * 1000) + 200, event);
        last = kernel_at(b, 1, 32, 100.52, at + 4);
        event = submit(TRACE_RECORD, b, 0, (uint64_t)(at * 1000) + 4100);
    }
    run();
    WITHIN(END_US(last) - START_US(first), 337964.50 - 337053.43, 0.5);
}
END_TEST

START_TEST(h200_kernels_share_the_device)
{
    EngineOp k[4];
    static const double at[4] = {3.4, 6.8, 10.8, 15.9};
    static const uint32_t n[4] = {66 * 32, 66 * 32, 132 * 32, 132 * 32};
    use("h200", 0, 0);
    for (int i = 0; i < 4; i++)
        k[i] = kernel_at(stream(TRACE_STREAM_NONBLOCKING), n[i], 32, 300, at[i]);
    run();
    ck_assert_double_lt(START_US(k[1]), 20);    /* half and half ran together, */
    WITHIN(START_US(k[2]), 972.89 - 666.38, 2); /* the third started when the first ended, */
    ck_assert_double_gt(END_US(k[2]) - START_US(k[2]), 302); /* and had to wait with half of its
                                                                blocks */
    WITHIN(START_US(k[3]), 1288.31 - 666.38, 4);

    use("h200", 0, 0);
    EngineStream low = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, 0);
    EngineStream high = engine_stream_new(engine, 0, TRACE_STREAM_NONBLOCKING, -5);
    EngineOp slow = kernel_at(low, 132 * 32 * 6, 32, 300, 5.3),
             urgent = kernel_at(high, 132 * 4, 32, 100, 273.6);
    run();
    ck_assert_double_eq_tol(START_US(urgent) - START_US(slow), 300.9, 2);
    ck_assert_double_gt(END_US(slow) - START_US(slow), 1800);
}
END_TEST

/* ---- kernels that begin before the one before them has ended ---- */

static EngineOp programmatic(EngineStream s, uint64_t work, uint64_t now)
{
    EngineSubmit op = {.kind = TRACE_KERNEL,
                       .stream = s,
                       .work_ns = work,
                       .programmatic = true,
                       .blocks = 1};
    return engine_submit(engine, &op, now);
}

/* As who drives the engine does it: a kernel that has started is told when its blocks trigger. */
static void run_and_trigger(EngineOp op, uint64_t block_ns)
{
    EngineStep step;
    while (engine_next_ns(engine) != ENGINE_NEVER)
        if (engine_step(engine, &step) && step.what == ENGINE_STARTED && step.op == op)
            engine_trigger(engine, op, block_ns);
}

START_TEST(a_programmatic_kernel_starts_at_the_trigger)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp first = submit(TRACE_KERNEL, s, 5 * UNIT, 0), second = programmatic(s, 5 * UNIT, 0),
             third = kernel(s);
    run_and_trigger(first, 3 * UNIT);
    RUNS(first, 0, 5);
    RUNS(second, 3, 8);
    RUNS(third, 8, 9);
    ck_assert_str_eq(causes(second), "trigger 1 3.0");
    ck_assert_str_eq(causes(third), "stream 1 5.0, stream 2 8.0");
}
END_TEST

START_TEST(without_a_trigger_it_waits_for_the_end)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp first = submit(TRACE_KERNEL, s, 5 * UNIT, 0), second = programmatic(s, UNIT, 0);
    run();
    RUNS(second, 5, 6);
    ck_assert_str_eq(causes(second), "stream 1 5.0");
    ck_assert(engine_op_trigger_ns(engine, first) == ENGINE_NEVER);

    /* only a kernel triggers: what stands behind a copy waits for it */
    use("unit", 0, 0);
    s = stream(TRACE_STREAM_NONBLOCKING);
    h2d(s);
    second = programmatic(s, UNIT, 0);
    run();
    RUNS(second, 1, 2);
}
END_TEST

START_TEST(only_a_record_that_takes_the_time_parts_the_two)
{
    for (int parts = 0; parts < 2; parts++) {
        use("unit", 0, 0);
        EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
        EngineOp first = submit(TRACE_KERNEL, s, 5 * UNIT, 0);
        engine_submit(engine,
                      &(EngineSubmit){.kind = TRACE_RECORD, .stream = s, .parts = parts != 0}, 0);
        EngineOp second = programmatic(s, UNIT, 0);
        run_and_trigger(first, 3 * UNIT);
        if (parts) RUNS(second, 5, 6);
        else RUNS(second, 3, 4);
    }
}
END_TEST

START_TEST(what_comes_later_waits_for_both)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING), other = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp first = submit(TRACE_KERNEL, s, 5 * UNIT, 0), second = programmatic(s, UNIT, 0),
             event = record_event(s);
    EngineOp tail = engine_stream_tail(engine, s);
    wait_event(other, event);
    EngineOp there = kernel(other), legacy = kernel(1), behind = kernel(s);
    EngineStep step;
    while (!engine_op_ended(engine, second)) {
        engine_step(engine, &step);
        if (step.what == ENGINE_STARTED && step.op == first) engine_trigger(engine, first, UNIT);
    }
    ck_assert(!engine_op_ended(engine, tail) && !engine_stream_idle(engine, s));
    run();
    RUNS(second, 1, 2);
    RUNS(there, 5, 6);
    RUNS(legacy, 5, 6);
    RUNS(behind, 6, 7);

    /* the tail of a stream whose last has not waited for the one before it stands for both */
    use("unit", 0, 0);
    s = stream(TRACE_STREAM_BLOCKING);
    first = submit(TRACE_KERNEL, s, 5 * UNIT, 0);
    second = programmatic(s, UNIT, 0);
    tail = engine_stream_tail(engine, s);
    EngineOp all = engine_stream_tail(engine, 1);
    run_and_trigger(first, UNIT);
    ck_assert_uint_eq(engine_op_end_ns(engine, tail), 5 * UNIT);
    ck_assert_uint_eq(engine_op_end_ns(engine, all), 5 * UNIT);
    ck_assert_uint_eq(engine_primary(engine, s), second);
    h2d(s);
    ck_assert_uint_eq(engine_primary(engine, s), 0);
}
END_TEST

START_TEST(the_trigger_needs_every_block)
{
    use("room", 0, 0);
    uint32_t room = (uint32_t)model.sm_count;
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp first = blocks(s, 3 * room, 2, 4 * UNIT, 0), second = programmatic(s, UNIT, 0);
    run_and_trigger(first, UNIT);
    RUNS(first, 0, 8); /* in two waves: the blocks of the last trigger at 5 */
    RUNS(second, 5, 6);

    /* and room: the device is full until the first wave has ended */
    use("room", 0, 0);
    s = stream(TRACE_STREAM_NONBLOCKING);
    first = blocks(s, 2 * room, 2, 4 * UNIT, 0);
    second = programmatic(s, UNIT, 0);
    run_and_trigger(first, UNIT);
    RUNS(second, 4, 5);
    ck_assert_str_eq(causes(second), "trigger 1 1.0, room 1 4.0");
}
END_TEST

START_TEST(an_event_of_a_trigger)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING), other = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp first = submit(TRACE_KERNEL, s, 5 * UNIT, 0);
    EngineSubmit record = {.kind = TRACE_RECORD,
                           .stream = s,
                           .early = &first,
                           .n_early = 1,
                           .apart = true};
    EngineOp event = engine_submit(engine, &record, 0), next = kernel(s);
    wait_event(other, event);
    EngineOp there = kernel(other);
    run_and_trigger(first, 2 * UNIT);
    RUNS(event, 2, 2);
    RUNS(there, 2, 3);
    RUNS(next, 5, 6);
    ck_assert_str_eq(causes(there), "trigger 1 2.0");

    /* or of all blocks having begun */
    use("room", 0, 0);
    s = stream(TRACE_STREAM_NONBLOCKING), other = stream(TRACE_STREAM_NONBLOCKING);
    first = blocks(s, 3 * (uint32_t)model.sm_count, 2, 4 * UNIT, 0);
    record.stream = s;
    record.n_begun = 1;
    event = engine_submit(engine, &record, 0);
    run();
    RUNS(event, 4, 4);
}
END_TEST

START_TEST(a_kernel_whose_first_blocks_had_to_wait)
{
    EngineStep step;
    use("room", 0, 0);
    EngineStream s = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp op = blocks(s, 3 * (uint32_t)model.sm_count, 2, ENGINE_OPEN, 0);
    while (engine_op_start_ns(engine, op) == ENGINE_NEVER) engine_step(engine, &step);
    engine_set_works(engine, op, 4 * UNIT, UNIT);
    run();
    RUNS(op, 0, 5);
}
END_TEST

/* ---- random programs ---- */

typedef struct Planned {
    EngineSubmit submit;
    uint64_t issue, start, end, work;
    uint64_t triggers, triggered; /* of its blocks; of the kernel. ENGINE_NEVER: by its end */
    EngineOp after[3], early[2];
    uint32_t engine, previous; /* previous of its stream */
    bool open;
} Planned;

static uint64_t random_state;
static uint32_t random_below(uint32_t n)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 0x2545F4914F6CDD1Du) >> 33) % n;
}

enum { STREAMS = 14, OPS = 300 };
static TraceStreamFlavour flavour_of[STREAMS + 1];
static int device_of[STREAMS + 1], queue_of[STREAMS + 1];
static Planned plan[OPS + 1];
static char story[2][OPS * 400];
static uint32_t triggers_seen;
static bool explored; /* a seed: what has a length may be shorter */

static void make_streams(int queues)
{
    int count[2] = {0, 0};
    for (int s = 1; s <= STREAMS; s++) {
        device_of[s] = s == 1   ? 0
                       : s == 2 ? model.devices - 1
                                : (int)random_below((uint32_t)model.devices);
        flavour_of[s] = s == 1 || (s == 2 && model.devices == 2)
                            ? TRACE_STREAM_LEGACY
                            : (TraceStreamFlavour)(1 + random_below(3));
        queue_of[s] = count[device_of[s]]++ % queues;
        MUST(engine_stream_new(engine, device_of[s], flavour_of[s], -(int)random_below(6)) ==
             (EngineStream)s);
    }
}

static void make_plan(bool functions)
{
    uint32_t last[STREAMS + 1] = {0};
    uint64_t now = 0;
    for (uint32_t i = 1; i <= OPS; i++) {
        Planned *p = &plan[i];
        memset(p, 0, sizeof *p);
        now += random_below(4) ? 0 : random_below(3000);
        p->issue = now;
        p->submit.kind = (TraceOpKind)random_below(TRACE_GRAPH);
        if (p->submit.kind == TRACE_HOSTFN && !functions) p->submit.kind = TRACE_KERNEL;
        p->submit.stream = 1 + random_below(STREAMS);
        p->submit.copies_from = random_below((uint32_t)model.devices + 1);
        p->submit.copies_to = random_below((uint32_t)model.devices + 1);
        p->work = random_below(8) ? 100 + random_below(4000) : 0;
        p->open =
            p->submit.kind == TRACE_HOSTFN || (p->submit.kind == TRACE_KERNEL && random_below(2));
        p->submit.work_ns = p->open ? ENGINE_OPEN : p->work;
        if (p->submit.kind == TRACE_KERNEL || p->submit.kind == TRACE_MEMSET) {
            p->submit.blocks_per_sm = 1 + random_below(32);
            p->submit.blocks = random_below(3) ? 1 + random_below(200) : random_below(20000);
        }
        for (int k = 0; k < 3; k++)
            if (i > 1 && random_below(4) == 0)
                p->after[p->submit.n_after++] = 1 + random_below(i - 1);
        p->submit.programmatic = random_below(2);
        for (int k = 0; k < 2; k++)
            if (i > 1 && random_below(8) == 0)
                p->early[p->submit.n_early++] = 1 + random_below(i - 1);
        p->triggers = random_below(3) ? random_below((uint32_t)p->work + 200) : ENGINE_NEVER;
        p->previous = last[p->submit.stream];
        last[p->submit.stream] = i;
    }
}

/* Runs the plan; ahead: everything is submitted before the first step. Returns the story of all
 * steps and causes. */
static void play(bool ahead, char *to, size_t size)
{
    EngineStep step;
    uint64_t clock = 0;
    uint32_t next = 1, running[64] = {0};
    size_t used = 0;

    while (next <= OPS || engine_next_ns(engine) != ENGINE_NEVER) {
        if (next <= OPS && (ahead || plan[next].issue <= engine_next_ns(engine))) {
            plan[next].submit.after = plan[next].after;
            plan[next].submit.early = plan[next].early;
            MUST(engine_submit(engine, &plan[next].submit, plan[next].issue) == next);
            next++;
            continue;
        }
        uint64_t promised = engine_next_ns(engine);
        MUST(promised >= clock);
        clock = promised;
        if (!engine_step(engine, &step)) continue;
        Planned *p = &plan[step.op];
        MUST(step.ns == promised);
        if (step.what == ENGINE_STARTED) {
            p->start = step.ns;
            p->engine = step.engine;
            if (step.engine &&
                engine_describe(engine, step.engine).class_ != TRACE_ENGINE_COMPUTE) {
                MUST(running[step.engine] == 0); /* never two at once */
                running[step.engine] = step.op;
            }
            if (p->submit.kind == TRACE_KERNEL && p->triggers != ENGINE_NEVER)
                engine_trigger(engine, step.op, p->triggers);
            if (p->open && p->submit.kind == TRACE_KERNEL && step.op % 3)
                engine_set_work(engine, step.op, p->work);
            else if (p->open) engine_finish(engine, step.op, step.ns + p->work);
        } else {
            p->end = step.ns;
            p->triggered = engine_op_trigger_ns(engine, step.op);
            if (running[p->engine] == step.op) running[p->engine] = 0;
        }
        used += (size_t)snprintf(to + used, size - used, "%d %u %llu\n", step.what, step.op,
                                 (unsigned long long)step.ns);
    }
    for (uint32_t i = 1; i <= OPS; i++) {
        const EngineCause *list;
        uint32_t n = engine_causes(engine, i, &list);
        for (uint32_t k = 0; k < n && used < size; k++)
            used += (size_t)snprintf(to + used, size - used, "%u: %d %u %llu\n", i, list[k].kind,
                                     list[k].by_op, (unsigned long long)list[k].until_ns);
    }
    MUST(used < size);
}

static bool blocking(uint32_t op)
{
    TraceStreamFlavour flavour = flavour_of[plan[op].submit.stream];
    return flavour == TRACE_STREAM_BLOCKING || flavour == TRACE_STREAM_PER_THREAD;
}

static uint64_t triggered_or_ended(uint32_t op)
{
    return plan[op].triggered < plan[op].end ? plan[op].triggered : plan[op].end;
}

/* A programmatic kernel has let the one before it (and records behind that) go on; all others come
 * after all that stands before them in the stream. */
static void check_stream(uint32_t i)
{
    const Planned *p = &plan[i];
    uint32_t before = p->previous;
    while (before && plan[before].submit.kind == TRACE_RECORD) before = plan[before].previous;
    bool early = p->submit.programmatic && p->submit.kind == TRACE_KERNEL && before &&
                 plan[before].submit.kind == TRACE_KERNEL;
    if (early) MUST(p->start >= triggered_or_ended(before));
    for (uint32_t j = early ? 0 : p->previous; j; j = plan[j].previous)
        MUST(p->start >= plan[j].end);
    for (int k = 0; k < p->submit.n_early; k++) MUST(p->start >= triggered_or_ended(p->early[k]));
}

static void check_plan(void)
{
    uint32_t grids = 0, queue_last[2][4][32] = {{{0}}};
    for (uint32_t i = 1; i <= OPS; i++) {
        const Planned *p = &plan[i];
        const EngineCause *list;
        uint32_t n = engine_causes(engine, i, &list);
        int device = device_of[p->submit.stream];
        bool marker = p->submit.kind >= TRACE_RECORD;

        MUST(engine_op_ended(engine, i));
        MUST(engine_op_start_ns(engine, i) == p->start);
        MUST(engine_op_end_ns(engine, i) == p->end);
        MUST(p->start >= p->issue);
        MUST(p->end >= p->start + (marker ? 0 : explored ? p->work / 4 : p->work));
        if (marker) MUST(p->end == p->start);
        check_stream(i);
        for (int k = 0; k < p->submit.n_after; k++) MUST(p->start >= plan[p->after[k]].end);
        for (uint32_t j = 1; j < i; j++) {
            if (device_of[plan[j].submit.stream] != device) continue;
            if ((flavour_of[p->submit.stream] == TRACE_STREAM_LEGACY && blocking(j)) ||
                (flavour_of[plan[j].submit.stream] == TRACE_STREAM_LEGACY && blocking(i)))
                MUST(p->start >= plan[j].end);
        }
        /* in its hardware queue: not before the one ahead (host functions: see their own test) */
        static const int queue_kind[TRACE_OP_KINDS] =
            {[TRACE_KERNEL] = 1, [TRACE_MEMSET] = 1, [TRACE_D2D] = 1,
             [TRACE_H2D] = 2,    [TRACE_D2H] = 3,    [TRACE_P2P] = 3};
        uint32_t *ahead =
            &queue_last[device][queue_kind[p->submit.kind]][queue_of[p->submit.stream]];
        if (queue_kind[p->submit.kind] && *ahead) MUST(p->start >= plan[*ahead].start);
        *ahead = i;

        MUST(n >= 1);
        for (uint32_t k = 0; k < n; k++) {
            if (k) MUST(list[k].until_ns >= list[k - 1].until_ns);
            if (list[k].kind == TRACE_BY_HOST) MUST(list[k].by_op == 0);
            else if (list[k].kind != TRACE_BY_LATENCY) MUST(list[k].by_op != 0);
            if (list[k].by_op) MUST(plan[list[k].by_op].submit.kind < TRACE_RECORD);
            if (list[k].kind != TRACE_BY_HOST) MUST(list[k].until_ns > p->issue);
            if (list[k].kind == TRACE_BY_STREAM || list[k].kind == TRACE_BY_EVENT ||
                list[k].kind == TRACE_BY_LEGACY)
                MUST(list[k].until_ns == plan[list[k].by_op].end);
            if (list[k].kind == TRACE_BY_TRIGGER) {
                MUST(list[k].until_ns == plan[list[k].by_op].triggered);
                triggers_seen++;
            }
        }
        MUST(list[n - 1].until_ns == p->start);
        if (p->submit.kind == TRACE_KERNEL) {
            uint32_t resident = 0;
            for (uint32_t j = 1; j <= OPS; j++)
                resident += plan[j].submit.kind == TRACE_KERNEL && plan[j].engine == p->engine &&
                            plan[j].start <= p->start && plan[j].end > p->start;
            if (resident > grids) grids = resident;
        }
    }
    MUST(grids <= (uint32_t)model.resident_grids);
    MUST(engine_idle(engine));
}

START_TEST(random_programs_obey_every_rule)
{
    static const char *const names[] = {"unit",      "classroom", "h200", "one-copy-engine",
                                        "one-queue", "room",      "bytes"};
    enum { NAMES = sizeof names / sizeof *names };
    triggers_seen = 0;
    for (uint64_t round = 1; round <= 140; round++) {
        EngineConfig config = {.hardware_queues = 1 + (int)(round % 9),
                               .seed = round % 3 == 0 ? round : 0};
        explored = config.seed != 0;
        char error[256];
        ck_assert(model_load(&model, names[round % NAMES], error, sizeof error) == 0);
        model.devices = 1 + (int)(round / 4 % 2);
        model.resident_grids = round % 5 ? 3 : 128;
        uint64_t planned = 0;
        for (int again = 0; again < 3 - (int)(round % 2); again++) {
            engine_free(engine);
            engine = engine_new(&model, &config);
            random_state = round * 0x9E3779B97F4A7C15u;
            make_streams(config.hardware_queues);
            if (again == 0) planned = random_state;
            random_state = planned;
            make_plan(round % 2);
            /* a second time for the same story; the third time submitted ahead, which must not
             * matter (except to a host function, which asks whether its turn has come when it is
             * issued) */
            play(again == 2, story[again > 0], sizeof story[0]);
            check_plan();
            if (again) {
                size_t same = 0;
                while (story[0][same] && story[0][same] == story[1][same]) same++;
                ck_assert_msg(!story[0][same] && !story[1][same],
                              "round %d, time %d: parting at %.20s / %.20s", (int)round, again + 1,
                              story[0] + same, story[1] + same);
            }
        }
    }
    ck_assert_uint_gt(triggers_seen, 1000);
}
END_TEST

static void tidy(void)
{
    engine_free(engine);
    engine = NULL;
}

/* ---- launches of graphs ---- */

static EngineOp graph_launch(EngineStream s) { return submit(TRACE_GRAPH, s, 0, 0); }

static EngineOp node(TraceOpKind kind, EngineStream s, EngineOp graph, const EngineOp *after, int n)
{
    EngineSubmit op = {.kind = kind,
                       .stream = s,
                       .work_ns = kind >= TRACE_RECORD ? 0 : UNIT,
                       .after = after,
                       .n_after = n,
                       .graph = graph};
    return engine_submit(engine, &op, 0);
}

START_TEST(nodes_follow_their_edges_and_not_their_stream)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING);
    EngineOp before = kernel(s), graph = graph_launch(s);
    EngineOp in = node(TRACE_H2D, s, graph, NULL, 0);
    EngineOp left = node(TRACE_KERNEL, s, graph, &in, 1);
    EngineOp right = node(TRACE_D2H, s, graph, &in, 1);
    EngineOp join = node(TRACE_KERNEL, s, graph, (EngineOp[]){left, right}, 2);
    engine_graph_close(engine, graph);
    EngineOp behind = kernel(s);
    run();
    RUNS(before, 0, 1);
    RUNS(graph, 1, 4);
    RUNS(in, 1, 2);
    RUNS(left, 2, 3);
    RUNS(right, 2, 3);
    RUNS(join, 3, 4);
    RUNS(behind, 4, 5);
    ck_assert_str_eq(causes(graph), "stream 1 1.0");
    ck_assert_str_eq(causes(in), "stream 1 1.0");
    ck_assert_str_eq(causes(left), "graph 3 2.0");
    ck_assert_str_eq(causes(join), "graph 4 3.0, graph 5 3.0");
    ck_assert_str_eq(causes(behind), "stream 6 4.0"); /* by its last node */
}
END_TEST

/* Ten kernels of a microsecond on an H200: 0.3 us apart in a graph, 1.1 us in a stream; two
 * launches of it 4.6 us apart. A device that says nothing of graphs has the stream's gaps. */
START_TEST(gaps_in_graphs)
{
    static const struct {
        const char *model;
        uint64_t node, launch;
    } cases[] = {{"h200+graph_node=300+graph_graph=4600", 300, 4600},
                 {"h200+graph_node=0+graph_graph=0", 1120, 1120}};
    for (int c = 0; c < 2; c++) {
        use(cases[c].model, 0, 0);
        EngineStream s = stream(TRACE_STREAM_BLOCKING);
        EngineOp nodes[2][3], graph = 0;
        for (int launch = 0; launch < 2; launch++) {
            graph = graph_launch(s);
            for (int i = 0; i < 3; i++)
                nodes[launch][i] =
                    node(TRACE_KERNEL, s, graph, i ? &nodes[launch][i - 1] : NULL, i > 0);
            engine_graph_close(engine, graph);
        }
        EngineOp behind = kernel(s);
        run();
        ck_assert_uint_eq(engine_op_start_ns(engine, nodes[0][1]) -
                              engine_op_end_ns(engine, nodes[0][0]),
                          cases[c].node);
        ck_assert_uint_eq(engine_op_start_ns(engine, nodes[1][0]) -
                              engine_op_end_ns(engine, nodes[0][2]),
                          cases[c].launch);
        ck_assert_uint_eq(engine_op_start_ns(engine, behind) -
                              engine_op_end_ns(engine, nodes[1][2]),
                          1120);
        engine_free(engine);
        engine = NULL;
    }
}
END_TEST

START_TEST(a_launch_without_nodes_is_over_at_once_and_an_open_one_is_not)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING);
    EngineOp empty = graph_launch(s);
    engine_graph_close(engine, empty);
    engine_graph_close(engine, empty); /* once is enough */
    EngineOp k = kernel(s), open = graph_launch(s), behind = kernel(s);
    run();
    RUNS(empty, 0, 0);
    RUNS(k, 0, 1);
    ck_assert(engine_op_start_ns(engine, open) == UNIT);
    ck_assert(!engine_op_ended(engine, open) && !engine_stream_idle(engine, s));
    EngineOp late = node(TRACE_KERNEL, s, open, NULL, 0);
    engine_graph_close(engine, open);
    ck_assert_uint_eq(node(TRACE_KERNEL, s, open, NULL, 0), 0);
    ck_assert_uint_eq(node(TRACE_KERNEL, s, k, NULL, 0), 0);
    run();
    RUNS(late, 1, 2);
    RUNS(open, 1, 2);
    RUNS(behind, 2, 3);
}
END_TEST

/* A graph in a graph may start later than it could, and end later than its last node: what decides
 * takes its time. */
START_TEST(a_graph_in_a_graph_takes_time)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING);
    EngineOp graph = graph_launch(s), first = node(TRACE_KERNEL, s, graph, NULL, 0);
    EngineOp child = node(TRACE_GRAPH, s, graph, &first, 1);
    EngineOp last = node(TRACE_D2H, s, graph, &child, 1);
    EngineStep step = {ENGINE_ENDED, 0, 0, 0};
    while (step.op != child && engine_next_ns(engine) != ENGINE_NEVER) engine_step(engine, &step);
    ck_assert_uint_eq(step.ns, UNIT);
    EngineSubmit late = {.kind = TRACE_GRAPH, .stream = s, .work_ns = UNIT / 2, .graph = child};
    EngineOp body = engine_submit(engine, &late, step.ns);
    EngineOp inside = node(TRACE_KERNEL, s, body, NULL, 0);
    engine_graph_close(engine, body);
    engine_graph_lingers(engine, child, UNIT / 4);
    engine_graph_close(engine, child);
    engine_graph_lingers(engine, child, UNIT); /* too late */
    engine_graph_close(engine, graph);
    run();
    RUNS(inside, 1.5, 2.5);
    RUNS(child, 1, 2.75);
    RUNS(last, 2.75, 3.75);
    RUNS(graph, 0, 3.75);
}
END_TEST

START_TEST(a_graph_in_a_graph_ends_with_its_last_node)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING), other = stream(TRACE_STREAM_BLOCKING);
    EngineOp graph = graph_launch(s), first = node(TRACE_KERNEL, s, graph, NULL, 0);
    EngineOp child = node(TRACE_GRAPH, s, graph, &first, 1);
    EngineOp a = node(TRACE_H2D, s, child, NULL, 0), b = node(TRACE_KERNEL, s, child, &a, 1);
    engine_graph_close(engine, child);
    EngineOp last = node(TRACE_D2H, s, graph, &child, 1);
    engine_graph_close(engine, graph);
    /* the same graph once more, in another stream: behind the first launch of it */
    EngineOp again = submit_after(TRACE_GRAPH, other, 0, 0, graph);
    EngineOp first_again = node(TRACE_KERNEL, other, again, NULL, 0);
    engine_graph_close(engine, again);
    run();
    RUNS(child, 1, 3);
    RUNS(b, 2, 3);
    RUNS(last, 3, 4);
    RUNS(graph, 0, 4);
    RUNS(first_again, 4, 5);
    ck_assert_str_eq(causes(a), "graph 2 1.0");
    ck_assert_str_eq(causes(last), "graph 5 3.0");
    ck_assert_str_eq(causes(again), "graph 6 4.0");
}
END_TEST

START_TEST(nodes_share_the_engines_with_streams)
{
    use("one-copy-engine", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING), other = stream(TRACE_STREAM_NONBLOCKING);
    EngineOp graph = graph_launch(s), copy = h2d(other);
    EngineOp first = node(TRACE_H2D, s, graph, NULL, 0);
    EngineOp second = node(TRACE_D2H, s, graph, NULL, 0);
    engine_graph_close(engine, graph);
    run();
    ck_assert(start(first) >= end(copy) && start(second) >= end(first));
    ck_assert(engine_op_end_ns(engine, graph) == engine_op_end_ns(engine, second));
}
END_TEST

START_TEST(a_node_issued_late_does_not_hold_up_an_engine_that_serves_by_issue)
{
    use("one-queue", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING);
    EngineOp graph = graph_launch(s), body = node(TRACE_GRAPH, s, graph, NULL, 0);
    EngineOp after = node(TRACE_KERNEL, s, graph, &body, 1);
    engine_graph_close(engine, graph);
    run();
    EngineOp inside = node(TRACE_KERNEL, s, body, NULL, 0);
    engine_graph_close(engine, body);
    run();
    ck_assert(engine_op_ended(engine, graph));
    ck_assert(start(after) >= end(inside));
}
END_TEST

/* What a graph inside gets only when it runs was held up by what the graph itself was, then by what
 * ended in it last; and it was issued with the launch, whatever time it is. */
START_TEST(nodes_that_come_later_say_what_they_waited_for)
{
    use("unit", 0, 0);
    EngineStream s = stream(TRACE_STREAM_BLOCKING);
    EngineOp graph = graph_launch(s), first = node(TRACE_KERNEL, s, graph, NULL, 0);
    EngineOp loop = node(TRACE_GRAPH, s, graph, &first, 1);
    engine_graph_close(engine, graph);
    run();
    EngineOp body = node(TRACE_GRAPH, s, loop, NULL, 0), one = node(TRACE_KERNEL, s, body, NULL, 0);
    engine_graph_close(engine, body);
    run();
    EngineOp again = node(TRACE_GRAPH, s, loop, NULL, 0);
    EngineOp two = node(TRACE_KERNEL, s, again, NULL, 0);
    engine_graph_close(engine, again);
    engine_graph_close(engine, loop);
    run();
    RUNS(one, 1, 2);
    RUNS(two, 2, 3);
    ck_assert_str_eq(causes(one), "graph 2 1.0");
    ck_assert_str_eq(causes(two), "graph 5 2.0");
    ck_assert_uint_eq(engine_op_issued_ns(engine, two), 0);
    ck_assert(engine_op_ended(engine, graph));
}
END_TEST

/* Blocks that start in groups wait until there is room for a whole one. */
START_TEST(groups_of_blocks_start_together)
{
    use("room", 0, 0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING);
    uint32_t all = (uint32_t)model.sm_count;
    EngineSubmit groups = {.kind = TRACE_KERNEL,
                           .stream = b,
                           .work_ns = UNIT,
                           .blocks = 2 * all,
                           .blocks_per_sm = 1,
                           .together = 4,
                           .groups_at_once = all / 4 - 1};

    /* alone: one group less at once than there are multiprocessors for */
    EngineOp alone = engine_submit(engine, &groups, 0);
    run();
    ck_assert_int_eq(end(alone) - start(alone), 3);

    /* all multiprocessors but three are taken: three blocks would fit, a group does not */
    groups.blocks = 4;
    groups.groups_at_once = 0;
    EngineOp most = blocks(a, all - 3, 1, 5 * UNIT, 4 * UNIT);
    EngineOp late = engine_submit(engine, &groups, 4 * UNIT);
    run();
    ck_assert_int_eq(start(late), end(most));

    /* two of them side by side */
    groups.blocks = all;
    EngineOp first = engine_submit(engine, &groups, 20 * UNIT);
    run();
    ck_assert_int_eq(end(first) - start(first), 1);
}
END_TEST

START_TEST(a_kernel_can_be_more_urgent_than_its_stream)
{
    use("room", 0, 0);
    model.priority_high = -5;
    use_changed(0);
    EngineStream a = stream(TRACE_STREAM_NONBLOCKING), b = stream(TRACE_STREAM_NONBLOCKING),
                 c = stream(TRACE_STREAM_NONBLOCKING);
    uint32_t all = (uint32_t)model.sm_count;
    blocks(a, all, 1, UNIT, 0);
    EngineOp low = blocks(b, all, 1, UNIT, 0);
    EngineOp high = engine_submit(engine,
                                  &(EngineSubmit){.kind = TRACE_KERNEL,
                                                  .stream = c,
                                                  .work_ns = UNIT,
                                                  .blocks = all,
                                                  .blocks_per_sm = 1,
                                                  .priority = -9,
                                                  .own_priority = true},
                                  1);
    run();
    ck_assert(start(high) < start(low));
}
END_TEST

CASES("engine", .after = tidy)
