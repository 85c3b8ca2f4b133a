#include "timeline/exports/perfetto.h"
#include "timeline/exports/export.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/trace/analysis.h"
#include "common/json.h"
#include "timeline/trace/labels.h"
#include "timeline/pictures/layout.h"
#include "timeline/pictures/palette.h"

enum {
    HOST_PROCESS = 1,
    FIRST_DEVICE_PROCESS = 2,
    ENGINES_PROCESS = 1000, /* the lanes of all engines: the course's picture */
    LANES = 64,             /* of a row whose work overlaps */
    TEXT = 1024,
    MOST_WORDS = 20000,  /* operations; for more of them there are no sentences and no arrows from
                            calls: the file would be twice as large, and numbers say the same */
    MOST_POINTS = 20000, /* of a counter */
};

typedef struct Writer {
    FILE *out;
    bool any, words;
} Writer;

/* Microseconds, to the nanosecond. */
static void write_time(FILE *out, const char *key, uint64_t ns)
{
    fprintf(out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void begin_event(Writer *w, const char *phase, uint32_t process, uint32_t thread,
                        const char *name)
{
    fprintf(w->out, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"name\":", w->any ? ",\n" : "", phase,
            process, thread);
    json_text(w->out, name);
    w->any = true;
}

static void write_name(Writer *w, const char *what, uint32_t process, uint32_t thread,
                       const char *name, uint32_t place)
{
    bool is_process = strcmp(what, "process") == 0;
    char key[32];
    snprintf(key, sizeof key, "%s_name", what);
    begin_event(w, "M", process, thread, key);
    fputs(",\"args\":{\"name\":", w->out);
    json_text(w->out, name);
    fputs("}}", w->out);
    snprintf(key, sizeof key, "%s_sort_index", what);
    begin_event(w, "M", process, is_process ? 0 : thread, key);
    fprintf(w->out, ",\"args\":{\"sort_index\":%u}}", place);
}

static void write_text_argument(FILE *out, bool *first, const char *key, const char *value)
{
    if (!value[0]) return;
    fprintf(out, "%s\"%s\":", *first ? "" : ",", key);
    json_text(out, value);
    *first = false;
}

static void write_number_argument(FILE *out, bool *first, const char *key, uint64_t value)
{
    fprintf(out, "%s\"%s\":%" PRIu64, *first ? "" : ",", key, value);
    *first = false;
}

static uint64_t end_or_last(const Trace *t, uint64_t start_ns, uint64_t end_ns)
{
    if (end_ns == TRACE_OPEN_NS) end_ns = t->last_ns;
    return end_ns > start_ns ? end_ns : start_ns;
}

static uint32_t process_of(const Trace *t, const TraceOp *op)
{
    uint32_t device = op->stream ? t->streams[op->stream].device : op->device;
    return FIRST_DEVICE_PROCESS + (device ? device - 1 : 0);
}

static void write_names(Writer *w, const Trace *t, const Labels *labels)
{
    char text[TEXT], name[256];
    const char *program = trace_meta(t, "program"), *number = "program-";
    /* an exercise's program has a number in the cache instead of a name */
    if (program && !strncmp(program, number, strlen(number))) program = NULL;
    snprintf(text, sizeof text, "Host%s%s", program ? " " : "", program ? program : "");
    write_name(w, "process", HOST_PROCESS, 0, text, 0);
    for (uint32_t id = 1; id <= t->n_threads; id++) {
        const TraceThread *thread = &t->threads[id];
        const char *role = thread->role == TRACE_THREAD_MAIN     ? "main thread"
                           : thread->role == TRACE_THREAD_DRIVER ? "driver thread (host functions)"
                                                                 : "host thread";
        snprintf(text, sizeof text, "%s%s%.200s", role, thread->name[0] ? " " : "", thread->name);
        write_name(w, "thread", HOST_PROCESS, id, text, id);
    }
    for (uint32_t id = 1; id <= (t->n_devices ? t->n_devices : 1); id++) {
        const char *device = id <= t->n_devices ? t->devices[id].name : "";
        snprintf(text, sizeof text, "GPU %u%s%.200s", id - 1, device[0] ? " " : "", device);
        write_name(w, "process", FIRST_DEVICE_PROCESS + id - 1, 0, text, id);
    }
    for (uint32_t id = 1; id <= t->n_streams; id++) {
        TraceOp op = {.stream = id};
        write_name(w, "thread", process_of(t, &op), id,
                   labels_stream(labels, id, name, sizeof name), id);
    }
}

static void write_host(Writer *w, const Trace *t)
{
    char place[256];
    for (uint32_t id = 1; id <= t->n_ranges; id++) {
        const TraceRange *range = &t->ranges[id];
        if (range->start_ns == TRACE_OPEN_NS) continue;
        begin_event(w, "X", HOST_PROCESS, range->thread, range->name);
        fputs(",\"cat\":\"range\"", w->out);
        write_time(w->out, "ts", range->start_ns);
        write_time(w->out, "dur", end_or_last(t, range->start_ns, range->end_ns) - range->start_ns);
        fputc('}', w->out);
    }
    for (uint32_t id = 1; id <= t->n_calls; id++) {
        const TraceCall *call = &t->calls[id];
        if (call->start_ns == TRACE_OPEN_NS) continue;
        begin_event(w, "X", HOST_PROCESS, call->thread, call->name);
        fputs(",\"cat\":\"cuda_runtime\"", w->out);
        write_time(w->out, "ts", call->start_ns);
        write_time(w->out, "dur", end_or_last(t, call->start_ns, call->end_ns) - call->start_ns);
        fprintf(w->out, ",\"args\":{\"correlation\":%u", id);
        bool first = false;
        if (call->result) fprintf(w->out, ",\"result\":%d", call->result);
        write_text_argument(w->out, &first, "site", analysis_site(call->site, place, sizeof place));
        fputs("}}", w->out);
    }
    for (uint32_t i = 1; i <= t->n_marks; i++) {
        begin_event(w, "i", HOST_PROCESS, t->marks[i].thread, t->marks[i].name);
        fputs(",\"cat\":\"mark\",\"s\":\"t\"", w->out);
        write_time(w->out, "ts", t->marks[i].ns);
        fputc('}', w->out);
    }
    for (uint32_t i = 1; i <= t->n_notes; i++) {
        begin_event(w, "i", HOST_PROCESS, 0, t->notes[i].text);
        fprintf(w->out, ",\"cat\":\"%s\",\"s\":\"g\"", trace_severity_word[t->notes[i].severity]);
        write_time(w->out, "ts", t->notes[i].ns);
        fputc('}', w->out);
    }
}

/* The category as the profiler of PyTorch names it: tools that read its files know these. */
static const char *category(const TraceOp *op)
{
    switch (op->kind) {
    case TRACE_H2D:
    case TRACE_D2H:
    case TRACE_D2D:
    case TRACE_H2H:
    case TRACE_P2P: return "gpu_memcpy";
    case TRACE_MEMSET: return "gpu_memset";
    default: return trace_op_word[op->kind];
    }
}

static void write_shape(Writer *w, const Trace *t, const TraceOp *op, bool *first)
{
    char text[TEXT];
    if (op->bytes) write_number_argument(w->out, first, "bytes", op->bytes);
    if (op->from && w->words)
        write_text_argument(w->out, first, "from", trace_memory_word[op->from]);
    if (op->to && w->words) write_text_argument(w->out, first, "to", trace_memory_word[op->to]);
    if (op->grid.x && w->words) {
        snprintf(text, sizeof text, "%u x %u x %u", op->grid.x, op->grid.y, op->grid.z);
        write_text_argument(w->out, first, "grid", text);
        snprintf(text, sizeof text, "%u x %u x %u", op->block.x, op->block.y, op->block.z);
        write_text_argument(w->out, first, "block", text);
        write_number_argument(w->out, first, "shared_bytes", op->shared_bytes);
    }
    if (op->engine && w->words)
        write_text_argument(w->out, first, "engine", t->engines[op->engine].name);
}

static void write_op(Writer *w, const Trace *t, const Labels *labels, uint32_t id)
{
    const TraceOp *op = &t->ops[id];
    char text[TEXT];
    bool work = trace_op_is_shown(op), first = true;
    begin_event(w, work ? "X" : "i", process_of(t, op), op->stream,
                labels_op(labels, id, text, sizeof text));
    fprintf(w->out, ",\"cat\":\"%s\"", category(op));
    write_time(w->out, "ts", op->start_ns);
    if (work) write_time(w->out, "dur", end_or_last(t, op->start_ns, op->end_ns) - op->start_ns);
    else fputs(",\"s\":\"t\"", w->out);
    fputs(",\"args\":{", w->out);
    write_number_argument(w->out, &first, "stream", op->stream);
    if (op->call) write_number_argument(w->out, &first, "correlation", op->call);
    if (w->words) {
        write_number_argument(w->out, &first, "op", id);
        write_text_argument(w->out, &first, "kind", trace_op_word[op->kind]);
    }
    if (w->words || strncmp(text, op->name, strlen(op->name)) != 0)
        write_text_argument(w->out, &first, "name", op->name);
    write_shape(w, t, op, &first);
    if (op->launch)
        write_text_argument(w->out, &first, "launch",
                            labels_op(labels, op->launch, text, sizeof text));
    if (w->words) {
        write_text_argument(w->out, &first, "issued by", t->calls[op->call].name);
        write_text_argument(w->out, &first, "site", analysis_op_place(t, id, text, sizeof text));
        if (work)
            write_text_argument(w->out, &first, "why",
                                analysis_explain_with(t, labels, id, text, sizeof text));
    } else if (work) {
        const TraceCause *cause = analysis_decisive_cause(t, id);
        if (cause) write_text_argument(w->out, &first, "why", trace_cause_word[cause->kind]);
    }
    fputs("}}", w->out);
}

/* The lanes of the engines, as every other picture shows them. What overlaps in a row gets further
 * lanes: slices of a thread must nest. */
static bool write_engines(Writer *w, const Trace *t, const Labels *labels)
{
    Layout *layout = layout_new(t, labels, false);
    char text[TEXT];
    const char *title = "";
    if (!layout) return false;
    write_name(w, "process", ENGINES_PROCESS, 0, "Engines", 1);
    for (uint32_t r = 0; r < layout->n_rows; r++) {
        const LayoutRow *row = &layout->rows[r];
        uint64_t end_ns[LANES] = {0};
        if (row->host) continue;
        if (row->title[0]) title = row->title;
        uint32_t named = 0;
        for (uint32_t i = 0; i < row->n; i++) {
            const LayoutItem *item = &row->items[i];
            uint32_t lane = 0;
            while (lane < LANES && end_ns[lane] > item->start_ns) lane++;
            if (lane == LANES) continue; /* its stream shows it */
            end_ns[lane] = item->end_ns;
            uint32_t thread = 1 + r * LANES + lane;
            for (; named <= lane; named++)
                write_name(w, "thread", ENGINES_PROCESS, 1 + r * LANES + named, title,
                           r * LANES + named);
            const PaletteColour *colour = &palette[palette_of_item(t, item)];
            begin_event(w, "X", ENGINES_PROCESS, thread,
                        labels_op(labels, item->id, text, sizeof text));
            if (w->words) fprintf(w->out, ",\"cat\":\"lane\",\"cname\":\"%s\"", colour->perfetto);
            write_time(w->out, "ts", item->start_ns);
            write_time(w->out, "dur", item->end_ns - item->start_ns);
            if (w->words) fprintf(w->out, ",\"args\":{\"op\":%u}", item->id);
            fputc('}', w->out);
        }
    }
    layout_free(layout);
    return true;
}

/* ---- counters ---- */

typedef struct Edge {
    uint64_t ns;
    int64_t bytes;
    int32_t step;
} Edge;

static int compare_edges(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    return a->ns < b->ns ? -1 : a->ns > b->ns;
}

/* How many operations run, and how many bytes are being copied: a point wherever that changes, but
 * no more points than a picture could show. */
static bool write_counters(Writer *w, const Trace *t)
{
    Edge *edges = malloc((2 * (size_t)t->n_ops + 1) * sizeof *edges);
    size_t n = 0;
    if (!edges) return false;
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        const TraceOp *op = &t->ops[id];
        if (!trace_op_is_work(op) || op->start_ns == TRACE_OPEN_NS) continue;
        uint64_t end = end_or_last(t, op->start_ns, op->end_ns);
        int64_t bytes = op->kind == TRACE_KERNEL ? 0 : (int64_t)op->bytes;
        if (end == op->start_ns) continue;
        edges[n++] = (Edge){op->start_ns, bytes, 1};
        edges[n++] = (Edge){end, -bytes, -1};
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    uint64_t span = n ? edges[n - 1].ns - edges[0].ns : 0, next = 0;
    int64_t running = 0, bytes = 0;
    for (size_t i = 0; i < n; i++) {
        running += edges[i].step;
        bytes += edges[i].bytes;
        bool more = i + 1 < n;
        if (more && (edges[i + 1].ns == edges[i].ns || edges[i].ns < next)) continue;
        next = n / 2 > MOST_POINTS ? edges[i].ns + span / MOST_POINTS : 0;
        begin_event(w, "C", ENGINES_PROCESS, 0, "running");
        write_time(w->out, "ts", edges[i].ns);
        fprintf(w->out, ",\"args\":{\"operations\":%" PRId64 "}}", running);
        begin_event(w, "C", ENGINES_PROCESS, 0, "bytes in flight");
        write_time(w->out, "ts", edges[i].ns);
        fprintf(w->out, ",\"args\":{\"bytes\":%" PRId64 "}}", bytes);
    }
    free(edges);
    return true;
}

/* ---- arrows ---- */

/* From the call to what it issued. */
static void write_launch(Writer *w, const Trace *t, uint32_t id)
{
    const TraceOp *op = &t->ops[id];
    const TraceCall *call = &t->calls[op->call];
    if (!op->call || call->start_ns == TRACE_OPEN_NS || call->start_ns > op->start_ns ||
        !trace_op_is_work(op))
        return;
    begin_event(w, "s", HOST_PROCESS, call->thread, "launch");
    fprintf(w->out, ",\"cat\":\"ac2g\",\"id\":%u", t->n_causes + id);
    write_time(w->out, "ts", call->start_ns);
    fputc('}', w->out);
    begin_event(w, "f", process_of(t, op), op->stream, "launch");
    fprintf(w->out, ",\"cat\":\"ac2g\",\"bp\":\"e\",\"id\":%u", t->n_causes + id);
    write_time(w->out, "ts", op->start_ns);
    fputc('}', w->out);
}

/* An arrow from inside the last nanosecond of one operation (an arrow at its very end would hang on
 * nothing) to the start of another. */
static void write_arrow(Writer *w, const Trace *t, const TraceCause *cause, uint32_t number)
{
    const TraceOp *from = &t->ops[cause->by_op], *to = &t->ops[cause->op];
    if (!trace_op_is_work(from) || from->start_ns == TRACE_OPEN_NS || from->end_ns == TRACE_OPEN_NS)
        return;
    uint64_t leave = from->end_ns > from->start_ns ? from->end_ns - 1 : from->start_ns;
    begin_event(w, "s", process_of(t, from), from->stream, trace_cause_word[cause->kind]);
    fprintf(w->out, ",\"cat\":\"wait\",\"id\":%u", number);
    write_time(w->out, "ts", leave);
    fputc('}', w->out);
    begin_event(w, "f", process_of(t, to), to->stream, trace_cause_word[cause->kind]);
    fprintf(w->out, ",\"cat\":\"wait\",\"bp\":\"e\",\"id\":%u", number);
    write_time(w->out, "ts", to->start_ns);
    fputc('}', w->out);
}

int perfetto_write(FILE *out, const Trace *t)
{
    Labels *labels = labels_new(t, 0);
    if (!labels) return -1;
    Writer w = {out, false, t->n_ops <= MOST_WORDS};
    bool whole = true;
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", out);
    write_names(&w, t, labels);
    write_host(&w, t);
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        if (t->ops[id].start_ns == TRACE_OPEN_NS) continue;
        write_op(&w, t, labels, id);
        if (w.words) write_launch(&w, t, id);
    }
    if (t->n_ops) whole = write_engines(&w, t, labels) && write_counters(&w, t);
    for (uint32_t i = 1; i <= t->n_causes; i++) {
        const TraceCause *cause = &t->causes[i];
        const TraceOp *op = &t->ops[cause->op];
        /* along a stream the order shows by itself; other waits only where they decided, events
         * always */
        bool arrow = cause->by_op && trace_op_is_work(op) && op->start_ns != TRACE_OPEN_NS &&
                     cause->kind != TRACE_BY_STREAM && cause->kind != TRACE_BY_LATENCY;
        if (arrow &&
            (cause->kind == TRACE_BY_EVENT || cause == analysis_decisive_cause(t, cause->op))) {
            write_arrow(&w, t, cause, i);
        }
    }
    fputs("\n]}\n", out);
    labels_free(labels);
    return ferror(out) || !whole ? -1 : 0;
}

ExportWrite export_perfetto;
int export_perfetto(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)o, (void)error, (void)size;
    return perfetto_write(to, trace);
}
