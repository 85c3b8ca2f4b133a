/* test_perfetto.c - the trace-event JSON against the rules of that format, by another hand's JSON
 * reader: every event has what its phase needs, every thread and process a name, slices of a thread
 * nest, flows leave and arrive inside slices. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/trace_text.h"
#include "timeline/trace/infer.h"
#include "timeline/exports/perfetto.h"
#include "tests/unit/cases.h"

typedef struct Slice {
    long pid, tid;
    long long start, end;
} Slice;

static json_t *events_of(const Trace *t, json_t **document)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(perfetto_write(out, t), 0);
    fclose(out);
    json_error_t error;
    *document = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(*document != NULL, "%s (line %d)", error.text, error.line);
    free(text);
    json_t *events = json_object_get(*document, "traceEvents");
    ck_assert(json_is_array(events));
    return events;
}

static const char *string_of(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text ? text : "";
}

static long number_of(const json_t *event, const char *key)
{
    json_t *value = json_object_get(event, key);
    REQUIRE(json_is_integer(value));
    return (long)json_integer_value(value);
}

/* Microseconds with three decimals are nanoseconds. */
static long long ns_of(const json_t *event, const char *key)
{
    json_t *value = json_object_get(event, key);
    REQUIRE(json_is_number(value) && json_number_value(value) >= 0);
    return (long long)(json_number_value(value) * 1000 + 0.5);
}

static int by_place(const void *left, const void *right)
{
    const Slice *a = left, *b = right;
    if (a->pid != b->pid) return a->pid < b->pid ? -1 : 1;
    if (a->tid != b->tid) return a->tid < b->tid ? -1 : 1;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

static bool inside_slice(const Slice *slices, size_t n, const json_t *event)
{
    long pid = number_of(event, "pid"), tid = number_of(event, "tid");
    long long ns = ns_of(event, "ts");
    for (size_t i = 0; i < n; i++) {
        if (slices[i].pid == pid && slices[i].tid == tid && slices[i].start <= ns &&
            ns <= slices[i].end)
            return true;
    }
    return false;
}

static bool named(const json_t *events, const char *what, long pid, long tid)
{
    size_t i, n = 0;
    json_t *event;
    json_array_foreach(events, i, event)
    {
        if (strcmp(string_of(event, "name"), what) != 0 || number_of(event, "pid") != pid) continue;
        if (!strcmp(what, "thread_name") && number_of(event, "tid") != tid) continue;
        n += string_of(json_object_get(event, "args"), "name")[0] != '\0';
    }
    return n == 1;
}

static void check(const Trace *t, size_t least_flows)
{
    json_t *document, *events = events_of(t, &document), *event, *other;
    size_t i, k, n = 0, flows = 0;
    Slice *slices = calloc(json_array_size(events) + 1, sizeof *slices);
    json_array_foreach(events, i, event)
    {
        const char *phase = string_of(event, "ph");
        REQUIRE(strlen(phase) == 1 && strchr("XiMsfC", phase[0]));
        REQUIRE(json_is_string(json_object_get(event, "name")));
        long pid = number_of(event, "pid"), tid = number_of(event, "tid");
        if (phase[0] == 'M') {
            REQUIRE(json_is_object(json_object_get(event, "args")));
            continue;
        }
        long long start = ns_of(event, "ts");
        REQUIRE(named(events, "process_name", pid, 0));
        bool global = phase[0] == 'i' && !strcmp(string_of(event, "s"), "g"); /* across all threads
                                                                               */
        REQUIRE(global || phase[0] == 'C' || named(events, "thread_name", pid, tid));
        if (phase[0] == 'X') slices[n++] = (Slice){pid, tid, start, start + ns_of(event, "dur")};
        if (phase[0] == 'i') REQUIRE(global || !strcmp(string_of(event, "s"), "t"));
    }
    qsort(slices, n, sizeof *slices, by_place);
    /* slices of one thread nest: a stack of those that are open */
    Slice open[64];
    int depth = 0;
    for (i = 0; i < n; i++) {
        while (depth &&
               (open[depth - 1].pid != slices[i].pid || open[depth - 1].tid != slices[i].tid ||
                open[depth - 1].end <= slices[i].start))
            depth--;
        REQUIRE(depth == 0 || slices[i].end <= open[depth - 1].end);
        REQUIRE(depth < 64);
        open[depth++] = slices[i];
    }
    /* each flow has one begin and one end under its id, alike in name and category, in slices,
     * forward in time */
    json_array_foreach(events, i, event)
    {
        if (strcmp(string_of(event, "ph"), "s") != 0) continue;
        size_t ends = 0, begins = 0;
        flows++;
        json_array_foreach(events, k, other)
        {
            if (!json_object_get(other, "id") || number_of(other, "id") != number_of(event, "id"))
                continue;
            begins += !strcmp(string_of(other, "ph"), "s");
            if (strcmp(string_of(other, "ph"), "f") != 0) continue;
            ends++;
            ck_assert_str_eq(string_of(other, "name"), string_of(event, "name"));
            ck_assert_str_eq(string_of(other, "cat"), string_of(event, "cat"));
            ck_assert_str_eq(string_of(other, "bp"), "e");
            REQUIRE(inside_slice(slices, n, other));
            REQUIRE(ns_of(event, "ts") <= ns_of(other, "ts") + 2000); /* hardware clocks differ by
                                                                         so much */
        }
        REQUIRE(begins == 1 && ends == 1);
        REQUIRE(inside_slice(slices, n, event));
    }
    json_array_foreach(events, i, event) flows -= !strcmp(string_of(event, "ph"), "f");
    REQUIRE(flows == 0);
    json_array_foreach(events, i, event) flows += !strcmp(string_of(event, "ph"), "s");
    ck_assert_uint_ge(flows, least_flows);
    free(slices);
    json_decref(document);
}

START_TEST(real_runs)
{
    static const char *const files[] = {"tests/fixtures/h200/ex43.lane",
                                        "tests/fixtures/h200/multi.lane",
                                        "tests/fixtures/h200/killed.lane",
                                        "tests/fixtures/h200/peers.lane",
                                        "tests/fixtures/traces/pipeline4.lane"};
    static const size_t flows[] = {1, 1, 0, 1, 1};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char error[300];
        Trace *t = trace_read(files[i], error, sizeof error);
        ck_assert_msg(t != NULL, "%s", error);
        infer_causes(t);
        check(t, flows[i]);
        trace_free(t);
    }
}
END_TEST

