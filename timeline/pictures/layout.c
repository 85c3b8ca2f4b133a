#include "timeline/pictures/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "timeline/trace/analysis.h"
#include "common/glyphs.h"

enum {
    ROWS_PER_GROUP = 6, /* an engine's overlapping work gets so many rows, the last one stacked */
    HOST_ROWS = 3,      /* so many levels of nested ranges and calls per host thread */
    MOST_GROUPS = 40,   /* engines, streams or threads with rows of their own; the rest share one */
};

/* A group of items that gets one title: an engine, a stream or a host thread. */
typedef struct Group {
    char title[64];
    uint64_t order; /* where its rows stand */
    bool host;
    uint32_t device;   /* LayoutRow */
    uint32_t first, n; /* items */
} Group;

typedef struct Placed {
    LayoutItem item;
    uint32_t group;
} Placed;

static uint64_t end_or_last(const Trace *t, uint64_t start_ns, uint64_t end_ns)
{
    if (end_ns == TRACE_OPEN_NS) end_ns = t->last_ns;
    return end_ns > start_ns ? end_ns : start_ns;
}

/* ---- groups ---- */

/* Copies in, kernels, copies out: the order in which a batch goes through them. */
static const unsigned char class_place[TRACE_ENGINE_CLASSES] = {
    [TRACE_ENGINE_H2D] = 1, [TRACE_ENGINE_COPY] = 2, [TRACE_ENGINE_COMPUTE] = 3,
    [TRACE_ENGINE_D2H] = 4, [TRACE_ENGINE_LINK] = 5, [TRACE_ENGINE_HOST] = 6,
};

/* Host functions run on one thread for all devices. */
static uint32_t device_of(const Trace *t, const TraceOp *op)
{
    return analysis_class(t, op) == TRACE_ENGINE_HOST ? UINT16_MAX
           : op->engine                               ? t->engines[op->engine].device
                                                      : op->device;
}

static uint64_t engine_order(const Trace *t, const TraceOp *op)
{
    return (uint64_t)(device_of(t, op) & UINT16_MAX) << 40 |
           (uint64_t)class_place[analysis_class(t, op)] << 32 | op->engine;
}

static uint64_t stream_order(const Trace *t, const TraceOp *op)
{
    return (uint64_t)(t->streams[op->stream].device & UINT16_MAX) << 40 | op->stream;
}

static void engine_title(const Trace *t, const TraceOp *op, char *title, size_t size)
{
    if (op->engine) labels_engine(t, op->engine, title, size);
    else labels_class(t, analysis_class(t, op), op->device, title, size);
}

static void stream_title(const Labels *l, const Trace *t, uint32_t stream, char *title, size_t size)
{
    char text[128];
    labels_stream(l, stream, text, sizeof text);
    const TraceStream *s = &t->streams[stream];
    if (t->n_devices > 1 && s->device && !s->name[0] && s->flavour != TRACE_STREAM_PER_THREAD) {
        snprintf(title, size, "GPU%u str. %u", s->device - 1, labels_stream_number(l, stream));
        return;
    }
    static const char prefix[] = "stream ";
    size_t skip = sizeof prefix - 1;
    if (stream && t->streams[stream].name[0]) memmove(text, text + skip, strlen(text + skip) + 1);
    else if (stream && t->streams[stream].flavour == TRACE_STREAM_PER_THREAD)
        snprintf(text, sizeof text, "per-thread");
    else if (stream) text[strcspn(text, "(")] = '\0';
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') text[--length] = '\0';
    glyphs_fit(text, 12, true, title, size);
}

typedef struct Builder {
    const Trace *trace;
    const Labels *labels;
    Placed *placed;
    uint32_t n, room;
    Group *groups;
    uint32_t n_groups, room_groups;
    bool failed;
} Builder;

static void place(Builder *b, uint32_t group, LayoutWhat what, uint32_t id, uint64_t start_ns,
                  uint64_t end_ns)
{
    if (b->n == b->room) {
        uint32_t room = b->room < UINT32_MAX / 2 ? b->room * 2 + 64 : UINT32_MAX;
        Placed *bigger = room > b->n ? realloc(b->placed, (size_t)room * sizeof *bigger) : NULL;
        if (!bigger) {
            b->failed = true;
            return;
        }
        b->placed = bigger;
        b->room = room;
    }
    Placed placed = {{start_ns, end_ns, what, id}, group};
    b->placed[b->n++] = placed;
    b->groups[group].n++;
}

