#include "timeline/exports/html.h"
#include "timeline/exports/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/markup.h"
#include "common/text.h"
#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "common/json.h"
#include "timeline/trace/labels.h"
#include "timeline/pictures/layout.h"
#include "timeline/pictures/palette.h"
#include "timeline/pictures/critical_path.h"
#include "timeline/pictures/schedule.h"

enum {
    TEXT = 1024,
    MOST_REASONS = 50000, /* operations; for more of them the page makes its own, shorter sentences
                           */
    MOST_TEXT = 2000,     /* lines of the schedule as text */
    RANGE_KIND = TRACE_OP_KINDS,
    CALL_KIND
};

/* html_files.S */
extern const char html_css[], html_js[], html_part[], html_figure[];

/* ---- text ---- */

/* A JSON string in a <script>. */
static void write_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    json_inside_page(out, text);
    fputc('"', out);
}

/* ---- facts: what many spans have in common is written once ---- */

typedef struct Fact {
    const char *name, *file, *call; /* the trace keeps one copy of each text: addresses tell them
                                       apart */
    uint64_t bytes;
    TraceDim grid, block;
    uint32_t kind, from, to, shared, engine, line, thread;
    int32_t result;
} Fact;

typedef struct Spans {
    const Trace *t;
    const Labels *labels;
    uint64_t from_ns; /* where the page's clock starts */
    uint32_t n, room, n_ops;
    LayoutItem *items;   /* the ops (bands among them) in order of start, then what the host's rows
                            show */
    uint32_t *fact;      /* by span */
    uint32_t *span_of;   /* by op: its span + 1; 0: none */
    uint32_t *row_of[2]; /* by span of an op: its row by engine, by stream, + 1 */
    Fact *facts;
    uint32_t n_facts, room_facts;
    uint32_t *slots;
    uint32_t n_slots; /* hash table: index into facts + 1 */
} Spans;

static bool grow_slots(Spans *s)
{
    uint32_t n = s->n_slots ? 2 * s->n_slots : 256;
    uint32_t *slots = calloc(n, sizeof *slots);
    if (!slots) return false;
    for (uint32_t i = 0; i < s->n_facts; i++) {
        uint32_t slot = (uint32_t)hash_bytes(&s->facts[i], sizeof s->facts[i]) & (n - 1);
        while (slots[slot]) slot = (slot + 1) & (n - 1);
        slots[slot] = i + 1;
    }
    free(s->slots);
    s->slots = slots;
    s->n_slots = n;
    return true;
}

static bool find_fact(Spans *s, const Fact *fact, uint32_t *index)
{
    if (2 * (uint64_t)s->n_facts >= s->n_slots && !grow_slots(s)) return false;
    uint32_t slot = (uint32_t)hash_bytes(fact, sizeof *fact) & (s->n_slots - 1);
    for (; s->slots[slot]; slot = (slot + 1) & (s->n_slots - 1)) {
        *index = s->slots[slot] - 1;
        if (memcmp(&s->facts[*index], fact, sizeof *fact) == 0) return true;
    }
    if (s->n_facts == s->room_facts) {
        uint32_t room = 2 * s->room_facts + 64;
        Fact *bigger = realloc(s->facts, (size_t)room * sizeof *bigger);
        if (!bigger) return false;
        s->facts = bigger;
        s->room_facts = room;
    }
    *index = s->n_facts;
    s->facts[s->n_facts++] = *fact;
    s->slots[slot] = s->n_facts;
    return true;
}

static uint32_t kind_of(const Trace *t, const LayoutItem *item)
{
    return item->what == LAYOUT_RANGE  ? RANGE_KIND
           : item->what == LAYOUT_CALL ? CALL_KIND
                                       : t->ops[item->id].kind;
}

