/* model.c - reads device models. One table says what an ini file may contain; everything else
 * follows from it.
 *
 * A file has the sections [model], [limits] and one [engine NAME] per engine (in the order in which
 * they are numbered), and may have [copies], [kernels], [gaps], [costs] and [traced]. A section
 * that is there is there in full, so that a forgotten or misspelt key cannot pass for a zero (but
 * for the few keys where zero is a meaning of its own). What an absent section leaves out is free;
 * without [traced], calls cost the same under a tracer. */
#include "sim/model/model.h"
#include "common/devices.h"
#include "common/env.h"
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Builtin {
    const char *name, *text, *end;
} Builtin;
extern const Builtin model_builtin[] __attribute__((visibility("hidden"))); /* builtin.S */

enum { MAX_TEXT = 64 * 1024, MAX_BUILTIN = 64 };
enum {
    MAX_LINE = INI_MAX_LINE - 3,
    MAX_HEADING = 48
}; /* beyond these the ini library cuts off in silence */

/* ---- what a file may contain ---- */

typedef enum FieldType { FIELD_TEXT, FIELD_FLAG, FIELD_COUNT, FIELD_LONG, FIELD_REAL } FieldType;
typedef struct Field {
    const char *section, *key;
    FieldType type;
    uint32_t offset, size;
    int64_t min, max;
    bool optional; /* absent is 0, and 0 has a meaning of its own */
} Field;

#define MAX_NS 1000000000000 /* a quarter of an hour for one step is certainly a slip */
#define MAX_BYTES ((int64_t)1 << 50)
#define MAX_RATE 1000000
/* clang-format off */
#define AT(member) (uint32_t)offsetof(Model, member), (uint32_t)sizeof(((Model *)NULL)->member)
#define TEXT(section, member)              { section, #member, FIELD_TEXT, AT(member), 0, 0, false }
#define FLAG(section, member)              { section, #member, FIELD_FLAG, AT(member), 0, 1, false }
#define COUNT(section, member, min, max)   { section, #member, FIELD_COUNT, AT(member), min, max, false }
#define BYTES(section, member, min)        { section, #member, FIELD_LONG, AT(member), min, MAX_BYTES, false }
#define RATE(section, member)              { section, #member, FIELD_REAL, AT(member), 0, MAX_RATE, false }
#define NS(section, key, member)           { section, key, FIELD_LONG, AT(member), 0, MAX_NS, false }
#define GAP(key)                           NS("gaps", #key, gap_##key)
#define COST(key, member)                  NS("costs", key, costs.member)
#define TRACED(key, member)                NS("traced", key, traced.member)
#define OPTIONAL_RATE(section, key, member) { section, key, FIELD_REAL, AT(member), 0, MAX_RATE, true }
#define OPTIONAL_WHOLE(section, key, member) { section, key, FIELD_LONG, AT(member), 0, MAX_NS, true }
#define PATH(name, member) \
    { "copies", name "_bytes_per_ns", FIELD_REAL, AT(member.bytes_per_ns), 0, MAX_RATE, false }, \
    NS("copies", name "_fixed_ns", member.fixed_ns)
/* clang-format on */