/* A new group; the title is written by the caller. */
static Group *add_group(Builder *b, uint64_t order)
{
    if (b->n_groups == b->room_groups) {
        uint32_t room = b->room_groups * 2 + 16;
        Group *bigger = realloc(b->groups, (size_t)room * sizeof *bigger);
        if (!bigger) {
            b->failed = true;
            return NULL;
        }
        b->groups = bigger;
        b->room_groups = room;
    }
    Group group = {.order = order};
    b->groups[b->n_groups] = group;
    return &b->groups[b->n_groups++];
}

bool layout_band(const Layout *layout, const Trace *t, const Labels *labels, uint32_t id,
                 LayoutItem *item)
{
    const TraceOp *op = &t->ops[id];
    uint64_t start, end;

    if (op->kind != TRACE_GRAPH || op->start_ns == TRACE_OPEN_NS ||
        labels_number(labels, id) == LABELS_NONE)
        return false;
    start = op->start_ns > layout->start_ns ? op->start_ns : layout->start_ns;
    end = end_or_last(t, op->start_ns, op->end_ns);
    if (end > layout->end_ns) end = layout->end_ns;
    if (end < start) return false;

    *item = (LayoutItem){start, end, LAYOUT_OP, id};
    return true;
}

/* A band for each launch of a graph: in a group of its own, above the engines; or above its nodes
 * in those of its stream. */
static void place_bands(Builder *b, const Layout *layout, bool by_stream, const uint32_t *group_of)
{
    uint32_t own = 0;
    LayoutItem item;

    for (uint32_t id = 1; id <= b->trace->n_ops && !b->failed; id++) {
        if (!layout_band(layout, b->trace, b->labels, id, &item)) continue;
        uint32_t index = by_stream ? group_of[b->trace->ops[id].stream] : own;
        if (!index) {
            const TraceOp *op = &b->trace->ops[id];
            Group *group = add_group(b, by_stream ? stream_order(b->trace, op) : 0);
            if (!group) return;
            if (by_stream) {
                stream_title(b->labels, b->trace, op->stream, group->title, sizeof group->title);
                group->device = b->trace->streams[op->stream].device;
            } else snprintf(group->title, sizeof group->title, "Graphs");
            index = b->n_groups;
            if (!by_stream) own = index;
        }
        place(b, index - 1, LAYOUT_OP, id, item.start_ns, item.end_ns);
    }
}

/* The ops of the range, by engine or stream. */
static uint32_t place_ops(Builder *b, const Layout *layout, bool by_stream)
{
    const Trace *t = b->trace;
    uint32_t n, not_started = 0, more = 0;
    const uint32_t *order = labels_order(b->labels, &n);
    /* group by stream, by engine, or for ops without an engine by class; 0: none yet, else index +
     * 1 */
    uint32_t kinds = by_stream ? t->n_streams + 1 : t->n_engines + 1 + TRACE_ENGINE_CLASSES;
    uint32_t *group_of = calloc(kinds, sizeof *group_of);
    if (!group_of) {
        b->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < n && !b->failed; i++) {
        const TraceOp *op = &t->ops[order[i]];
        if (op->start_ns == TRACE_OPEN_NS) {
            not_started++;
            continue;
        }
        uint32_t *index =
            &group_of[by_stream    ? op->stream
                      : op->engine ? op->engine
                                   : t->n_engines + 1 + (uint32_t)analysis_class(t, op)];
        if (!*index && b->n_groups >= MOST_GROUPS) {
            if (!more) {
                Group *rest = add_group(b, UINT64_MAX / 2);
                if (!rest) break;
                snprintf(rest->title, sizeof rest->title, "others");
                more = b->n_groups;
            }
            *index = more;
        }
        if (!*index) {
            Group *group = add_group(b, by_stream ? stream_order(t, op) : engine_order(t, op));
            if (!group) break;
            uint32_t device = by_stream ? t->streams[op->stream].device : device_of(t, op);
            group->device = device < UINT16_MAX ? device : 0;
            if (by_stream)
                stream_title(b->labels, t, op->stream, group->title, sizeof group->title);
            else engine_title(t, op, group->title, sizeof group->title);
            *index = b->n_groups;
        }
        place(b, *index - 1, LAYOUT_OP, order[i], op->start_ns,
              end_or_last(t, op->start_ns, op->end_ns));
    }
    place_bands(b, layout, by_stream, group_of);
    free(group_of);
    return not_started;
}

