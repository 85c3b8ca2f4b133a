/* dot.c - what waited for what, as a graph for Graphviz (EXPORTS.md): a node for each operation, an
 * arrow from what it waited for. */
#include "timeline/exports/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/labels.h"

enum { TEXT = 600 };

typedef struct Writer {
    FILE *to;
    const Trace *trace;
    const Labels *labels;
    uint64_t zero_ns; /* as in every picture, times count from the first start */
    bool *streams;    /* those whose box is there */
    bool *nodes;      /* operations that have been drawn */
} Writer;

/* The inside of a quoted string. A backslash would begin an escape of Graphviz's own. */
static void put(FILE *to, const char *text)
{
    char safe[TEXT];
    for (text = utf8_safe(text, safe, sizeof safe); *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', to);
        fputc(*text, to);
    }
}

static void put_key(FILE *to, const char *key, const char *text)
{
    fprintf(to, "%s=\"", key);
    put(to, text);
    fputc('"', to);
}

static void put_time(const Writer *w, uint64_t ns)
{
    char text[TEXT];
    fputs(analysis_time(w->trace, ns - w->zero_ns, text, sizeof text), w->to);
}

/* Its label, its times and its line, one below the other. */
static void put_node(const Writer *w, uint32_t id)
{
    const TraceOp *op = &w->trace->ops[id];
    char text[TEXT];

    fprintf(w->to, "op%" PRIu32 " [label=\"", id);
    put(w->to, labels_op(w->labels, id, text, sizeof text));
    fputs("\\n", w->to);
    if (op->start_ns == TRACE_OPEN_NS) {
        fputs("never started", w->to);
    } else {
        put_time(w, op->start_ns);
        fputs(" - ", w->to);
        if (op->end_ns == TRACE_OPEN_NS) fputs("never ended", w->to);
        else put_time(w, op->end_ns);
    }
    if (op->call) {
        fputs("\\n", w->to);
        put(w->to, analysis_op_place(w->trace, id, text, sizeof text));
    }
    fputs("\", ", w->to);
    put_key(w->to, "tooltip", analysis_explain_with(w->trace, w->labels, id, text, sizeof text));
    fputs("];", w->to);
}

/* An operation of the range, in the box of its stream, which may be opened again and again. */
static void put_op(const Writer *w, uint32_t id)
{
    uint32_t stream = w->trace->ops[id].stream;
    char text[TEXT];

    w->nodes[id] = true;
    fputs("  ", w->to);
    if (stream) {
        fprintf(w->to, "subgraph cluster_%" PRIu32 " { ", stream);
        if (!w->streams[stream]) {
            put_key(w->to, "label", labels_stream(w->labels, stream, text, sizeof text));
            fputs("; ", w->to);
        }
        w->streams[stream] = true;
    }
    put_node(w, id);
    fputs(stream ? " }\n" : "\n", w->to);
}

/* What an operation of the range waited for may be outside it: "an earlier kernel". */
static void put_other(const Writer *w, uint32_t id)
{
    char text[TEXT];

    if (w->nodes[id]) return;
    w->nodes[id] = true;
    fprintf(w->to, "  op%" PRIu32 " [style=dashed, ", id);
    put_key(w->to, "label", labels_op(w->labels, id, text, sizeof text));
    fputs("];\n", w->to);
}

static void put_cause(const Writer *w, const TraceCause *cause, bool decisive)
{
    if (!cause->by_op) return;
    put_other(w, cause->by_op);
    fprintf(w->to, "  op%" PRIu32 " -> op%" PRIu32 " [label=\"%s\"", cause->by_op, cause->op,
            trace_cause_word[cause->kind]);
    fputs(decisive ? ", penwidth=2];\n" : ", style=dashed];\n", w->to);
}

static void put_graph(const Writer *w)
{
    uint32_t n;
    const uint32_t *order = labels_order(w->labels, &n);

    fputs("digraph waits {\n"
          "  // a picture of it: dot -Tsvg FILE -o FILE.svg\n"
          "  rankdir=LR; node [shape=box];\n",
          w->to);
    for (uint32_t i = 0; i < n; i++) put_op(w, order[i]);
    for (uint32_t i = 0; i < n; i++) {
        const TraceOp *op = &w->trace->ops[order[i]];
        const TraceCause *decisive = analysis_decisive_cause(w->trace, order[i]);

        for (uint32_t c = 0; c < op->n_causes; c++) {
            const TraceCause *cause = &w->trace->causes[op->first_cause + c];
            put_cause(w, cause, cause == decisive);
        }
    }
    fputs("}\n", w->to);
}

ExportWrite export_dot;
int export_dot(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)error, (void)size;
    Writer w = {.to = to, .trace = trace, .labels = labels_new(trace, o->range)};
    uint64_t end_ns;
    analysis_window(trace, o->range, &w.zero_ns, &end_ns);
    w.streams = calloc((size_t)trace->n_streams + 1, sizeof *w.streams);
    w.nodes = calloc((size_t)trace->n_ops + 1, sizeof *w.nodes);

    bool ready = w.labels && w.streams && w.nodes;
    if (ready) put_graph(&w);
    labels_free((Labels *)w.labels);
    free(w.streams);
    free(w.nodes);
    return ready && !ferror(to) ? 0 : -1;
}