static const Field fields[] = {
    TEXT("model", card),
    TEXT("model", note),
    FLAG("model", exact),
    TEXT("model", unit_name),
    {"model", "unit_ns", FIELD_LONG, AT(unit_ns), 1, MAX_NS, false},
    NS("model", "stage_ns", stage_ns),
    COUNT("model", devices, 1, DEVICES_MOST),
    {"model", "devices_measured", FIELD_COUNT, AT(devices_measured), 0, DEVICES_MOST, true},

    PATH("h2d", h2d),
    PATH("d2h", d2h),
    PATH("h2d_pageable", h2d_pageable),
    PATH("d2h_pageable", d2h_pageable),
    PATH("h2h", h2h),
    PATH("d2d", d2d),
    PATH("p2p", p2p),
    {"copies", "p2p_ports", FIELD_FLAG, AT(p2p_ports), 0, 1, true},
    OPTIONAL_RATE("copies", "p2p_staged_bytes_per_ns", p2p_staged.bytes_per_ns),
    OPTIONAL_WHOLE("copies", "p2p_staged_fixed_ns", p2p_staged.fixed_ns),
    {"copies", "p2p_staged_factor", FIELD_REAL, AT(p2p_staged_factor), 0, 1, true},
    PATH("memset", memset_),
    BYTES("copies", staged_bytes, 0),
    RATE("copies", staging_bytes_per_ns),
    OPTIONAL_WHOLE("copies", "staging_fixed_ns", staging_fixed_ns),
    OPTIONAL_WHOLE("copies", "staging_chunk_bytes", staging_chunk_bytes),
    OPTIONAL_RATE("copies", "h2d_pageable_again_bytes_per_ns", h2d_pageable_again_bytes_per_ns),
    OPTIONAL_RATE("copies", "staging_again_bytes_per_ns", staging_again_bytes_per_ns),
    OPTIONAL_WHOLE("copies", "again_bytes", again_bytes),
    OPTIONAL_WHOLE("copies", "page_read_ns", page_read_ns),
    OPTIONAL_WHOLE("copies", "page_write_ns", page_write_ns),
    {"copies", "duplex_factor_h2d", FIELD_REAL, AT(duplex_factor), 0, 1, false},
    {"copies", "duplex_factor_d2h", FIELD_REAL, AT(duplex_factor_d2h), 0, 1, false},
    OPTIONAL_WHOLE("copies", "duplex_fixed_h2d_ns", duplex_fixed_h2d),
    OPTIONAL_WHOLE("copies", "duplex_fixed_d2h_ns", duplex_fixed_d2h),

    NS("kernels", "fixed_ns", kernel_fixed_ns),
    RATE("kernels", memory_bytes_per_ns),
    RATE("kernels", ns_per_kiloaccess),
    OPTIONAL_RATE("kernels", "ns_per_kiloaccess_l2", ns_per_kiloaccess_l2),
    OPTIONAL_RATE("kernels", "host_read_bytes_per_ns", host_read_bytes_per_ns),
    OPTIONAL_RATE("kernels", "host_write_bytes_per_ns", host_write_bytes_per_ns),
    {"kernels", "host_both_share", FIELD_REAL, AT(host_both_share), 0, 1, true},
    OPTIONAL_WHOLE("kernels", "host_latency_ns", host_latency_ns),
    OPTIONAL_WHOLE("kernels", "grid_barrier_ns", grid_barrier_ns),
    OPTIONAL_WHOLE("kernels", "cluster_barrier_ns", cluster_barrier_ns),

    GAP(kernel_kernel),
    GAP(kernel_copy),
    GAP(copy_kernel),
    GAP(copy_copy),
    GAP(event),
    GAP(host_fn),
    GAP(after_host_fn),
    GAP(host_fn_host_fn),
    GAP(copy_turn),
    GAP(copy_stream),
    GAP(copy_beside_h2d),
    GAP(copy_beside_d2h),
    OPTIONAL_WHOLE("gaps", "graph_node", gap_graph_node),
    OPTIONAL_WHOLE("gaps", "graph_graph", gap_graph_graph),
    OPTIONAL_WHOLE("gaps", "graph_condition", gap_graph_condition),
    OPTIONAL_WHOLE("gaps", "graph_again", gap_graph_again),
    OPTIONAL_WHOLE("gaps", "graph_after", gap_graph_after),
    GAP(trigger),
    GAP(depend),
    OPTIONAL_WHOLE("gaps", "event_peer", gap_event_peer),
    OPTIONAL_WHOLE("gaps", "p2p_target", gap_p2p_target),
    OPTIONAL_WHOLE("gaps", "p2p_target_next", gap_p2p_target_next),
    NS("gaps", "issue", issue_latency),
    GAP(return ),

    COST("launch", launch),
    COST("memcpy_async", memcpy_async),
    COST("memcpy_sync", memcpy_sync),
    COST("memcpy_d2d", memcpy_d2d),
    COST("memset", memset),
    COST("event_record", event_record),
    COST("stream_wait", stream_wait),
    COST("event_query", event_query),
    COST("stream_query", stream_query),
    COST("stream_sync", stream_sync),
    COST("event_sync", event_sync),
    COST("device_sync", device_sync),
    COST("host_fn", host_fn),
    COST("malloc_async", malloc_async),
    COST("stream_create", stream_create),
    COST("stream_destroy", stream_destroy),
    COST("event_create", event_create),
    COST("event_destroy", event_destroy),
    COST("malloc", malloc_),
    COST("free", free_),
    COST("malloc_host", malloc_host),
    COST("malloc_host_per_mib", malloc_host_per_mib),
    COST("free_host", free_host),
    COST("other", other),
    COST("clock_read", clock_read),
    RATE("costs", host_bytes_per_ns),
    OPTIONAL_RATE("costs", "host_set_bytes_per_ns", host_set_bytes_per_ns),
    OPTIONAL_WHOLE("costs", "sleep_late_ns", sleep_late_ns),
    OPTIONAL_WHOLE("costs", "free_host_per_mib", costs.free_host_per_mib),
    OPTIONAL_WHOLE("costs", "host_register", costs.host_register),
    OPTIONAL_WHOLE("costs", "host_register_per_mib", costs.host_register_per_mib),
    OPTIONAL_WHOLE("costs", "host_unregister_per_mib", costs.host_unregister_per_mib),
    OPTIONAL_WHOLE("costs", "memcpy_peer", costs.memcpy_peer),
    OPTIONAL_WHOLE("costs", "memcpy_peer_target", costs.memcpy_peer_target),
    OPTIONAL_WHOLE("costs", "memcpy_peer_staged", costs.memcpy_peer_staged),
    OPTIONAL_WHOLE("costs", "set_device", costs.set_device),
    OPTIONAL_WHOLE("costs", "thread_create", costs.thread_create),
    OPTIONAL_WHOLE("costs", "thread_start", costs.thread_start),
    OPTIONAL_WHOLE("costs", "thread_join", costs.thread_join),
    OPTIONAL_WHOLE("costs", "thread_first_call", costs.thread_first_call),
    OPTIONAL_WHOLE("costs", "call_first", costs.call_first),
    OPTIONAL_WHOLE("costs", "launch_first", costs.launch_first),
    OPTIONAL_WHOLE("costs", "launch_load", costs.launch_load),
    OPTIONAL_WHOLE("costs", "pool_first", costs.pool_first),
    OPTIONAL_WHOLE("costs", "pool_grow_per_mib", costs.pool_grow_per_mib),
    OPTIONAL_WHOLE("costs", "graph_launch", costs.graph_launch),
    OPTIONAL_WHOLE("costs", "graph_launch_per_node", costs.graph_launch_per_node),
    OPTIONAL_WHOLE("costs", "graph_launch_per_other", costs.graph_launch_per_other),
    OPTIONAL_WHOLE("costs", "graph_upload_per_node", costs.graph_upload_per_node),
    OPTIONAL_WHOLE("costs", "graph_instantiate", costs.graph_instantiate),
    OPTIONAL_WHOLE("costs", "graph_instantiate_per_node", costs.graph_instantiate_per_node),
    OPTIONAL_WHOLE("costs", "graph_capture", costs.graph_capture),

    TRACED("launch", launch),
    TRACED("memcpy_async", memcpy_async),
    TRACED("memcpy_sync", memcpy_sync),
    TRACED("memcpy_d2d", memcpy_d2d),
    TRACED("memset", memset),
    TRACED("event_record", event_record),
    TRACED("stream_wait", stream_wait),
    TRACED("event_query", event_query),
    TRACED("stream_query", stream_query),
    TRACED("stream_sync", stream_sync),
    TRACED("event_sync", event_sync),
    TRACED("device_sync", device_sync),
    TRACED("host_fn", host_fn),
    TRACED("malloc_async", malloc_async),
    TRACED("stream_create", stream_create),
    TRACED("stream_destroy", stream_destroy),
    TRACED("event_create", event_create),
    TRACED("event_destroy", event_destroy),
    TRACED("malloc", malloc_),
    TRACED("free", free_),
    TRACED("malloc_host", malloc_host),
    TRACED("malloc_host_per_mib", malloc_host_per_mib),
    TRACED("free_host", free_host),
    TRACED("other", other),
    TRACED("clock_read", clock_read),
    OPTIONAL_WHOLE("traced", "free_host_per_mib", traced.free_host_per_mib),
    OPTIONAL_WHOLE("traced", "host_register", traced.host_register),
    OPTIONAL_WHOLE("traced", "host_register_per_mib", traced.host_register_per_mib),
    OPTIONAL_WHOLE("traced", "host_unregister_per_mib", traced.host_unregister_per_mib),
    OPTIONAL_WHOLE("traced", "memcpy_peer", traced.memcpy_peer),
    OPTIONAL_WHOLE("traced", "memcpy_peer_target", traced.memcpy_peer_target),
    OPTIONAL_WHOLE("traced", "memcpy_peer_staged", traced.memcpy_peer_staged),
    OPTIONAL_WHOLE("traced", "set_device", traced.set_device),
    OPTIONAL_WHOLE("traced", "thread_create", traced.thread_create),
    OPTIONAL_WHOLE("traced", "thread_start", traced.thread_start),
    OPTIONAL_WHOLE("traced", "thread_join", traced.thread_join),
    OPTIONAL_WHOLE("traced", "thread_first_call", traced.thread_first_call),
    OPTIONAL_WHOLE("traced", "call_first", traced.call_first),
    OPTIONAL_WHOLE("traced", "launch_first", traced.launch_first),
    OPTIONAL_WHOLE("traced", "launch_load", traced.launch_load),
    OPTIONAL_WHOLE("traced", "pool_first", traced.pool_first),
    OPTIONAL_WHOLE("traced", "pool_grow_per_mib", traced.pool_grow_per_mib),
    OPTIONAL_WHOLE("traced", "graph_launch", traced.graph_launch),
    OPTIONAL_WHOLE("traced", "graph_launch_per_node", traced.graph_launch_per_node),
    OPTIONAL_WHOLE("traced", "graph_launch_per_other", traced.graph_launch_per_other),
    OPTIONAL_WHOLE("traced", "graph_upload_per_node", traced.graph_upload_per_node),
    OPTIONAL_WHOLE("traced", "graph_instantiate", traced.graph_instantiate),
    OPTIONAL_WHOLE("traced", "graph_instantiate_per_node", traced.graph_instantiate_per_node),
    OPTIONAL_WHOLE("traced", "graph_capture", traced.graph_capture),

    COUNT("limits", hardware_queues, 1, 32),
    COUNT("limits", resident_grids, 1, 65536),
    FLAG("limits", room_limited),
    {"limits", "sm_clock_ghz", FIELD_REAL, AT(sm_clock_ghz), 0, 100, false},
    COUNT("limits", sm_count, 1, 4096),
    {"limits", "gpc_sms", FIELD_TEXT, AT(gpc_sms), 0, 0, true},
    COUNT("limits", warp_size, 1, 64),
    COUNT("limits", major, 1, 99),
    COUNT("limits", minor, 0, 9),
    COUNT("limits", max_threads_per_block, 1, 1024),
    COUNT("limits", max_threads_per_sm, 1, 65536),
    COUNT("limits", max_blocks_per_sm, 1, 64),
    COUNT("limits", registers_per_sm, 1, 1 << 24),
    COUNT("limits", memory_bus_bits, 1, 1 << 20),
    COUNT("limits", memory_clock_khz, 1, 1 << 30),
    COUNT("limits", l2_bytes, 1, 1 << 30),
    COUNT("limits", async_engine_count, 0, 16),
    COUNT("limits", pci_bus, 0, 255),
    COUNT("limits", priority_low, -100, 100),
    COUNT("limits", priority_high, -100, 100),
    BYTES("limits", shared_per_block, 1),
    BYTES("limits", shared_per_block_optin, 1),
    BYTES("limits", shared_per_sm, 1),
    BYTES("limits", constant_bytes, 1),
    BYTES("limits", memory_bytes, 1 << 20),
    COUNT("limits", invalid_configuration_code, 1, 9),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

/* ---- reading ---- */

typedef struct Reading {
    Model model;
    bool seen[N_FIELDS];
    bool class_seen[MODEL_ENGINES], order_seen[MODEL_ENGINES];
    char text[512]; /* the first complaint; "" so far none */
} Reading;

static int complain(Reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int complain(Reading *reading, const char *format, ...)
{
    va_list list;
    if (reading->text[0]) return 0;
    va_start(list, format);
    vsnprintf(reading->text, sizeof reading->text, format, list);
    va_end(list);
    return 0;
}

/* A whole decimal number, with its sign where one makes sense: no blanks, no 0x, no locale. */
static bool whole_number(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    uint64_t sum = 0;
    if (negative) text++;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || sum > (uint64_t)INT64_MAX / 10 - 1) return false;
        sum = sum * 10 + (uint64_t)(*text - '0');
    }
    *value = negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

/* Digits with a point, at most nine of them behind it. strtod would listen to the program's
 * locale. */
static bool real_number(const char *text, double *value)
{
    double sum = 0, scale = 1;
    int before = 0, after = 0;
    for (; *text >= '0' && *text <= '9'; text++, before++) sum = sum * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++, after++)
            sum = sum * 10 + (*text - '0'), scale *= 10;
    if (*text || before == 0 || before > 15 || after > 9) return false;
    *value = sum / scale;
    return true;
}