static bool add_span(Spans *s, const LayoutItem *item)
{
    const Trace *t = s->t;
    if (s->n == s->room) {
        uint32_t room = s->room + s->room / 2 + 64;
        LayoutItem *items = room > s->room ? realloc(s->items, (size_t)room * sizeof *items) : NULL;
        if (!items) return false;
        s->items = items;
        uint32_t *fact = realloc(s->fact, (size_t)room * sizeof *fact);
        if (!fact) return false;
        s->fact = fact;
        s->room = room;
    }
    Fact fact;
    memset(&fact, 0, sizeof fact); /* the gaps between fields too: facts are compared as bytes */
    fact.kind = kind_of(t, item);
    if (item->what == LAYOUT_RANGE) {
        fact.name = t->ranges[item->id].name;
        fact.thread = t->ranges[item->id].thread;
    } else {
        const TraceOp *op = item->what == LAYOUT_OP ? &t->ops[item->id] : NULL;
        const TraceCall *call = &t->calls[op ? op->call : item->id];
        TraceSite site = op ? analysis_op_site(t, item->id) : call->site;
        fact.file = site.file;
        fact.line = site.line;
        if (op) {
            fact.name = op->name;
            fact.call = call->name;
            fact.bytes = op->bytes;
            fact.grid = op->grid;
            fact.block = op->block;
            fact.from = op->from;
            fact.to = op->to;
            fact.shared = op->shared_bytes;
            fact.engine = op->engine;
        } else {
            fact.name = call->name;
            fact.result = call->result;
            fact.thread = call->thread;
        }
    }
    s->items[s->n] = *item;
    return find_fact(s, &fact, &s->fact[s->n++]);
}

static bool add_op(Spans *s, const LayoutItem *item)
{
    s->span_of[item->id] = s->n + 1;
    return add_span(s, item);
}

static int compare_starts(const void *left, const void *right)
{
    const LayoutItem *a = left, *b = right;
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* The bands of graphs, by start; *n of them. NULL when out of memory. */
static LayoutItem *find_bands(const Spans *s, const Layout *layout, uint32_t *n)
{
    LayoutItem item, *bands;
    uint32_t room = 0;

    for (uint32_t id = 1; id <= s->t->n_ops; id++) room += s->t->ops[id].kind == TRACE_GRAPH;
    bands = malloc(((size_t)room + 1) * sizeof *bands);
    *n = 0;
    for (uint32_t id = 1; bands && id <= s->t->n_ops; id++)
        if (layout_band(layout, s->t, s->labels, id, &item)) bands[(*n)++] = item;
    if (bands) qsort(bands, *n, sizeof *bands, compare_starts);

    return bands;
}

static bool find_spans(Spans *s, const Layout *layout)
{
    const Trace *t = s->t;
    uint32_t n, n_bands, band = 0;
    const uint32_t *order = labels_order(s->labels, &n);
    LayoutItem *bands = find_bands(s, layout, &n_bands);
    s->span_of = calloc((size_t)t->n_ops + 1, sizeof *s->span_of);
    bool fine = bands && s->span_of;
    for (uint32_t i = 0; i < n && fine; i++) {
        const TraceOp *op = &t->ops[order[i]];
        if (op->start_ns == TRACE_OPEN_NS) continue;
        uint64_t end_ns = op->end_ns == TRACE_OPEN_NS ? t->last_ns : op->end_ns;
        LayoutItem item = {op->start_ns, end_ns > op->start_ns ? end_ns : op->start_ns, LAYOUT_OP,
                           order[i]};
        while (fine && band < n_bands && bands[band].start_ns <= item.start_ns)
            fine = add_op(s, &bands[band++]);
        fine = fine && add_op(s, &item);
    }
    while (fine && band < n_bands) fine = add_op(s, &bands[band++]);
    free(bands);
    if (!fine) return false;
    s->n_ops = s->n;
    for (uint32_t r = 0; r < layout->n_rows; r++) {
        const LayoutRow *row = &layout->rows[r];
        for (uint32_t i = 0; row->host && i < row->n; i++) {
            if (!add_span(s, &row->items[i])) return false;
        }
    }
    return true;
}

/* ---- the data ---- */

/* A column of numbers by the million, as a text in base64: each number in groups of seven bits, the
 * lowest first, bit 7 where more follow. Numbers that may be negative have their sign in bit 0. */
typedef struct Packer {
    FILE *out;
    unsigned char bytes[3];
    int n;
} Packer;

static void pack_byte(Packer *p, unsigned char byte)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    p->bytes[p->n++] = byte;
    if (p->n < 3) return;
    putc_unlocked(digits[p->bytes[0] >> 2], p->out);
    putc_unlocked(digits[(p->bytes[0] & 3) << 4 | p->bytes[1] >> 4], p->out);
    putc_unlocked(digits[(p->bytes[1] & 15) << 2 | p->bytes[2] >> 6], p->out);
    putc_unlocked(digits[p->bytes[2] & 63], p->out);
    p->n = 0;
}

