/* csv.c - every operation on a line, for spreadsheets and scripts (EXPORTS.md): RFC 4180, UTF-8, a
 * line of names first. */
#include "timeline/exports/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/labels.h"

enum { TEXT = 600 };

/* In quotes, which are doubled. What a spreadsheet would take for a formula gets an apostrophe in
 * front, as in a gradebook's grades.csv. */
static void put(FILE *to, const char *name)
{
    char safe[TEXT];
    const char *text = utf8_safe(name, safe, sizeof safe);
    fputs(*text && strchr("=+-@\t", *text) ? ",\"'" : ",\"", to);
    for (; *text; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text == '\n' ? ' ' : *text, to);
    }
    fputc('"', to);
}

/* What did not happen is empty, and is no 0. */
static void put_ns(FILE *to, uint64_t ns)
{
    fputc(',', to);
    if (ns != TRACE_OPEN_NS) fprintf(to, "%" PRIu64, ns);
}

static void put_op(FILE *to, const Trace *t, const Labels *labels, uint32_t id)
{
    const TraceOp *op = &t->ops[id];
    const TraceCause *cause = analysis_decisive_cause(t, id);
    char text[TEXT];

    fprintf(to, "%" PRIu32, id);
    put(to, labels_op(labels, id, text, sizeof text));
    put(to, trace_op_word[op->kind]);
    put(to, labels_stream(labels, op->stream, text, sizeof text));
    put(to, op->engine ? t->engines[op->engine].name : "");
    put_ns(to, op->issued_ns);
    put_ns(to, op->start_ns);
    put_ns(to, op->end_ns);
    fprintf(to, ",%" PRIu64, op->bytes);
    put(to, op->from ? trace_memory_word[op->from] : "");
    put(to, op->to ? trace_memory_word[op->to] : "");
    put(to, analysis_site(analysis_op_site(t, id), text, sizeof text));
    put(to, cause ? trace_cause_word[cause->kind] : "");
    put(to, cause && cause->by_op ? labels_op(labels, cause->by_op, text, sizeof text) : "");
    put(to, op->launch ? labels_op(labels, op->launch, text, sizeof text) : "");
    put(to, op->launch ? analysis_site(t->calls[op->call].site, text, sizeof text) : "");
    fputs("\r\n", to);
}

ExportWrite export_csv;
int export_csv(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)error, (void)size;
    Labels *labels = labels_new(trace, o->range);
    if (!labels) return -1;

    uint32_t n;
    const uint32_t *order = labels_order(labels, &n);
    fputs("op,label,kind,stream,engine,issued_ns,start_ns,end_ns,bytes,from,to,line,waited_for,"
          "by,launch,launched_at\r\n",
          to);
    for (uint32_t i = 0; i < n; i++) put_op(to, trace, labels, order[i]);
    labels_free(labels);
    return ferror(to) ? -1 : 0;
}