static int set_field(Reading *reading, const Field *field, const char *value)
{
    void *to = (char *)&reading->model + field->offset;
    int64_t number;
    double real;

    switch (field->type) {
    case FIELD_TEXT:
        if (!*value) return complain(reading, "%s is empty", field->key);
        if (strlen(value) >= field->size)
            return complain(reading, "%s is longer than %u characters", field->key,
                            field->size - 1);
        memcpy(to, value, strlen(value) + 1);
        return 1;
    case FIELD_FLAG:
        if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return complain(reading, "%s is \"%.40s\": write yes or no", field->key, value);
        *(bool *)to = value[0] == 'y';
        return 1;
    case FIELD_REAL:
        if (!real_number(value, &real))
            return complain(reading, "%s is \"%.40s\": write a number such as 12.5", field->key,
                            value);
        if (real < (double)field->min || real > (double)field->max)
            return complain(reading, "%s is %.40s: it must lie between %lld and %lld", field->key,
                            value, (long long)field->min, (long long)field->max);
        *(double *)to = real;
        return 1;
    case FIELD_COUNT:
    case FIELD_LONG:
        if (!whole_number(value, &number))
            return complain(reading, "%s is \"%.40s\": write a whole number", field->key, value);
        if (number < field->min || number > field->max)
            return complain(reading, "%s is %.40s: it must lie between %lld and %lld", field->key,
                            value, (long long)field->min, (long long)field->max);
        if (field->type == FIELD_COUNT) *(int *)to = (int)number;
        else *(uint64_t *)to = (uint64_t)number;
        return 1;
    }
    return 0;
}