static void pack_number(Packer *p, uint64_t number)
{
    for (; number > 127; number >>= 7) pack_byte(p, (unsigned char)(number & 127) | 128);
    pack_byte(p, (unsigned char)number);
}

static void pack_signed(Packer *p, int64_t number)
{
    pack_number(p, number < 0 ? ~(uint64_t)number << 1 | 1 : (uint64_t)number << 1);
}

/* Blanks up to whole groups: numbers that nobody asks for. */
static void pack_end(Packer *p)
{
    while (p->n) pack_byte(p, 0);
}

typedef int64_t Column(const Spans *, uint32_t span);

static void write_column(FILE *out, const Spans *s, const char *name, uint32_t n, Column *value)
{
    Packer p = {.out = out};
    fprintf(out, ",\n\"%s\":\"", name);
    for (uint32_t i = 0; i < n; i++) pack_signed(&p, value(s, i));
    pack_end(&p);
    putc_unlocked('"', out);
}

/* Starts are written as differences: short numbers, one after another. */
static int64_t start_step(const Spans *s, uint32_t i)
{
    return (int64_t)(s->items[i].start_ns - (i ? s->items[i - 1].start_ns : s->from_ns));
}

static int64_t length_of(const Spans *s, uint32_t i)
{
    return (int64_t)(s->items[i].end_ns - s->items[i].start_ns);
}

static int64_t fact_at(const Spans *s, uint32_t i) { return s->fact[i]; }

static int64_t stream_at(const Spans *s, uint32_t i) { return s->t->ops[s->items[i].id].stream; }

/* How long before its start it was issued; -1 when that is not known. */
static int64_t issued_at(const Spans *s, uint32_t i)
{
    const TraceOp *op = &s->t->ops[s->items[i].id];
    return op->issued_ns <= op->start_ns ? (int64_t)(op->start_ns - op->issued_ns) : -1;
}

static int64_t cause_at(const Spans *s, uint32_t i)
{
    const TraceCause *cause = analysis_decisive_cause(s->t, s->items[i].id);
    return cause ? (int64_t)cause->kind : TRACE_BY_HOST;
}

static int64_t by_at(const Spans *s, uint32_t i)
{
    const TraceCause *cause = analysis_decisive_cause(s->t, s->items[i].id);
    uint32_t by = cause ? s->span_of[cause->by_op] : 0;
    return by ? (int64_t)i - (by - 1) : 0;
}

static int64_t open_at(const Spans *s, uint32_t i)
{
    const LayoutItem *item = &s->items[i];
    return item->what == LAYOUT_OP && s->t->ops[item->id].end_ns == TRACE_OPEN_NS;
}

/* How long before its start everything that it depends on was done. */
static int64_t ready_at(const Spans *s, uint32_t i)
{
    uint64_t ready = critical_path_ready_ns(s->t, s->items[i].id),
             start = s->t->ops[s->items[i].id].start_ns;
    return ready < start ? (int64_t)(start - ready) : 0;
}

static int64_t engine_row_at(const Spans *s, uint32_t i) { return s->row_of[0][i]; }

static int64_t stream_row_at(const Spans *s, uint32_t i) { return s->row_of[1][i]; }

/* The same for the step back on the critical path: also over a call that kept the host. */
static int64_t back_at(const Spans *s, uint32_t i)
{
    uint32_t call, back = s->span_of[critical_path_back(s->t, s->items[i].id, &call)];
    return back ? (int64_t)i - (back - 1) : 0;
}