/* The host threads' ranges and calls that took time, as far as they lie in the window. */
static void place_host(Builder *b, uint64_t from_ns, uint64_t to_ns)
{
    const Trace *t = b->trace;
    uint32_t inside = labels_range(b->labels), threads = t->n_threads, others = 0;
    uint32_t *group_of = calloc((size_t)threads + 1, sizeof *group_of);
    if (!group_of) {
        b->failed = true;
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        uint32_t n = pass == 0 ? t->n_ranges : t->n_calls;
        for (uint32_t id = 1; id <= n && !b->failed; id++) {
            const TraceRange *range = &t->ranges[pass == 0 ? id : 0];
            const TraceCall *call = &t->calls[pass == 0 ? 0 : id];
            uint32_t thread = pass == 0 ? range->thread : call->thread;
            uint64_t start = pass == 0 ? range->start_ns : call->start_ns;
            if (start == TRACE_OPEN_NS || t->threads[thread].role == TRACE_THREAD_DRIVER) continue;
            uint64_t end = end_or_last(t, start, pass == 0 ? range->end_ns : call->end_ns);
            if (pass == 0 && inside &&
                (id == inside || (start <= t->ranges[inside].start_ns && id < inside)))
                continue;
            if (start < from_ns) start = from_ns;
            if (end > to_ns) end = to_ns;
            if (end <= start) continue;
            uint32_t *index = &group_of[thread];
            if (!*index && others >= MOST_GROUPS) {
                *index = b->n_groups;
            } else if (!*index) {
                Group *group = add_group(b, UINT64_MAX / 2 + 1 + thread);
                if (!group) break;
                group->host = true;
                bool main_thread = t->threads[thread].role == TRACE_THREAD_MAIN || threads <= 1;
                if (main_thread) snprintf(group->title, sizeof group->title, "Host");
                else if (++others >= MOST_GROUPS)
                    snprintf(group->title, sizeof group->title, "others");
                else if (!t->threads[thread].name[0])
                    snprintf(group->title, sizeof group->title, "Host %u", thread);
                else
                    glyphs_fit(t->threads[thread].name, 12, true, group->title,
                               sizeof group->title);
                *index = b->n_groups;
            }
            place(b, *index - 1, pass == 0 ? LAYOUT_RANGE : LAYOUT_CALL, id, start, end);
        }
    }
    free(group_of);
}

/* ---- rows ---- */

/* What encloses comes before what it encloses. */
static int compare_items(const void *left, const void *right)
{
    const LayoutItem *a = left, *b = right;
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns ? -1 : 1;
    if (a->end_ns != b->end_ns) return a->end_ns > b->end_ns ? -1 : 1;
    if (a->what != b->what) return a->what > b->what ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int compare_groups(const void *left, const void *right)
{
    const Group *const *a = left, *const *b = right;
    return (*a)->order < (*b)->order ? -1 : (*a)->order > (*b)->order;
}

/* Splits a group's items (in order of start) into rows in which nothing overlaps; what does not fit
 * goes into the last. to: room for the group's items, which the rows then point into. */
static void split_rows(Layout *layout, const Group *group, const LayoutItem *items,
                       unsigned char *row_of, LayoutItem *to)
{
    uint32_t most = group->host ? HOST_ROWS : ROWS_PER_GROUP, used = 0;
    uint64_t row_end[ROWS_PER_GROUP] = {0};
    uint32_t count[ROWS_PER_GROUP] = {0};
    bool stacked = false;
    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t row = 0;
        while (row < used && row_end[row] > items[i].start_ns) row++;
        if (row == most) {
            row = most - 1;
            stacked = true;
        } else if (row == used) {
            used++;
        }
        if (items[i].end_ns > row_end[row]) row_end[row] = items[i].end_ns;
        row_of[i] = (unsigned char)row;
        count[row]++;
    }
    LayoutItem *next[ROWS_PER_GROUP];
    for (uint32_t row = 0; row < used; row++) {
        LayoutRow *r = &layout->rows[layout->n_rows++];
        memset(r, 0, sizeof *r);
        if (row == 0) memcpy(r->title, group->title, sizeof r->title);
        r->host = group->host;
        r->device = group->device;
        r->stacked = stacked && row == most - 1;
        r->items = next[row] = to;
        r->n = count[row];
        to += count[row];
    }
    for (uint32_t i = 0; i < group->n; i++) *next[row_of[i]]++ = items[i];
}