static int set_engine(Reading *reading, const char *name, const char *key, const char *value)
{
    static const char *const words[] = {"h2d", "d2h", "copy", "compute"}; /* as the trace's engine
                                                                             classes */
    Model *model = &reading->model;
    int i = 0;

    if (!*name) return complain(reading, "an engine needs a name: [engine NAME]");
    while (i < model->n_engines && strcmp(model->engines[i].name, name) != 0) i++;
    if (i == MODEL_ENGINES) return complain(reading, "more than %d engines", MODEL_ENGINES);
    if (i == model->n_engines) {
        model->n_engines++;
        snprintf(model->engines[i].name, sizeof model->engines[i].name, "%s", name);
    }
    if (strcmp(key, "class") == 0) {
        if (reading->class_seen[i])
            return complain(reading, "[engine %s] has two lines for class", name);
        for (int class_ = 0; class_ < 4; class_++)
            if (strcmp(value, words[class_]) == 0) {
                model->engines[i].class_ = (TraceEngineClass)class_;
                reading->class_seen[i] = true;
                return 1;
            }
        return complain(reading, "class is \"%.40s\": write h2d, d2h, copy or compute", value);
    }
    if (strcmp(key, "order") == 0) {
        static const char *const orders[] = {"ready", "issue", "stream"};
        int order = 0;
        if (reading->order_seen[i])
            return complain(reading, "[engine %s] has two lines for order", name);
        while (order < 3 && strcmp(value, orders[order]) != 0) order++;
        if (order == 3)
            return complain(reading, "order is \"%.40s\": write ready, issue or stream", value);
        model->engines[i].order = (ModelOrder)order;
        reading->order_seen[i] = true;
        return 1;
    }
    return complain(reading, "unknown key \"%.40s\" in [engine %s]: an engine has class and order",
                    key, name);
}

static int set_key(void *user, const char *section, const char *key, const char *value)
{
    Reading *reading = user;
    bool known = false;

    if (strncmp(section, "engine", 6) == 0 && (section[6] == ' ' || !section[6]))
        return set_engine(reading, section + 6 + strspn(section + 6, " "), key, value);
    for (int i = 0; i < N_FIELDS; i++) {
        if (strcmp(section, fields[i].section) != 0) continue;
        known = true;
        if (strcmp(key, fields[i].key) != 0) continue;
        if (reading->seen[i]) return complain(reading, "[%s] has two lines for %s", section, key);
        reading->seen[i] = true;
        return set_field(reading, &fields[i], value);
    }
    if (known) return complain(reading, "unknown key \"%.40s\" in [%s]", key, section);
    if (!*section) return complain(reading, "\"%.40s\" stands before the first [section]", key);
    return complain(
        reading,
        "unknown section [%.40s]: there are model, limits, engine NAME, copies, kernels, gaps, "
        "costs and traced",
        section);
}

/* ---- checks that the ini library does not make ---- */

/* The number of the first line that is not plain ini, with a complaint, or 0; *last is the number
 * of the last one. */
static int check_lines(Reading *reading, const char *text, size_t length, int *last)
{
    int number = 0;
    for (size_t at = 0; at < length;) {
        const char *line = text + at, *end = memchr(line, '\n', length - at);
        size_t n = end ? (size_t)(end - line) : length - at;
        at += n + 1;
        number++;
        if (n > 0 && line[n - 1] == '\r') n--;
        for (size_t i = 0; i < n; i++)
            if ((unsigned char)line[i] < 0x20 && line[i] != '\t') {
                complain(reading, "byte 0x%02x: this is not a text file", (unsigned char)line[i]);
                return number;
            }
        if (n > MAX_LINE) {
            complain(reading, "the line is longer than %d characters", MAX_LINE);
            return number;
        }
        if (n == 0 || line[0] == '#' || line[0] == ';') continue;
        if (line[0] == ' ' || line[0] == '\t') {
            if (strspn(line, " \t\r") >= n) continue;
            complain(reading, "the line begins with a blank: write key = value from its start");
            return number;
        }
        if (line[0] == '[' ? !memchr(line, ']', n) || n > MAX_HEADING : !memchr(line, '=', n)) {
            complain(reading,
                     line[0] == '[' ? "write a heading as [section], at most %d characters"
                                    : "neither key = value, [section] nor a comment (#)",
                     MAX_HEADING);
            return number;
        }
    }
    *last = number ? number : 1;
    return 0;
}

