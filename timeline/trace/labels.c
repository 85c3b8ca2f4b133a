#include "timeline/trace/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

struct Labels {
    const Trace *trace;
    uint32_t range;
    uint32_t n_ops, n_streams; /* of the trace when these were made */
    uint32_t n, *order;        /* the range's work by start */
    uint32_t *batch, *number;  /* by op id; number NUMBER_OUTSIDE: not in the range */
    bool one_function;         /* every kernel of the range is the same function: K0, K1 ... */
    uint32_t *stream_number;   /* by stream id */
};

#define NUMBER_OUTSIDE (UINT32_MAX - 1)

typedef struct Key {
    uint64_t start_ns;
    uint32_t batch, stream, id;
} Key;

static int compare_keys(const void *left, const void *right)
{
    const Key *a = left, *b = right;
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns ? -1 : 1;
    if (a->batch != b->batch) return a->batch < b->batch ? -1 : 1;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Most traces are nearly in order as they are: elements are moved to their place one by one, as
 * long as that is not much work. Defines sort_NAME. */
#define SORT_NEARLY(name, Type, compare)                                                    \
    static void sort_##name(Type *all, uint32_t n)                                          \
    {                                                                                       \
        uint64_t moves = 4 * (uint64_t)n + 64;                                              \
        for (uint32_t i = 1; i < n; i++) {                                                  \
            if (compare(&all[i - 1], &all[i]) <= 0) continue;                               \
            Type moved = all[i];                                                            \
            uint32_t at = i;                                                                \
            for (; at > 0 && moves > 0 && compare(&all[at - 1], &moved) > 0; at--, moves--) \
                all[at] = all[at - 1];                                                      \
            all[at] = moved;                                                                \
            if (moves > 0) continue;                                                        \
            qsort(all, n, sizeof *all, compare);                                            \
            return;                                                                         \
        }                                                                                   \
    }
SORT_NEARLY(keys, Key, compare_keys)

/* Gives each op of the range the number of its batch. keys: room for all of them. */
static bool find_batches(Labels *l, Key *keys)
{
    const Trace *t = l->trace;
    /* the batch that a stream is in, by the H2D that began it; and whether more H2Ds would still
     * belong to it */
    uint32_t *open = calloc((size_t)t->n_streams + 1, sizeof *open), n = 0;
    bool *copying = calloc((size_t)t->n_streams + 1, sizeof *copying);
    if (!open || !copying) {
        free(open);
        free(copying);
        return false;
    }
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        const TraceOp *op = &t->ops[id];
        if (l->number[id] == NUMBER_OUTSIDE || !trace_op_is_work(op)) continue;
        if (op->launch) continue; /* a graph's nodes are in no order of a stream */
        if (op->kind == TRACE_H2D && !copying[op->stream]) {
            open[op->stream] = id;
            Key key = {op->start_ns, 0, 0, id};
            keys[n++] = key;
        }
        copying[op->stream] = op->kind == TRACE_H2D;
        l->batch[id] = open[op->stream] ? open[op->stream] : LABELS_NONE;
    }
    sort_keys(keys, n);
    /* rank the batches; number[] holds a first H2D's rank until numbers are given */
    for (uint32_t i = 0; i < n; i++) l->number[keys[i].id] = i;
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        if (l->batch[id] != LABELS_NONE) l->batch[id] = l->number[l->batch[id]];
    }
    free(open);
    free(copying);
    return true;
}

/* ---- numbers: each group of ops that would have the same label is numbered ---- */

typedef struct Member {
    const char *name;
    TraceOpKind kind;
    uint32_t batch, rank, id;
} Member;

static int compare_groups(const Member *a, const Member *b)
{
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return a->name == b->name ? 0 : strcmp(a->name, b->name); /* names are mostly shared by the
                                                                 reader */
}