/* The span that ends last, by the rule of the viewer's path; -1 when nothing has ended. */
static int64_t last_to_end(const Spans *s)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->n_ops; i++)
        if (trace_op_is_work(&s->t->ops[s->items[i].id]) && !open_at(s, i) &&
            (!last || critical_path_later(s->t, s->items[i].id, last)))
            last = s->items[i].id;
    return (int64_t)s->span_of[last] - 1;
}

/* ---- labels: what stands before the number is written once ---- */

typedef struct Stems {
    char **texts;
    uint32_t n, room, *slots, n_slots;
    bool failed;
} Stems;

static uint32_t stem_slot(const Stems *s, const char *text, size_t length)
{
    uint32_t slot = (uint32_t)hash_bytes(text, length) & (s->n_slots - 1);
    while (s->slots[slot]) {
        const char *known = s->texts[s->slots[slot] - 1];
        if (strlen(known) == length && memcmp(known, text, length) == 0) break;
        slot = (slot + 1) & (s->n_slots - 1);
    }
    return slot;
}

/* The number of a text; 0 when memory is short, which is noted. */
static uint32_t stem_of(Stems *s, const char *text, size_t length)
{
    if (2 * (uint64_t)s->n >= s->n_slots) {
        free(s->slots);
        s->n_slots = s->n_slots ? 2 * s->n_slots : 256;
        s->slots = calloc(s->n_slots, sizeof *s->slots);
        if (!s->slots) {
            s->n_slots = 0;
            s->failed = true;
            return 0;
        }
        for (uint32_t i = 0; i < s->n; i++)
            s->slots[stem_slot(s, s->texts[i], strlen(s->texts[i]))] = i + 1;
    }
    uint32_t slot = stem_slot(s, text, length);
    if (s->slots[slot]) return s->slots[slot] - 1;
    if (s->n == s->room) {
        uint32_t room = 2 * s->room + 64;
        char **bigger = realloc(s->texts, room * sizeof *bigger);
        if (bigger) s->texts = bigger, s->room = room;
    }
    char *copy = s->n < s->room ? strndup(text, length) : NULL;
    if (!copy) {
        s->failed = true;
        return 0;
    }
    s->texts[s->n] = copy;
    s->slots[slot] = ++s->n;
    return s->n - 1;
}

/* A label is its stem and, if that is known, a number: "K", 12. */
static void write_labels(FILE *out, const Spans *s)
{
    char text[TEXT];
    Stems stems = {0};
    Packer p = {.out = out};
    fputs(",\n\"labels\":\"", out);
    for (uint32_t i = 0; i < s->n_ops && !stems.failed; i++) {
        labels_op(s->labels, s->items[i].id, text, sizeof text);
        size_t length = strlen(text), end = length;
        while (end > 0 && length - end < 9 && text[end - 1] >= '0' && text[end - 1] <= '9') end--;
        while (end < length && text[end] == '0' && end + 1 < length) end++; /* "x007" */
        pack_number(&p, stem_of(&stems, text, end));
        pack_number(&p, end < length ? strtoul(text + end, NULL, 10) + 1 : 0);
    }
    pack_end(&p);
    fputs("\",\n\"stems\":[", out);
    for (uint32_t i = 0; i < stems.n; i++) {
        if (i) fputc(',', out);
        write_json_string(out, stems.texts[i]);
        free(stems.texts[i]);
    }
    fputc(']', out);
    free(stems.texts);
    free(stems.slots);
}

static void write_reasons(FILE *out, const Spans *s)
{
    char text[TEXT];
    fputs(",\n\"reasons\":\"", out);
    for (uint32_t i = 0; i < s->n_ops && s->n_ops <= MOST_REASONS; i++) {
        if (i) fputs("\\n", out);
        json_inside_page(out,
                         analysis_explain_with(s->t, s->labels, s->items[i].id, text, sizeof text));
    }
    fputc('"', out);
}