static bool section_seen(const Reading *reading, const char *section)
{
    for (int i = 0; i < N_FIELDS; i++)
        if (reading->seen[i] && strcmp(fields[i].section, section) == 0) return true;
    return false;
}

static int check_complete(Reading *reading)
{
    const Model *model = &reading->model;
    bool timed = model->stage_ns == 0;

    for (int i = 0; i < N_FIELDS; i++) {
        const char *section = fields[i].section;
        bool needed =
            strcmp(section, "model") == 0 || strcmp(section, "limits") == 0 ||
            (timed && (strcmp(section, "copies") == 0 || strcmp(section, "kernels") == 0));
        bool begun = section_seen(reading, section);
        if (!timed && strcmp(section, "copies") == 0) { /* a textbook's copies need no bandwidths,
                                                           but this bound */
            needed = strcmp(fields[i].key, "staged_bytes") == 0;
            begun = false;
        }
        if (!reading->seen[i] && (needed || begun) && !fields[i].optional)
            return complain(reading, "the file ends and [%s] lacks %s", section, fields[i].key);
    }
    for (int i = 0; i < model->n_engines; i++)
        if (!reading->class_seen[i] || !reading->order_seen[i])
            return complain(reading, "the file ends and [engine %s] lacks %s",
                            model->engines[i].name, reading->class_seen[i] ? "order" : "class");
    return 1;
}

int model_next_gpc(const char **at)
{
    long n = 0;
    *at += strspn(*at, " ");
    for (; isdigit((unsigned char)**at) && n < 10000; ++*at) n = 10 * n + (**at - '0');
    return **at && **at != ' ' ? 0 : (int)n;
}

static bool gpcs_add_up(const Model *model)
{
    const char *at = model->gpc_sms;
    int all = 0;
    for (int n; (n = model_next_gpc(&at));) all += n;
    return !*at && (all == model->sm_count || !*model->gpc_sms);
}

static int check_sense(Reading *reading)
{
    const Model *model = &reading->model;
    int of[TRACE_ENGINE_CLASSES] = {0};

    for (int i = 0; i < model->n_engines; i++) of[model->engines[i].class_]++;
    if (of[TRACE_ENGINE_COMPUTE] != 1)
        return complain(reading, "there must be one engine of class compute");
    if (!of[TRACE_ENGINE_COPY] && !(of[TRACE_ENGINE_H2D] && of[TRACE_ENGINE_D2H]))
        return complain(
            reading,
            "copies need an engine of class h2d and one of class d2h, or one of class copy");
    if (!gpcs_add_up(model))
        return complain(reading, "gpc_sms must be whole numbers with blanks between, %d in all",
                        model->sm_count);
    if (model->priority_high > model->priority_low)
        return complain(reading,
                        "priority_high %d is above priority_low %d: lower numbers are more urgent",
                        model->priority_high, model->priority_low);
    if (model->shared_per_block > model->shared_per_block_optin ||
        model->shared_per_block_optin > model->shared_per_sm)
        return complain(reading,
                        "shared_per_block, shared_per_block_optin and shared_per_sm must not fall");
    if (model->max_threads_per_block > model->max_threads_per_sm)
        return complain(reading, "max_threads_per_block is above max_threads_per_sm");
    if (model->duplex_factor <= 0 || model->duplex_factor_d2h <= 0 || model->p2p_staged_factor <= 0)
        return complain(reading, "a duplex factor, and p2p_staged_factor, must be above 0");
    if (model->sm_clock_ghz <= 0) return complain(reading, "sm_clock_ghz must be above 0");
    if (model->invalid_configuration_code != 1 && model->invalid_configuration_code != 9)
        return complain(reading, "invalid_configuration_code must be 1 or 9");
    return 1;
}

/* ---- changes: NAME+KEY=VALUE+KEY=VALUE ---- */

/* One change, of a word that ends at '+' or with the text. A key that several sections have is the
 * first's, unless its section is named: gaps.host_fn. */
static int change(Reading *reading, const char *word, size_t length)
{
    char text[256], *value, *key = text;
    const char *section = NULL;
    int found = -1;

    if (length >= sizeof text) return complain(reading, "a change is KEY=VALUE, and not so long");
    memcpy(text, word, length);
    text[length] = '\0';
    if (!(value = strchr(text, '=')) || value == text)
        return complain(reading, "\"%.60s\": a change is KEY=VALUE, such as launch=1000", text);
    *value++ = '\0';
    if (strchr(text, '.')) {
        section = text;
        key = strchr(text, '.');
        *key++ = '\0';
    }
    for (int i = N_FIELDS - 1; i >= 0; i--) {
        if (strcmp(fields[i].key, key) || fields[i].type == FIELD_TEXT) continue;
        if (section ? !strcmp(fields[i].section, section)
                    : strcmp(fields[i].section, "traced") != 0)
            found = i;
    }
    if (found < 0)
        return complain(reading, "a device model has no number \"%.60s\" to change", key);
    if (!strcmp(key, "sm_count")) reading->model.gpc_sms[0] = '\0'; /* another chip */
    return set_field(reading, &fields[found], value);
}

static int make_changes(Reading *reading, const char *changes)
{
    int fine = 1;
    while (fine && changes && *changes == '+') {
        size_t length = strcspn(++changes, "+");
        fine = change(reading, changes, length);
        changes += length;
    }
    return fine;
}