static int compare_members(const void *left, const void *right)
{
    const Member *a = left, *b = right;
    int groups = compare_groups(a, b);
    if (groups) return groups;
    if (a->batch != b->batch) return a->batch < b->batch ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int compare_ranks(const void *left, const void *right)
{
    const Member *a = left, *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}
SORT_NEARLY(members, Member, compare_members)
SORT_NEARLY(ranks, Member, compare_ranks)

/* Brings members of one group together where there are only a few groups, in time linear in n; each
 * group's stay in their order. False when there are many groups, or memory is short: nothing has
 * changed then. */
static bool gather_groups(Member **members, uint32_t n)
{
    enum { GROUPS = 64 };
    struct {
        Member first;
        uint32_t n;
    } groups[GROUPS];
    uint32_t n_groups = 0, last = 0;
    unsigned char *group_of = malloc((size_t)n + 1);
    Member *sorted = malloc(((size_t)n + 1) * sizeof *sorted);
    bool ok = group_of && sorted;
    for (uint32_t i = 0; i < n && ok; i++) {
        const Member *m = &(*members)[i];
        if (!n_groups || compare_groups(&groups[last].first, m) != 0) {
            for (last = 0; last < n_groups && compare_groups(&groups[last].first, m) != 0;) last++;
        }
        if (last == n_groups) {
            if (n_groups == GROUPS) ok = false;
            else groups[n_groups++].first = *m, groups[last].n = 0;
        }
        if (ok) groups[last].n++, group_of[i] = (unsigned char)last;
    }
    for (uint32_t g = 0, at = 0; g < n_groups && ok; g++) {
        uint32_t count = groups[g].n;
        groups[g].n = at;
        at += count;
    }
    for (uint32_t i = 0; i < n && ok; i++) sorted[groups[group_of[i]].n++] = (*members)[i];
    free(group_of);
    free(ok ? *members : sorted);
    if (ok) *members = sorted;
    return ok;
}

static bool is_named(const Labels *l, const TraceOp *op)
{
    return op->name[0] && !(op->kind == TRACE_KERNEL && l->one_function);
}

static void number_group(const Labels *l, Member *members, uint32_t n)
{
    bool by_batch = true;
    for (uint32_t i = 0; i < n && by_batch; i++) {
        by_batch =
            members[i].batch != LABELS_NONE && (i == 0 || members[i].batch != members[i - 1].batch);
    }
    if (!by_batch) sort_ranks(members, n);
    for (uint32_t i = 0; i < n; i++) {
        bool plain = n == 1 && is_named(l, &l->trace->ops[members[i].id]);
        l->number[members[i].id] = plain ? LABELS_NONE : by_batch ? members[i].batch : i;
    }
}

static bool give_numbers(Labels *l)
{
    const Trace *t = l->trace;
    Member *members = malloc(((size_t)l->n + 1) * sizeof *members);
    if (!members) return false;
    const char *function = NULL;
    l->one_function = true;
    for (uint32_t i = 0; i < l->n; i++) {
        const TraceOp *op = &t->ops[l->order[i]];
        if (op->kind != TRACE_KERNEL) continue;
        if (function && function != op->name && strcmp(function, op->name) != 0)
            l->one_function = false;
        function = op->name;
    }
    bool sorted = true;
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t id = l->order[i];
        const TraceOp *op = &t->ops[id];
        Member member = {is_named(l, op) ? op->name : "", op->kind, l->batch[id],
                         op->kind == TRACE_H2D ? i : id, id}; /* H2Ds rank by start, the others by
                                                                 issue */
        members[i] = member;
        if (i > 0 && sorted && compare_members(&members[i - 1], &members[i]) > 0) sorted = false;
    }
    bool gathered = !sorted && gather_groups(&members, l->n);
    if (!sorted && !gathered) qsort(members, l->n, sizeof *members, compare_members);
    for (uint32_t first = 0, i = 1; i <= l->n; i++) {
        if (i < l->n && compare_groups(&members[first], &members[i]) == 0) continue;
        if (gathered) sort_members(members + first, i - first);
        number_group(l, members + first, i - first);
        first = i;
    }
    free(members);
    return true;
}

static const char *const short_kind[TRACE_OP_KINDS] = {
    [TRACE_H2D] = "H2D",         [TRACE_D2H] = "D2H",          [TRACE_D2D] = "D2D",
    [TRACE_H2H] = "H2H",         [TRACE_P2P] = "P2P",          [TRACE_MEMSET] = "SET",
    [TRACE_KERNEL] = "K",        [TRACE_HOSTFN] = "CB",        [TRACE_RECORD] = "event record",
    [TRACE_WAIT] = "event wait", [TRACE_ALLOC] = "allocation", [TRACE_FREE] = "release",
    [TRACE_GRAPH] = "G",
};

static const char *short_of(const TraceOp *op)
{
    return op->kind == TRACE_GRAPH && op->launch ? "child" : short_kind[op->kind];
}

/* Launches of graphs are numbered in order of issue, and so are graphs that are nodes of another,
 * each sort of them by itself. */