static bool build_rows(Layout *layout, Builder *b)
{
    size_t n = (size_t)b->n + 1;
    LayoutItem *sorted = malloc(n * sizeof *sorted);
    unsigned char *row_of = malloc(n);
    Group **groups = malloc(((size_t)b->n_groups + 1) * sizeof *groups);
    layout->items = malloc(n * sizeof *layout->items);
    layout->rows = malloc(((size_t)b->n_groups * ROWS_PER_GROUP + 1) * sizeof *layout->rows);
    bool ok = sorted && row_of && groups && layout->items && layout->rows;
    if (ok) {
        uint32_t first = 0;
        for (uint32_t i = 0; i < b->n_groups; i++) {
            groups[i] = &b->groups[i];
            groups[i]->first = first;
            first += groups[i]->n;
            groups[i]->n = 0;
        }
        for (uint32_t i = 0; i < b->n; i++) {
            Group *group = &b->groups[b->placed[i].group];
            sorted[group->first + group->n++] = b->placed[i].item;
        }
        qsort(groups, b->n_groups, sizeof *groups, compare_groups);
        for (uint32_t g = 0; g < b->n_groups; g++) {
            LayoutItem *items = sorted + groups[g]->first;
            for (uint32_t i = 1; i < groups[g]->n; i++) {
                if (compare_items(&items[i - 1], &items[i]) <= 0) continue;
                qsort(items, groups[g]->n, sizeof *items, compare_items);
                break;
            }
            split_rows(layout, groups[g], items, row_of, layout->items + groups[g]->first);
        }
    }
    free(sorted);
    free(row_of);
    free(groups);
    return ok;
}

Layout *layout_new(const Trace *t, const Labels *labels, bool by_stream)
{
    Layout *layout = calloc(1, sizeof *layout);
    if (!layout) return NULL;
    Builder b = {.trace = t, .labels = labels};
    analysis_window(t, labels_range(labels), &layout->start_ns, &layout->end_ns);
    layout->n_not_started = place_ops(&b, layout, by_stream);
    if (!b.failed) place_host(&b, layout->start_ns, layout->end_ns);
    bool ok = !b.failed && build_rows(layout, &b);
    free(b.placed);
    free(b.groups);
    if (ok) return layout;
    layout_free(layout);
    return NULL;
}

void layout_free(Layout *layout)
{
    if (!layout) return;
    free(layout->rows);
    free(layout->items);
    free(layout);
}

/* ---- columns ---- */

static uint32_t eighth(uint64_t ns, uint64_t from_ns, uint64_t to_ns, uint32_t eighths)
{
    if (ns <= from_ns) return 0;
    if (ns >= to_ns) return eighths;
    return (uint32_t)((unsigned __int128)(ns - from_ns) * eighths / (to_ns - from_ns));
}

/* The first item of a row that may reach into what begins at from_ns. In a row that is not stacked
 * nothing that begins before the last item to begin by then does. */
static uint32_t first_item(const LayoutRow *row, uint64_t from_ns)
{
    uint32_t i = 0, high = row->n;
    if (row->stacked) return 0;
    while (i < high) {
        uint32_t middle = i + (high - i) / 2;
        if (row->items[middle].start_ns < from_ns) i = middle + 1;
        else high = middle;
    }
    while (i > 0 && row->items[i - 1].end_ns > from_ns) i--;
    return i;
}