START_TEST(hostile_names)
{
    Trace *t = trace_of(
        TRACE_HEAD
        "name stream 2 \"},{\"ph\":\"X\nthread 2 host \\x01\\x7f\xff\"\\\\\n"
        "range 1 2 0 \\n\"]}\ncall 1 2 a\"b 0 -\nop 1 1 kernel 1 2 0 0 - - - - 0 0 "
        "\xc3\x28\"\\\\u0000\n" RUN("1", "5", "2",
                                    "9") "ret 1 9 0\nrangeend 1 9\nmark 1 3 \xed\xa0\x80\n");
    check(t, 0);
    json_t *document, *events = events_of(t, &document), *event;
    size_t i, named_so = 0;
    json_array_foreach(events, i, event)
    {
        named_so +=
            !strcmp(string_of(json_object_get(event, "args"), "name"), "stream \"},{\"ph\":\"X");
    }
    ck_assert_uint_ge(named_so, 1);
    json_decref(document);
    trace_free(t);
}
END_TEST

START_TEST(nothing)
{
    Trace *t = trace_of("threelane 1\n");
    check(t, 0);
    trace_free(t);
}
END_TEST

/* The lanes of the engines hold every operation once more; every call has an arrow to what it
 * issued; counters begin and end at nothing. */
START_TEST(lanes_launches_and_counters)
{
    char error[300];
    Trace *t = trace_read("tests/fixtures/traces/pipeline4.lane", error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    json_t *document, *events = events_of(t, &document), *event;
    size_t i, lanes = 0, launches = 0, work = 0, correlated = 0;
    long long running = -1;
    for (uint32_t id = 1; id <= t->n_ops; id++) work += trace_op_is_work(&t->ops[id]);
    json_array_foreach(events, i, event)
    {
        json_t *arguments = json_object_get(event, "args");
        lanes += !strcmp(string_of(event, "cat"), "lane");
        launches +=
            !strcmp(string_of(event, "cat"), "ac2g") && !strcmp(string_of(event, "ph"), "s");
        if (!strcmp(string_of(event, "cat"), "gpu_memcpy") ||
            !strcmp(string_of(event, "cat"), "kernel"))
            correlated +=
                number_of(arguments, "correlation") > 0 && number_of(arguments, "stream") > 0;
        if (!strcmp(string_of(event, "name"), "running")) {
            running = number_of(arguments, "operations");
            ck_assert_int_ge(running, 0);
        }
        ck_assert(!strstr(string_of(arguments, "name"), "program-"));
    }
    ck_assert_uint_eq(lanes, work);
    ck_assert_uint_eq(launches, work);
    ck_assert_uint_eq(correlated, work);
    ck_assert_int_eq(running, 0);
    json_decref(document);
    trace_free(t);
}
END_TEST

CASES("perfetto")