static void number_launches(Labels *l)
{
    enum { SORTS = 8 };
    const char *sort[SORTS] = {NULL};
    uint32_t n[SORTS] = {0};

    for (uint32_t id = 1; id <= l->n_ops; id++) {
        const TraceOp *op = &l->trace->ops[id];
        if (op->kind != TRACE_GRAPH || l->number[id] == NUMBER_OUTSIDE) continue;
        const char *name = is_named(l, op) ? op->name : short_of(op);
        int i = 0;
        while (i < SORTS - 1 && sort[i] && strcmp(sort[i], name)) i++;
        sort[i] = name;
        l->number[id] = n[i]++;
    }
}

Labels *labels_new(const Trace *t, uint32_t range)
{
    Labels *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->trace = t;
    l->range = range <= t->n_ranges ? range : 0;
    l->n_ops = t->n_ops;
    l->n_streams = t->n_streams;
    l->batch = malloc(((size_t)t->n_ops + 1) * sizeof *l->batch);
    l->number = malloc(((size_t)t->n_ops + 1) * sizeof *l->number);
    l->stream_number = calloc((size_t)t->n_streams + 1, sizeof *l->stream_number);
    if (!l->batch || !l->number || !l->stream_number) goto bad;
    uint32_t work = 0, streams = 0;
    for (uint32_t id = 0; id <= t->n_ops; id++) {
        bool inside = id > 0 && trace_in_range(t, l->range, id);
        l->batch[id] = LABELS_NONE;
        l->number[id] = inside ? LABELS_NONE : NUMBER_OUTSIDE;
        work += inside && trace_op_is_work(&t->ops[id]);
    }
    for (uint32_t id = 1; id <= t->n_streams; id++) {
        TraceStreamFlavour flavour = t->streams[id].flavour;
        bool created = flavour == TRACE_STREAM_BLOCKING || flavour == TRACE_STREAM_NONBLOCKING;
        if (created) l->stream_number[id] = ++streams;
    }
    Key *keys = malloc(((size_t)work + 1) * sizeof *keys);
    l->order = malloc(((size_t)work + 1) * sizeof *l->order);
    if (!keys || !l->order || !find_batches(l, keys)) {
        free(keys);
        goto bad;
    }
    for (uint32_t id = 1; id <= t->n_ops; id++) {
        const TraceOp *op = &t->ops[id];
        if (l->number[id] == NUMBER_OUTSIDE || !trace_op_is_work(op)) continue;
        Key key = {op->start_ns, l->batch[id], op->stream, id};
        keys[l->n++] = key;
    }
    sort_keys(keys, l->n);
    for (uint32_t i = 0; i < l->n; i++) l->order[i] = keys[i].id;
    free(keys);
    if (!give_numbers(l)) goto bad;
    number_launches(l);
    free(l->batch); /* they are in the numbers now */
    l->batch = NULL;
    return l;
bad:
    labels_free(l);
    return NULL;
}

void labels_free(Labels *l)
{
    if (!l) return;
    free(l->order);
    free(l->batch);
    free(l->number);
    free(l->stream_number);
    free(l);
}

static const char *const described_kind[TRACE_OP_KINDS] = {
    [TRACE_H2D] = "an earlier H2D copy",        [TRACE_D2H] = "an earlier D2H copy",
    [TRACE_D2D] = "an earlier D2D copy",        [TRACE_H2H] = "an earlier H2H copy",
    [TRACE_P2P] = "an earlier peer copy",       [TRACE_MEMSET] = "an earlier memset",
    [TRACE_KERNEL] = "an earlier kernel",       [TRACE_HOSTFN] = "an earlier host function",
    [TRACE_RECORD] = "an earlier event record", [TRACE_WAIT] = "an earlier event wait",
    [TRACE_ALLOC] = "an earlier allocation",    [TRACE_FREE] = "an earlier release",
    [TRACE_GRAPH] = "an earlier graph launch",
};

const char *labels_op(const Labels *l, uint32_t id, char *text, size_t text_size)
{
    const Trace *t = l->trace;
    const TraceOp *op = &t->ops[id <= t->n_ops ? id : 0];
    char name[192];
    if (text_size == 0) return text;
    if (id > l->n_ops && id <= t->n_ops) { /* came since: it has no number yet */
        if (is_named(l, op)) utf8_safe(op->name, text, text_size);
        else snprintf(text, text_size, "%s", short_of(op));
        return text;
    }
    if (id == 0 || id > t->n_ops || l->number[id] == NUMBER_OUTSIDE) {
        snprintf(text, text_size, "%s", described_kind[op->kind]);
        return text;
    }
    if (is_named(l, op)) utf8_safe(op->name, name, sizeof name);
    else snprintf(name, sizeof name, "%s", short_of(op));
    if (l->number[id] == LABELS_NONE) {
        snprintf(text, text_size, "%s", name);
    } else {
        size_t length = strlen(name);
        bool digit =
            is_named(l, op) && length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9';
        snprintf(text, text_size, "%s%s%u", name, digit ? "#" : "", l->number[id]);
    }
    return text;
}