static void write_spans(FILE *out, const Spans *s)
{
    fprintf(out, "\"spans\":{\"ops\":%u,\"all\":%u", s->n_ops, s->n);
    write_column(out, s, "start", s->n, start_step);
    write_column(out, s, "length", s->n, length_of);
    write_column(out, s, "fact", s->n, fact_at);
    write_column(out, s, "stream", s->n_ops, stream_at);
    write_column(out, s, "issued", s->n_ops, issued_at);
    write_column(out, s, "cause", s->n_ops, cause_at);
    write_column(out, s, "by", s->n_ops, by_at);
    write_column(out, s, "back", s->n_ops, back_at);
    write_column(out, s, "ready", s->n_ops, ready_at);
    write_column(out, s, "engine", s->n_ops, engine_row_at);
    write_column(out, s, "row", s->n_ops, stream_row_at);
    fprintf(out, ",\n\"last\":%" PRId64, last_to_end(s));
    fputs(",\n\"open\":{", out);
    bool first = true;
    for (uint32_t i = 0; i < s->n_ops; i++) {
        if (!open_at(s, i)) continue;
        fprintf(out, "%s\"%u\":1", first ? "" : ",", i);
        first = false;
    }
    fputc('}', out);
    write_labels(out, s);
    write_reasons(out, s);
    fputc('}', out);
}

static void write_field(FILE *out, const char *key, const char *text)
{
    if (!text || !text[0]) return;
    fprintf(out, ",\"%s\":", key);
    write_json_string(out, text);
}