/* ---- the interface ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_in_ini(const char *name)
{
    size_t n = strcspn(name, "+");
    return n > 4 && strncmp(name + n - 4, ".ini", 4) == 0;
}

/* More cards than anyone has measured: the links are those of the few, and the model says so. */
static void say_what_links_are_of(Model *model)
{
    size_t used = strlen(model->note);
    if (!model->devices_measured || model->devices <= model->devices_measured) return;
    snprintf(model->note + used, sizeof model->note - used,
             "%s%d cards: built from what %d were measured to do", used ? "; " : "", model->devices,
             model->devices_measured);
}

/* changes: NULL, or what model_load says of them. */
static int parse(Model *model, const char *name, const char *text, size_t length,
                 const char *changes, char *error, size_t error_size)
{
    const char *base = base_name(name);
    size_t base_length = strlen(base) - (ends_in_ini(base) ? 4 : 0);
    Reading *reading = calloc(1, sizeof *reading);
    char *copy = NULL;
    int line = 0, last = 1;

    if (!reading) {
        snprintf(error, error_size, "%s: out of memory", name);
        return -1;
    }
    reading->model.duplex_factor = reading->model.duplex_factor_d2h =
        reading->model.p2p_staged_factor = 1;
    if (base_length >= MODEL_TEXT) base_length = MODEL_TEXT - 1;
    memcpy(reading->model.name, base, base_length);

    if (length > MAX_TEXT) {
        line = 1;
        complain(reading, "the file is larger than %d bytes: this is no device model", MAX_TEXT);
    } else if (!(copy = malloc(length + 1))) {
        line = 1;
        complain(reading, "out of memory");
    } else if ((line = check_lines(reading, text, length, &last)) == 0) {
        memcpy(copy, text, length);
        copy[length] = '\0';
        line = ini_parse_string(copy, set_key, reading);
        if (line < 0 || (line > 0 && !reading->text[0]))
            complain(reading, "the ini reader gave up");
        if (line == 0 && (!check_complete(reading) || !check_sense(reading))) line = last;
        if (line < 0) line = 1;
    }
    if (line) {
        snprintf(error, error_size, "%s:%d: %s", name, line, reading->text);
    } else if (!make_changes(reading, changes) || !check_sense(reading)) {
        snprintf(error, error_size, "model %.*s%.150s: %s", (int)base_length, base, changes,
                 reading->text);
        line = 1;
    }
    if (!section_seen(reading, "traced")) reading->model.traced = reading->model.costs;
    if (!line) *model = reading->model;
    if (!line) say_what_links_are_of(model);
    free(copy);
    free(reading);
    return line ? -1 : 0;
}

int model_parse(Model *model, const char *name, const char *text, size_t length, char *error,
                size_t error_size)
{
    return parse(model, name, text, length, NULL, error, error_size);
}

static int load_file(Model *model, const char *path, const char *changes, char *error,
                     size_t error_size)
{
    char *text = malloc(MAX_TEXT + 1);
    FILE *file = fopen(path, "rb");
    size_t length = 0;
    int status = -1;

    if (text && file) length = fread(text, 1, MAX_TEXT + 1, file);
    if (!text || !file || ferror(file))
        snprintf(error, error_size, "%s: cannot read this device model: %s", path, strerror(errno));
    else status = parse(model, path, text, length, changes, error, error_size);
    if (file) fclose(file);
    free(text);
    return status;
}

/* A path may be followed by changes; of a file that has a '+' in its name it is the name. */
static int load_path(Model *model, const char *name, const char *changes, char *error,
                     size_t error_size)
{
    char path[4096];
    size_t length = changes ? (size_t)(changes - name) : strlen(name);
    if (!changes || access(name, R_OK) == 0 || length >= sizeof path)
        return load_file(model, name, NULL, error, error_size);
    memcpy(path, name, length);
    path[length] = '\0';
    int status = load_file(model, path, changes, error, error_size);
    size_t used = strlen(model->name);
    if (!status) snprintf(model->name + used, sizeof model->name - used, "%s", changes);
    return status;
}

/* One that is a file of $THREELANE_DEVICES, or built in: 0 or -1, and *found. */
static int load_named(Model *model, const char *name, const char *changes, bool *found, char *error,
                      size_t error_size)
{
    const char *directory = getenv(ENV_DEVICES);

    if (directory && *directory && *name) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s.ini", directory, name);
        if (length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0)
            return load_file(model, path, changes, error, error_size);
    }
    for (const Builtin *builtin = model_builtin; builtin->name; builtin++)
        if (strcmp(builtin->name, name) == 0) {
            char file_name[sizeof model->name + sizeof ".ini"];
            snprintf(file_name, sizeof file_name, "%s.ini", name);
            return parse(model, file_name, builtin->text, (size_t)(builtin->end - builtin->text),
                         changes, error, error_size);
        }
    *found = false;
    return -1;
}

int model_load(Model *model, const char *name, char *error, size_t error_size)
{
    const char *slash = strrchr(name, '/'), *changes = strchr(slash ? slash : name, '+');
    char plain[sizeof model->name];
    bool found = true;
    int status;
    size_t used;

    if (slash || ends_in_ini(name)) return load_path(model, name, changes, error, error_size);
    if (strlen(name) >= sizeof plain) {
        snprintf(error, error_size, "a model's name has at most %zu characters, not %zu",
                 sizeof plain - 1, strlen(name));
        return -1;
    }
    snprintf(plain, sizeof plain, "%.*s", (int)(changes ? changes - name : (ptrdiff_t)strlen(name)),
             name);
    status = load_named(model, plain, changes, &found, error, error_size);
    if (found) {
        if (status == 0) snprintf(model->name, sizeof model->name, "%s", name);
        return status;
    }
    used = (size_t)snprintf(error, error_size, "no device model \"%.60s\"; there are", plain);
    for (const Builtin *builtin = model_builtin; builtin->name && used < error_size; builtin++)
        used += (size_t)snprintf(error + used, error_size - used, " %s", builtin->name);
    if (used < error_size)
        snprintf(error + used, error_size - used, ", or the path of an ini file");
    return -1;
}