/* When all items are in: how many there are in each column, and how much of it they cover. */
static void finish_cells(LayoutCell *cells, uint32_t columns, double column_ns)
{
    double eighth_ns = column_ns / 8;
    for (uint32_t c = 0; c < columns; c++) {
        if (c > 0) cells[c].count += cells[c - 1].count;
        if (cells[c].count == 0) continue;
        cells[c].covered =
            cells[c].busy_ns >= column_ns ? 8 : (uint8_t)(cells[c].busy_ns / eighth_ns + 0.5);
        if (cells[c].covered == 0) cells[c].covered = 1;
    }
}

void layout_cells(const LayoutRow *row, uint64_t from_ns, uint64_t to_ns, uint32_t columns,
                  LayoutCell *cells)
{
    if (columns == 0) return;
    memset(cells, 0, columns * sizeof *cells);
    if (to_ns <= from_ns) to_ns = from_ns + 1;
    uint32_t eighths = columns * 8;
    double column_ns = (double)(to_ns - from_ns) / columns;
    uint32_t filled = 0; /* columns before this one have been looked at */
    for (uint32_t i = first_item(row, from_ns); i < row->n && row->items[i].start_ns <= to_ns;
         i++) {
        const LayoutItem *item = &row->items[i];
        if (item->end_ns < from_ns || (item->end_ns == from_ns && item->start_ns < from_ns))
            continue;
        if (item->start_ns == to_ns && item->end_ns > to_ns) continue;
        uint32_t begin = eighth(item->start_ns, from_ns, to_ns, eighths);
        uint32_t end = eighth(item->end_ns, from_ns, to_ns, eighths);
        if (begin == eighths) begin--;
        if (end <= begin) end = begin + 1;
        uint32_t first = begin / 8, last = (end - 1) / 8;
        /* count holds the change against the column before until all items are in */
        cells[first].count++;
        if (last + 1 < columns) cells[last + 1].count--;
        for (uint32_t c = first; c <= last; c++) {
            LayoutCell *cell = &cells[c];
            uint32_t from = c == first ? begin % 8 : 0, to = c == last ? end - 8 * c : 8;
            if (c >= filled) {
                cell->first = i;
                cell->first_from = (uint8_t)from;
                cell->first_to = (uint8_t)to;
            } else if (c != first) { /* a stacked row: these columns are full of what came before */
                c = filled - 1;
                if (c >= last) break;
                continue;
            }
            cell->last = i;
            cell->last_from = (uint8_t)from;
            cell->last_to = (uint8_t)to;
            bool begins = c == first && item->start_ns > from_ns,
                 ends = c == last && item->end_ns < to_ns;
            double begin_ns = begins ? (double)(item->start_ns - from_ns) : c * column_ns;
            double end_ns = ends ? (double)(item->end_ns - from_ns) : (c + 1) * column_ns;
            if (end_ns > begin_ns) cell->busy_ns += end_ns - begin_ns;
        }
        if (last + 1 > filled) filled = last + 1;
    }
    finish_cells(cells, columns, column_ns);
}

double layout_step(uint64_t span_ns, uint64_t unit_ns, uint32_t columns, uint32_t columns_apart,
                   int *digits)
{
    double span = (double)(span_ns ? span_ns : 1) / (double)unit_ns;
    double least = span * columns_apart / (columns ? columns : 1), step = 1;
    *digits = 0;
    while (step < least && step < 1e18) step *= 10;
    while (step / 10 >= least && *digits < 12) {
        step /= 10;
        if (step < 0.99) ++*digits;
    }
    int one = *digits;
    if (step / 5 >= least) {
        step /= 5;
        if (step < 0.99) *digits = one + 1;
    } else if (step / 2 >= least) {
        step /= 2;
        if (step < 0.99) *digits = one + 1;
    }
    return step;
}

const char *layout_label(const Trace *t, const Labels *labels, const LayoutItem *item, char *text,
                         size_t text_size)
{
    if (item->what == LAYOUT_OP) return labels_op(labels, item->id, text, text_size);
    const char *name =
        item->what == LAYOUT_RANGE ? t->ranges[item->id].name : t->calls[item->id].name;
    if (item->what == LAYOUT_CALL && trace_cuda_call(name)) name = trace_cuda_call(name);
    return utf8_safe(name, text, text_size);
}