const uint32_t *labels_order(const Labels *l, uint32_t *n)
{
    *n = l->n;
    return l->order;
}

uint32_t labels_number(const Labels *l, uint32_t op)
{
    return op <= l->n_ops && l->number[op] < NUMBER_OUTSIDE ? l->number[op] : LABELS_NONE;
}

uint32_t labels_range(const Labels *l) { return l->range; }

static const char *const class_title[TRACE_ENGINE_CLASSES] = {
    [TRACE_ENGINE_H2D] = "H2D",     [TRACE_ENGINE_D2H] = "D2H",
    [TRACE_ENGINE_COPY] = "Copies", [TRACE_ENGINE_COMPUTE] = "Kernels",
    [TRACE_ENGINE_LINK] = "Links",  [TRACE_ENGINE_HOST] = "Host fns",
};

const char *labels_class(const Trace *t, TraceEngineClass class_, uint32_t device, char *text,
                         size_t text_size)
{
    char gpu[32] = "";
    if (t->n_devices > 1 && class_ != TRACE_ENGINE_HOST) /* which run on one thread for all */
        snprintf(gpu, sizeof gpu, "GPU%u ", device ? device - 1 : 0);
    snprintf(text, text_size, "%s%s", gpu, class_title[class_]);
    return text;
}

const char *labels_engine(const Trace *t, uint32_t engine, char *text, size_t text_size)
{
    enum { MOST = 1024 };
    const TraceEngine *it = &t->engines[engine];
    uint32_t rank = 0, alike = 0;
    if (it->class_ == TRACE_ENGINE_LINK && it->device && it->to) {
        snprintf(text, text_size, "GPU%u to %u", it->device - 1, it->to - 1);
        return text;
    }

    labels_class(t, it->class_, it->device, text, text_size);
    for (uint32_t id = 1; id <= t->n_engines && id <= MOST; id++) {
        if (t->engines[id].class_ != it->class_ || t->engines[id].device != it->device) continue;
        alike++;
        rank += id <= engine;
    }
    size_t used = strlen(text);
    if (alike > 1) snprintf(text + used, text_size - used, " %u", rank);
    return text;
}

uint32_t labels_stream_number(const Labels *l, uint32_t id)
{
    const Trace *t = l->trace;
    uint32_t number = id <= l->n_streams ? l->stream_number[id] : 0;
    if (id > t->n_streams || t->streams[id].flavour == TRACE_STREAM_LEGACY) return 0;
    for (uint32_t other = l->n_streams + 1; other <= id; other++) { /* created since */
        TraceStreamFlavour flavour = t->streams[other].flavour;
        number += flavour == TRACE_STREAM_BLOCKING || flavour == TRACE_STREAM_NONBLOCKING;
    }
    for (uint32_t other = l->n_streams; id > l->n_streams && other > 0; other--) {
        number += l->stream_number[other];
        if (l->stream_number[other]) break;
    }
    return number;
}

const char *labels_stream(const Labels *l, uint32_t id, char *text, size_t text_size)
{
    const Trace *t = l->trace;
    if (text_size == 0) return text;
    if (id == 0 || id > t->n_streams) {
        snprintf(text, text_size, "an unknown stream");
        return text;
    }
    const TraceStream *stream = &t->streams[id];
    char gpu[32] = "";
    if (t->n_devices > 1 && stream->device)
        snprintf(gpu, sizeof gpu, " of GPU %u", stream->device - 1);
    if (stream->name[0]) {
        char name[192];
        snprintf(text, text_size, "stream %s", utf8_safe(stream->name, name, sizeof name));
    } else if (stream->flavour == TRACE_STREAM_LEGACY) {
        snprintf(text, text_size, "stream 0%s (default stream)", gpu);
    } else if (stream->flavour == TRACE_STREAM_PER_THREAD) {
        snprintf(text, text_size, "the per-thread default stream%s", gpu);
    } else {
        snprintf(text, text_size, "stream %u%s", labels_stream_number(l, id), gpu);
    }
    return text;
}