const char *const *model_names(void)
{
    static const char *names[MAX_BUILTIN + 1];
    for (int i = 0; i < MAX_BUILTIN && model_builtin[i].name; i++) names[i] = model_builtin[i].name;
    return names;
}

/* ---- writing ---- */

/* A value as the file has it: digits only, whatever the locale, and no more of them than the number
 * has. */
static void value_text(const Model *model, const Field *field, char *text, size_t size)
{
    const void *at = (const char *)model + field->offset;
    switch (field->type) {
    case FIELD_TEXT: snprintf(text, size, "%s", (const char *)at); break;
    case FIELD_FLAG: snprintf(text, size, "%s", *(const bool *)at ? "yes" : "no"); break;
    case FIELD_COUNT: snprintf(text, size, "%d", *(const int *)at); break;
    case FIELD_LONG: snprintf(text, size, "%llu", (unsigned long long)*(const uint64_t *)at); break;
    case FIELD_REAL: {
        unsigned long long milli = (unsigned long long)(*(const double *)at * 1e6 + 0.5);
        int n = snprintf(text, size, "%llu.%06llu", milli / 1000000, milli % 1000000);
        while (n > 0 && text[n - 1] == '0') text[--n] = '\0';
        if (n > 0 && text[n - 1] == '.') text[--n] = '\0';
        break;
    }
    }
}