static void write_facts(FILE *out, const Spans *s)
{
    const Trace *t = s->t;
    char text[TEXT];
    fputs(",\n\"facts\":[", out);
    for (uint32_t i = 0; i < s->n_facts; i++) {
        const Fact *f = &s->facts[i];
        bool op = f->kind < RANGE_KIND;
        fprintf(out, "%s{\"kind\":%u,\"bytes\":%" PRIu64, i ? ",\n" : "\n", f->kind, f->bytes);
        write_field(out, "name",
                    f->kind == CALL_KIND && trace_cuda_call(f->name) ? trace_cuda_call(f->name)
                                                                     : f->name);
        write_field(out, "call", f->kind == CALL_KIND ? f->name : f->call);
        write_field(out, "site", analysis_site((TraceSite){f->file, f->line}, text, sizeof text));
        if (f->from) write_field(out, "from", trace_memory_word[f->from]);
        if (f->to) write_field(out, "to", trace_memory_word[f->to]);
        if (f->grid.x) {
            snprintf(text, sizeof text, "%u × %u × %u", f->grid.x, f->grid.y, f->grid.z);
            write_field(out, "grid", text);
            snprintf(text, sizeof text, "%u × %u × %u", f->block.x, f->block.y, f->block.z);
            write_field(out, "block", text);
        }
        if (f->shared) fprintf(out, ",\"shared\":%u", f->shared);
        if (f->result) fprintf(out, ",\"result\":%d", f->result);
        if (op && f->engine) write_field(out, "engine", t->engines[f->engine].name);
        if (!op && f->thread) {
            const TraceThread *thread = &t->threads[f->thread];
            snprintf(text, sizeof text, "%s%s%.200s", trace_thread_word[thread->role],
                     thread->name[0] ? " " : "", thread->name);
            write_field(out, "thread", text);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

/* The rows of a layout, the host's or the others. Each operation says in which row it is; the
 * host's spans stand in the order of its rows, so many in each. */
static void write_rows(FILE *out, const Spans *s, const Layout *layout, bool host, const char *name)
{
    bool first = true;
    fprintf(out, "\"%s\":[", name);
    for (uint32_t r = 0; r < layout->n_rows; r++) {
        const LayoutRow *row = &layout->rows[r];
        if (row->host != host) continue;
        fprintf(out, "%s\n{\"stacked\":%s,\"title\":", first ? "" : ",",
                row->stacked ? "true" : "false");
        write_json_string(out, row->title);
        if (s->t->n_devices > 1 && row->device) fprintf(out, ",\"device\":%u", row->device);
        fprintf(out, ",\"n\":%u}", row->n);
        first = false;
    }
    fputc(']', out);
}

/* By span: its row among those of the layout, plus one. False when out of memory. */
static bool find_rows(Spans *s, const Layout *layout, int by)
{
    uint32_t number = 0;
    s->row_of[by] = calloc((size_t)s->n_ops + 1, sizeof *s->row_of[by]);
    if (!s->row_of[by]) return false;
    for (uint32_t r = 0; r < layout->n_rows; r++) {
        const LayoutRow *row = &layout->rows[r];
        if (row->host) continue;
        number++;
        for (uint32_t i = 0; i < row->n; i++)
            s->row_of[by][s->span_of[row->items[i].id] - 1] = number;
    }
    return true;
}

/* From what had to end to what waited for it: events always, other waits across streams where they
 * decided. */
static void write_arrows(FILE *out, const Spans *s)
{
    const Trace *t = s->t;
    Packer p = {.out = out};
    uint32_t before = 0, n = 0;
    fputs(",\n\"arrows\":\"", out);
    for (uint32_t i = 1; i <= t->n_causes; i++) {
        const TraceCause *cause = &t->causes[i];
        uint32_t from = s->span_of[cause->by_op], to = s->span_of[cause->op];
        if (!from || !to || from == to || cause->kind != TRACE_BY_EVENT) continue;
        pack_signed(&p, (int64_t)to - before);
        pack_signed(&p, (int64_t)to - from);
        before = to;
        n++;
    }
    pack_end(&p);
    fprintf(out, "\",\"n_arrows\":%u", n);
}

static void write_hazards(FILE *out, const Spans *s)
{
    const Trace *t = s->t;
    fputs(",\n\"hazards\":[", out);
    for (uint32_t i = 1; i <= t->n_hazards; i++) {
        const TraceHazard *h = &t->hazards[i];
        fprintf(out, "%s{\"a\":%d,\"b\":%d}", i > 1 ? "," : "",
                h->op_a <= t->n_ops ? (int)s->span_of[h->op_a] - 1 : -1,
                h->op_b <= t->n_ops ? (int)s->span_of[h->op_b] - 1 : -1);
    }
    fputc(']', out);
}

static void write_data(FILE *out, const Spans *s, const Layout *by_engine, const Layout *by_stream,
                       const HtmlOptions *options)
{
    const Trace *t = s->t;
    char text[TEXT];
    fputs("<script type=\"application/json\">\n{", out);
    uint64_t span_ns = by_engine->end_ns - by_engine->start_ns;
    fprintf(out,
            "\"unit_ns\":%" PRIu64 ",\"span_ns\":%" PRIu64
            ",\"unit_words\":%s,\"by\":\"%s\",\"unit\":",
            trace_unit_ns(t), span_ns > options->least_ns ? span_ns : options->least_ns,
            strcmp(trace_unit_name(t), "unit") == 0 ? "true" : "false",
            options->by_stream ? "stream" : "engine");
    write_json_string(out, trace_unit_name(t));
    fputs(",\n\"kinds\":[", out);
    for (int i = 0; i < TRACE_OP_KINDS; i++) fprintf(out, "\"%s\",", trace_op_word[i]);
    fputs("\"range\",\"call\"],\n\"causes\":[", out);
    for (int i = 0; i < TRACE_CAUSE_KINDS; i++)
        fprintf(out, "%s\"%s\"", i ? "," : "", trace_cause_word[i]);
    fputs("],\n\"streams\":[\"\"", out);
    for (uint32_t id = 1; id <= t->n_streams; id++) {
        fputc(',', out);
        write_json_string(out, labels_stream(s->labels, id, text, sizeof text));
    }
    fputs("],\n", out);
    write_spans(out, s);
    write_facts(out, s);
    fputs(",\n\"rows\":{", out);
    write_rows(out, s, by_engine, false, "engine");
    fputs(",\n", out);
    write_rows(out, s, by_stream, false, "stream");
    fputs(",\n", out);
    write_rows(out, s, by_engine, true, "host");
    fputc('}', out);
    write_arrows(out, s);
    write_hazards(out, s);
    fputs("}\n</script>\n", out);
}

/* ---- what stands around the picture ---- */

static void write_head(FILE *out, const Trace *t, const char *title, uint32_t n_not_started)
{
    static const char *const keys[] = {"model", "card", "backend", "seed"};
    fputs("<h2>", out);
    markup_write(out, title);
    fputs("</h2>\n<p class=\"facts-line\">", out);
    bool first = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = trace_meta(t, keys[i]);
        if (!value || !*value) continue;
        fprintf(out, "%s%s ", first ? "" : " · ", keys[i]);
        markup_write(out, value);
        first = false;
    }
    if (trace_meta(t, "estimates"))
        fprintf(out, "%show long some kernels last is an estimate", first ? "" : " · ");
    if (t->inferred) fputs(" · reasons are inferred from the times", out);
    if (t->truncated) fputs(" · the trace ends early: what is drawn is true up to there", out);
    if (n_not_started) fprintf(out, " · %u issued, but never seen to start", n_not_started);
    fputs("</p>\n", out);
}

static void write_lists(FILE *out, const Trace *t)
{
    if (t->n_hazards) fputs("<h3>Hazards</h3>\n<ul class=\"hazards\">\n", out);
    for (uint32_t i = 1; i <= t->n_hazards; i++) {
        char a[300], b[300];
        const TraceHazard *h = &t->hazards[i];
        fputs("<li>▲ ", out);
        markup_write(out, h->text);
        analysis_site(h->site_a, a, sizeof a);
        analysis_site(h->site_b, b, sizeof b);
        if ((a[0] || b[0]) && !strchr(h->text, '\n')) { /* texts of several lines name them */
            fputs(" (", out);
            markup_write(out, a);
            if (a[0] && b[0]) fputs(", ", out);
            markup_write(out, b);
            fputs(")", out);
        }
        fputs("</li>\n", out);
    }
    if (t->n_hazards) fputs("</ul>\n", out);
    bool any = false;
    for (uint32_t i = 1; i <= t->n_notes; i++) {
        if (t->notes[i].severity == TRACE_INFO) continue;
        fputs(any ? "<li>" : "<h3>Notes of the runtime</h3>\n<ul>\n<li>", out);
        markup_write(out, t->notes[i].text);
        fputs("</li>\n", out);
        any = true;
    }
    if (any) fputs("</ul>\n", out);
}

/* The same as text: for reading aloud, searching, copying, and where no script runs. */
static int write_schedule(FILE *out, const Trace *t, const HtmlOptions *options)
{
    char *text = NULL;
    size_t size;
    FILE *lines = open_memstream(&text, &size);
    if (!lines) return -1;
    ScheduleOptions o = {.range = options->range,
                         .width = 78,
                         .utf8 = true,
                         .by_stream = options->by_stream};
    int status = schedule_write(lines, t, SCHEDULE_LANES, &o);
    fputs("\nWhy everything started when it did\n", lines);
    o.width = 1000;
    if (status == 0) status = schedule_write_waits(lines, t, &o, MOST_TEXT);
    if (fclose(lines) != 0) status = -1;
    if (status == 0) {
        fputs("<details open class=\"as-text\">\n<summary>The schedule as text</summary>\n<pre "
              "tabindex=\"0\">",
              out);
        markup_write(out, text);
        fputs("</pre>\n</details>\n", out);
    }
    free(text);
    return status;
}

static const char *title_of(const Trace *t, const HtmlOptions *options)
{
    const char *program = trace_meta(t, "program");
    return options->title ? options->title : program && *program ? program : "Schedule";
}

int html_write_css(FILE *out)
{
    fputs(".threelane{", out);
    palette_write_css(out);
    fprintf(out, "}\n%s", html_css);
    return ferror(out) ? -1 : 0;
}

int html_write_js(FILE *out)
{
    fputs(html_js, out);
    return ferror(out) ? -1 : 0;
}

int html_write_style(FILE *out)
{
    fputs("<style>\n", out);
    int status = html_write_css(out);
    fputs("</style>\n", out);
    return status;
}

int html_write_script(FILE *out)
{
    fputs("<script>\n", out);
    int status = html_write_js(out);
    fputs("</script>\n", out);
    return status;
}

int html_write_part(FILE *out, const Trace *t, const HtmlOptions *options)
{
    Labels *labels = labels_new(t, options->range);
    Layout *by_engine = labels ? layout_new(t, labels, false) : NULL;
    Layout *by_stream = by_engine ? layout_new(t, labels, true) : NULL;
    Spans s = {.t = t, .labels = labels};
    if (by_engine) s.from_ns = by_engine->start_ns;
    int status = by_stream && find_spans(&s, by_engine) && find_rows(&s, by_engine, 0) &&
                         find_rows(&s, by_stream, 1)
                     ? 0
                     : -1;
    if (status == 0) {
        fprintf(out, "<section class=\"threelane%s\">\n", options->figure ? " figure" : "");
        if (!options->figure) write_head(out, t, title_of(t, options), by_engine->n_not_started);
        fputs(options->figure ? html_figure : html_part, out);
        if (!options->figure) {
            write_lists(out, t);
            status = write_schedule(out, t, options);
        }
        write_data(out, &s, by_engine, by_stream, options);
        fputs("</section>\n", out);
    }
    free(s.items);
    free(s.fact);
    free(s.span_of);
    free(s.row_of[0]);
    free(s.row_of[1]);
    free(s.facts);
    free(s.slots);
    layout_free(by_stream);
    layout_free(by_engine);
    labels_free(labels);
    return ferror(out) ? -1 : status;
}

/* The answers to questions, above what ran; which one is in sight is chosen below. */
static int write_answers(FILE *out, const Trace *ran, const HtmlOptions *options)
{
    uint64_t from = 0, to = 0;
    int status = 0;
    analysis_window(ran, options->range, &from, &to);
    if (options->n_answers) fputs("<div class=\"answers\">\n", out);
    for (size_t i = 0; i < options->n_answers && status == 0; i++) {
        const HtmlAnswer *answer = &options->answers[i];
        bool alike = !strcmp(trace_unit_name(ran), trace_unit_name(answer->trace));
        char title[600];
        snprintf(title, sizeof title, "What if: %s?", answer->words);
        fprintf(out, "<div class=\"answer\" data-answer=\"%zu\" hidden>\n", i);
        status = html_write_part(out, answer->trace,
                                 &(HtmlOptions){.range = answer->range,
                                                .by_stream = options->by_stream,
                                                .least_ns = alike ? to - from : 0,
                                                .title = title});
        fputs("</div>\n", out);
    }
    if (options->n_answers) fputs("</div>\n", out);
    return status;
}

int html_write(FILE *out, const Trace *t, const HtmlOptions *options)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n<title>",
          out);
    markup_write(out, title_of(t, options));
    fputs("</title>\n", out);
    html_write_style(out);
    fputs(
        "<style>:root{color-scheme:light dark}body{margin:0}@media(prefers-color-scheme:dark)"
        "{body{background:#0f1318}}.threelane{padding:12px;max-width:1600px;margin:auto}</style>\n"
        "</head>\n<body>\n<main>\n",
        out);
    int status = write_answers(out, t, options);
    if (status == 0) status = html_write_part(out, t, options);
    if (status == 0) status = html_write_questions(out, options->answers, options->n_answers);
    if (status == 0) status = html_write_prediction(out, t, options->range, false);
    fputs("</main>\n", out);
    html_write_script(out);
    html_write_more(out);
    fputs("</body>\n</html>\n", out);
    return ferror(out) ? -1 : status;
}

ExportWrite export_html;
int export_html(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    enum { DIGITS = 32 };
    (void)error, (void)size;
    /* an exercise's program is a number in the cache, after "program-" where it is the course's
     * own, and its trace is "ex43.lane" */
    const char *program = trace_meta(trace, "program"), *number = "program-";
    if (program && !strncmp(program, number, strlen(number))) program += strlen(number);
    bool numbered =
        program && strlen(program) == DIGITS && strspn(program, "0123456789abcdef") == DIGITS;
    const char *slash = o->path ? strrchr(o->path, '/') : NULL, *name = slash ? slash + 1 : o->path;
    char *title = numbered && name ? memory_format("%.*s", (int)strcspn(name, "."), name) : NULL;
    int result = html_write(to, trace,
                            &(HtmlOptions){.range = o->range,
                                           .by_stream = o->by_stream,
                                           .answers = o->answers,
                                           .n_answers = o->n_answers,
                                           .title = title && *title ? title : NULL});
    free(title);
    return result;
}