static void write_remark(FILE *file, const char *text)
{
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        fprintf(file, "# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

int model_write(FILE *file, const Model *model,
                const char *(*remark)(void *, const char *, const char *), void *user)
{
    static const char *const classes[] = {"h2d", "d2h", "copy", "compute"};
    static const char *const orders[] = {"ready", "issue", "stream"};
    const char *section = "";
    char text[4 * MODEL_TEXT + 1];

    for (int i = 0; i < N_FIELDS; i++) {
        if (strcmp(section, fields[i].section) != 0) {
            if (*section) fputc('\n', file);
            if (!strcmp(section, "model"))
                for (int k = 0; k < model->n_engines; k++)
                    fprintf(file, "[engine %s]\nclass = %s\norder = %s\n\n", model->engines[k].name,
                            classes[model->engines[k].class_], orders[model->engines[k].order]);
            section = fields[i].section;
            write_remark(file, remark ? remark(user, section, NULL) : NULL);
            fprintf(file, "[%s]\n", section);
        }
        value_text(model, &fields[i], text, sizeof text);
        if (!*text && fields[i].optional) continue;
        write_remark(file, remark ? remark(user, section, fields[i].key) : NULL);
        fprintf(file, "%s = %s\n", fields[i].key, text);
    }
    return ferror(file) ? -1 : 0;
}

void model_differences(const Model *before, const Model *after,
                       void (*differs)(void *, const char *, const char *, const char *,
                                       const char *),
                       void *user)
{
    char a[4 * MODEL_TEXT + 1], b[4 * MODEL_TEXT + 1];
    for (int i = 0; i < N_FIELDS; i++) {
        value_text(before, &fields[i], a, sizeof a);
        value_text(after, &fields[i], b, sizeof b);
        if (strcmp(a, b) != 0) differs(user, fields[i].section, fields[i].key, a, b);
    }
}

bool model_number(const Model *model, const char *key, double *value)
{
    for (int i = 0; i < N_FIELDS; i++) {
        const Field *field = &fields[i];
        const void *at = (const char *)model + field->offset;
        if (field->type == FIELD_TEXT || strcmp(field->key, key) != 0) continue;
        *value = field->type == FIELD_FLAG    ? *(const bool *)at
                 : field->type == FIELD_COUNT ? *(const int *)at
                 : field->type == FIELD_LONG  ? (double)*(const uint64_t *)at
                                              : *(const double *)at;
        return true;
    }
    return false;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Whether the host decides it: its calls and its own copying. */
static bool is_of_host(const Field *field)
{
    return !strcmp(field->section, "costs") || !strcmp(field->section, "traced") ||
           strstr(field->key, "pageable") || !strncmp(field->key, "staging", 7) ||
           !strncmp(field->key, "h2h", 3) ||
           (!strcmp(field->section, "kernels") && !strncmp(field->key, "host_", 5)) ||
           !strncmp(field->key, "page_", 5) || !strncmp(field->key, "again_", 6);
}

void model_combine(Model *combined, const Model *models, int n)
{
    enum { MOST = 64 };
    double values[MOST];
    *combined = models[0];
    if (n > MOST) n = MOST;
    for (int i = 0; i < N_FIELDS; i++) {
        const Field *field = &fields[i];
        if (field->type == FIELD_TEXT || field->type == FIELD_FLAG) continue;
        for (int k = 0; k < n; k++) {
            const void *at = (const char *)&models[k] + field->offset;
            values[k] = field->type == FIELD_COUNT  ? *(const int *)at
                        : field->type == FIELD_REAL ? *(const double *)at
                                                    : (double)*(const uint64_t *)at;
        }
        qsort(values, (size_t)n, sizeof *values, by_value);
        double value = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
        if (is_of_host(field)) {
            int first = 0; /* what one of them does not say, an earlier probe did not ask */
            while (field->optional && first < n - 1 && values[first] == 0) first++;
            value = values[field->type == FIELD_REAL ? n - 1 : first];
        }
        void *to = (char *)combined + field->offset;
        if (field->type == FIELD_COUNT) *(int *)to = (int)value;
        else if (field->type == FIELD_LONG) *(uint64_t *)to = (uint64_t)value;
        else *(double *)to = value;
    }
}

/* ---- times ---- */

static uint64_t rate_ns(double bytes_per_ns, uint64_t bytes)
{
    double ns = bytes_per_ns > 0 ? (double)bytes / bytes_per_ns : 0;
    return ns < 1e17 ? (uint64_t)(ns + 0.5) : (uint64_t)1e17;
}

static uint64_t path_ns(const ModelCopy *path, uint64_t bytes)
{
    return path->fixed_ns + rate_ns(path->bytes_per_ns, bytes);
}

/* What putting so much aside costs the host. */
static uint64_t staging_ns(const Model *model, uint64_t bytes, ModelPages pages)
{
    double rate = pages.again && model->staging_again_bytes_per_ns > 0
                      ? model->staging_again_bytes_per_ns
                      : model->staging_bytes_per_ns;
    return model->staging_fixed_ns + rate_ns(rate, bytes) + pages.fresh * model->page_read_ns;
}

/* The host's rate for this memory, with the time of its fresh pages spread over all of it. */
static ModelCopy of_host(const Model *model, TraceOpKind kind, uint64_t bytes, ModelPages pages)
{
    ModelCopy host = kind == TRACE_H2D ? model->h2d_pageable : model->d2h_pageable;
    uint64_t page_ns = kind == TRACE_H2D ? model->page_read_ns : model->page_write_ns;

    if (kind == TRACE_H2D && pages.again && model->h2d_pageable_again_bytes_per_ns > 0)
        host.bytes_per_ns = model->h2d_pageable_again_bytes_per_ns;
    if (pages.fresh && page_ns) {
        double ns = host.bytes_per_ns > 0 ? (double)bytes / host.bytes_per_ns : 0;
        host.bytes_per_ns = (double)bytes / (ns + (double)(pages.fresh * page_ns));
    }
    return host;
}

ModelParts model_pageable(const Model *model, TraceOpKind kind, uint64_t bytes, ModelPages pages)
{
    const ModelCopy *dma = kind == TRACE_H2D ? &model->h2d : &model->d2h;
    ModelCopy host = of_host(model, kind, bytes, pages);
    uint64_t piece = model->staging_chunk_bytes < bytes ? model->staging_chunk_bytes : bytes;
    uint64_t least = path_ns(dma, bytes), all = path_ns(&host, bytes);

    if (model->stage_ns) return (ModelParts){.engine_ns = model->stage_ns};
    if (kind == TRACE_H2D && bytes <= model->staged_bytes && model->staging_bytes_per_ns > 0)
        return (ModelParts){staging_ns(model, bytes, pages), least, 0};
    if (!piece) return (ModelParts){.engine_ns = all};
    if (kind == TRACE_H2D) { /* the engine follows the host one piece behind */
        uint64_t first = rate_ns(host.bytes_per_ns, piece), rest = all - first;
        return (ModelParts){first, rest > least ? rest : least, 0};
    }
    /* two buffers: the host has yet to empty both when the engine has filled the last */
    uint64_t first = path_ns(dma, piece),
             two = rate_ns(host.bytes_per_ns, 2 * piece < bytes ? 2 * piece : bytes);
    uint64_t engine = 2 * piece < bytes ? 2 * first + all - two : least;
    if (engine < least) engine = least;
    return (ModelParts){0, engine, first + all > engine ? first + all - engine : 0};
}

uint64_t model_host_access_ns(const Model *model, uint64_t read, uint64_t written, double threads)
{
    enum { AT_ONCE = 4 }; /* bytes that a thread asks for and waits for */
    double reads = model->host_read_bytes_per_ns, writes = model->host_write_bytes_per_ns;
    if (reads <= 0 || writes <= 0 || !(read + written)) return 0;

    double latency = (double)model->host_latency_ns;
    if (latency > 0 && threads * AT_ONCE / latency < reads) reads = threads * AT_ONCE / latency;
    double in = (double)read / reads, out = (double)written / writes;
    double both = in > out ? in + model->host_both_share * out : out + model->host_both_share * in;
    return (uint64_t)(both + 0.5) + model->host_latency_ns;
}

uint64_t model_copy_ns(const Model *model, TraceOpKind kind, bool pageable, uint64_t bytes)
{
    if (kind > TRACE_MEMSET) return 0;
    if (model->stage_ns) return model->stage_ns;
    if (pageable && (kind == TRACE_H2D || kind == TRACE_D2H))
        return model_pageable(model, kind, bytes, (ModelPages){0}).engine_ns;
    switch (kind) {
    case TRACE_H2D: return path_ns(&model->h2d, bytes);
    case TRACE_D2H: return path_ns(&model->d2h, bytes);
    case TRACE_D2D: return path_ns(&model->d2d, bytes);
    case TRACE_H2H: return path_ns(&model->h2h, bytes);
    case TRACE_P2P: return path_ns(&model->p2p, bytes);
    default: return path_ns(&model->memset_, bytes);
    }
}

uint64_t model_staged_peer_ns(const Model *model, uint64_t bytes)
{
    if (model->p2p_staged.bytes_per_ns > 0) return path_ns(&model->p2p_staged, bytes);
    return model_copy_ns(model, TRACE_D2H, false, bytes) +
           model_copy_ns(model, TRACE_H2D, false, bytes);
}

int model_blocks_per_sm(const Model *model, uint32_t threads, uint64_t shared)
{
    uint64_t warp = (uint64_t)model->warp_size, whole = (threads + warp - 1) / warp * warp;
    uint64_t reserved = model->major >= 8 ? 1024 : 0; /* what the system keeps of a block's shared
                                                         memory */
    uint64_t fit = (uint64_t)model->max_blocks_per_sm;

    if (threads == 0 || threads > (uint64_t)model->max_threads_per_block ||
        shared > model->shared_per_block_optin)
        return 0;
    if (fit > (uint64_t)model->max_threads_per_sm / whole)
        fit = (uint64_t)model->max_threads_per_sm / whole;
    if (shared + reserved > 0 && fit > model->shared_per_sm / (shared + reserved))
        fit = model->shared_per_sm / (shared + reserved);
    return (int)fit;
}
