#include "timeline/pictures/spans.h"

#include <stdlib.h>
#include <string.h>
#include "timeline/trace/analysis.h"

enum {
    MOST_LANES = 32,    /* of a track, the pile included */
    BLOCK = 16,         /* spans between two sums */
    MOST_TRACKS = 4096, /* of a kind; further engines, streams or threads share the last one */
    OVERLAP_LANES = 64, /* lanes of which spans_overlap_go remembers where they were */
    LOOK_BACK = 4096,   /* spans of a pile that are looked at for the first in a cell */
};

struct SpansState {
    uint32_t ops, calls, ranges;           /* looked at so far */
    uint32_t *open_ops, n_open, room_open; /* work that has not ended yet */
    uint32_t *open_calls, n_calls, room_calls;
    uint32_t *open_ranges, n_ranges, room_ranges;
    uint32_t *engine_track, *stream_track, *device_track, *thread_calls, *thread_ranges; /* + 1, by
                                                                                            id */
    uint32_t n_engine, n_stream, n_device, n_thread;
    bool by_device; /* there are several */
    uint32_t class_track[TRACE_ENGINE_CLASSES], graph_track;
};

/* What is to be put into a track. */
typedef struct Item {
    uint64_t start_ns, end_ns;
    uint32_t id, track;
} Item;
typedef struct Items {
    Item *items;
    uint32_t n, room;
} Items;

static bool grow(void **array, uint32_t *room, uint32_t n, size_t size)
{
    if (n < *room) return true;
    uint64_t bigger = *room < 16 ? 16 : *room + (uint64_t)*room / 2;
    if (bigger <= n) bigger = (uint64_t)n + 1;
    void *moved = bigger < UINT32_MAX ? realloc(*array, bigger * size) : NULL;
    if (!moved) return false;
    *array = moved;
    *room = (uint32_t)bigger;
    return true;
}

/* ---- lanes ---- */

static uint64_t end_of(const SpansLane *l, uint32_t i, uint64_t now)
{
    uint64_t end = l->end_ns[i];
    if (end == UINT64_MAX) end = now > l->start_ns[i] ? now : l->start_ns[i];
    return end;
}

uint64_t spans_end_ns(const Spans *s, const SpansLane *l, uint32_t i)
{
    return end_of(l, i, s->now_ns);
}

static bool reserve_lane(SpansLane *l, uint32_t n)
{
    if (n <= l->room) return true;
    uint64_t room = l->room < 16 ? 16 : l->room + (uint64_t)l->room / 2;
    if (room < n) room = n;
    uint64_t *start = realloc(l->start_ns, room * sizeof *start);
    if (start) l->start_ns = start;
    uint64_t *end = realloc(l->end_ns, room * sizeof *end);
    if (end) l->end_ns = end;
    uint32_t *id = realloc(l->id, room * sizeof *id);
    if (id) l->id = id;
    uint64_t *busy = realloc(l->busy_ns, (room / BLOCK + 1) * sizeof *busy);
    if (busy) l->busy_ns = busy;
    if (!start || !end || !id || !busy) return false;
    l->room = (uint32_t)room;
    return true;
}

static void release_lane(SpansLane *l)
{
    free(l->start_ns);
    free(l->end_ns);
    free(l->id);
    free(l->busy_ns);
    free(l->ends_ns);
    if (l->cover) {
        release_lane(l->cover);
        free(l->cover);
    }
    memset(l, 0, sizeof *l);
}

/* Sums up to and including the block in which the last ended span is. */
static void sum_lane(SpansLane *l)
{
    if (l->n == 0) return;
    if (l->summed == 0) l->busy_ns[0] = 0;
    while (l->summed + BLOCK < l->n) {
        uint64_t sum = l->busy_ns[l->summed / BLOCK];
        for (uint32_t i = l->summed; i < l->summed + BLOCK; i++) {
            if (l->end_ns[i] == UINT64_MAX) return; /* goes on when it has ended */
            sum += l->end_ns[i] - l->start_ns[i];
        }
        l->summed += BLOCK;
        l->busy_ns[l->summed / BLOCK] = sum;
    }
}

static bool append(SpansLane *l, uint64_t start, uint64_t end, uint32_t id)
{
    if (!reserve_lane(l, l->n + 1)) return false;
    l->start_ns[l->n] = start;
    l->end_ns[l->n] = end;
    l->id[l->n++] = id;
    l->settled = false;
    return true;
}

/* The first i of lo..n with start >= ns. */
static uint32_t first_start(const SpansLane *l, uint64_t ns, uint32_t lo)
{
    uint32_t step = 1, hi = lo;
    while (hi < l->n && l->start_ns[hi] < ns) { /* columns follow each other: look nearby first */
        lo = hi + 1;
        hi = l->n - hi > step ? hi + step : l->n;
        step *= 2;
    }
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (l->start_ns[middle] < ns) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

uint32_t spans_first_from(const SpansLane *l, uint64_t ns) { return first_start(l, ns, 0); }

/* The first i of lo..n with start >= start_ns or end >= end_ns; not for piles. */
static uint32_t first_reaching(const SpansLane *l, uint64_t start_ns, uint64_t end_ns, uint64_t now,
                               uint32_t lo)
{
    uint32_t step = 1, hi = lo;
    while (hi < l->n && l->start_ns[hi] < start_ns && end_of(l, hi, now) < end_ns) {
        lo = hi + 1;
        hi = l->n - hi > step ? hi + step : l->n;
        step *= 2;
    }
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (l->start_ns[middle] < start_ns && end_of(l, middle, now) < end_ns) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

uint32_t spans_first_after(const Spans *s, const SpansLane *l, uint64_t ns)
{
    if (!l->pile) return first_reaching(l, ns, ns + 1, s->now_ns, 0);
    uint32_t at = first_start(l, ns, 0), found = at;
    for (uint32_t i = at, looked = 0; i > 0 && looked < LOOK_BACK; looked++) {
        if (end_of(l, --i, s->now_ns) > ns) found = i;
    }
    return found;
}

uint32_t spans_find(const SpansLane *l, uint64_t start_ns, uint32_t id)
{
    for (uint32_t i = first_start(l, start_ns, 0); i < l->n && l->start_ns[i] == start_ns; i++) {
        if (l->id[i] == id) return i;
    }
    return l->n;
}

/* Busy nanoseconds before ns. */
static uint64_t busy_before(const SpansLane *l, uint64_t ns, uint64_t now)
{
    uint32_t i = first_start(l, ns, 0);
    if (i == 0) return 0;
    uint32_t from = (i - 1) / BLOCK * BLOCK; /* the last one may go on beyond ns: it is looked at by
                                                itself */
    if (from > l->summed) from = l->summed;
    uint64_t sum = l->busy_ns[from / BLOCK];
    for (; from < i; from++) {
        uint64_t end = end_of(l, from, now);
        sum += (end < ns ? end : ns) - l->start_ns[from];
    }
    return sum;
}

uint64_t spans_busy_ns(const Spans *s, const SpansLane *l, uint64_t from_ns, uint64_t to_ns)
{
    if (l->pile) l = l->cover;
    if (!l || to_ns <= from_ns) return 0;
    return busy_before(l, to_ns, s->now_ns) - busy_before(l, from_ns, s->now_ns);
}

/* How many ends lie before ns. */
static uint32_t ends_before(const SpansLane *l, uint64_t ns)
{
    uint32_t lo = 0, hi = l->n;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (l->ends_ns[middle] < ns) lo = middle + 1;
        else hi = middle;
    }
    return lo;
}

/* ---- level of detail ---- */

typedef unsigned __int128 Wide;

/* The least time that lies in eighth k or later. */
static uint64_t eighth_start(uint64_t from, uint64_t span, uint32_t eighths, uint64_t k)
{
    return from + (uint64_t)(((Wide)k * span + eighths - 1) / eighths);
}

static uint32_t eighth_of(uint64_t ns, uint64_t from, uint64_t span, uint32_t eighths)
{
    if (ns <= from) return 0;
    if (ns - from >= span) return eighths;
    return (uint32_t)((Wide)(ns - from) * eighths / span);
}

/* The eighths 0..8 of column c that a span covers, and whether it begins and ends there. */
static void eighths_in(const SpansLane *l, uint32_t i, uint64_t now, uint64_t from, uint64_t span,
                       uint32_t eighths, uint32_t c, uint8_t *first, uint8_t *end, bool *begins,
                       bool *ends)
{
    uint32_t e0 = eighth_of(l->start_ns[i], from, span, eighths),
             e1 = eighth_of(end_of(l, i, now), from, span, eighths);
    if (e0 == eighths) e0--;
    if (e1 <= e0) e1 = e0 + 1;
    *begins = e0 >= 8 * c;
    *ends = e1 <= 8 * c + 8;
    *first = (uint8_t)(e0 > 8 * c ? e0 - 8 * c : 0);
    *end = (uint8_t)(e1 < 8 * c + 8 ? e1 > 8 * c ? e1 - 8 * c : 1 : 8);
    if (*first > 7) *first = 7;
    if (*end <= *first) *end = (uint8_t)(*first + 1);
}

void spans_cells(const Spans *s, const SpansLane *l, uint64_t from, uint64_t to, uint32_t columns,
                 SpansCell *cells)
{
    uint64_t span = to > from ? to - from : 1, now = s->now_ns;
    uint32_t eighths = columns * 8, at = 0, next = 0;
    memset(cells, 0, columns * sizeof *cells);
    for (uint32_t c = 0; c < columns && l->n; c++) {
        SpansCell *cell = &cells[c];
        uint64_t left = eighth_start(from, span, eighths, 8 * (uint64_t)c);
        uint64_t second = eighth_start(from, span, eighths, 8 * (uint64_t)c + 1);
        uint64_t right = eighth_start(from, span, eighths, 8 * (uint64_t)c + 8);
        /* what begins exactly at the end of the window and takes no time belongs to its last
         * column */
        uint64_t before = c + 1 == columns ? right + 1 : right;
        next = first_start(l, before, next);
        while (c + 1 == columns && next > 0 && l->start_ns[next - 1] == right &&
               end_of(l, next - 1, now) > right)
            next--;
        if (!l->pile) {
            at = first_reaching(l, left, second, now, at);
            cell->count = next > at ? next - at : 0;
            cell->first = at;
        } else {
            /* those that have begun, less those that have ended; a span shorter than an eighth
             * counts where it begins */
            uint32_t ended = l->ends_ns ? ends_before(l, second) : l->n, short_ones = 0;
            bool found = false;
            cell->first = next ? next - 1 : 0;
            for (uint32_t i = next, looked = 0; i > 0 && looked < LOOK_BACK; looked++) {
                i--;
                bool touches = l->start_ns[i] >= left || end_of(l, i, now) >= second;
                if (touches) cell->first = i, found = true;
                if (l->start_ns[i] >= left && end_of(l, i, now) < second) short_ones++;
            }
            cell->count = next + short_ones > ended ? next + short_ones - ended : 0;
            if (!cell->count && found) cell->count = 1;
        }
        if (cell->count == 0) continue;
        cell->last = next - 1;
        bool ignored;
        eighths_in(l, cell->first, now, from, span, eighths, c, &cell->first_from, &cell->first_to,
                   &cell->begins, &ignored);
        eighths_in(l, cell->last, now, from, span, eighths, c, &cell->last_from, &cell->last_to,
                   &ignored, &cell->ends);
        if (cell->count == 1) {
            cell->covered = (uint8_t)(cell->first_to - cell->first_from);
        } else {
            uint64_t busy = spans_busy_ns(s, l, left, right);
            uint64_t width = right > left ? right - left : 1;
            cell->covered = busy >= width ? 8 : (uint8_t)((Wide)busy * 8 / width);
        }
        if (!cell->covered) cell->covered = 1;
    }
}

void spans_add_cells(SpansCell *to, const SpansCell *other, uint32_t columns)
{
    for (uint32_t c = 0; c < columns; c++) {
        if (!other[c].count) continue;
        uint32_t count = to[c].count;
        unsigned covered = to[c].covered + other[c].covered;
        if (!count) to[c] = other[c];
        to[c].count = count + other[c].count;
        to[c].covered = (uint8_t)(covered > 8 ? 8 : covered);
    }
}

/* ---- tracks ---- */

TraceEngineClass spans_class(const Trace *t, uint32_t id) { return analysis_class(t, &t->ops[id]); }

/* Copies in, kernels, copies out: the order in which a batch goes through them. Host functions run
 * on one thread for all devices. */
static uint64_t engine_order(const Trace *t, TraceEngineClass class_, uint32_t device,
                             uint32_t engine)
{
    static const unsigned char place[TRACE_ENGINE_CLASSES] =
        {[TRACE_ENGINE_H2D] = 1, [TRACE_ENGINE_COPY] = 2, [TRACE_ENGINE_COMPUTE] = 3,
         [TRACE_ENGINE_D2H] = 4, [TRACE_ENGINE_LINK] = 5, [TRACE_ENGINE_HOST] = 6};
    (void)t;
    uint64_t group = class_ == TRACE_ENGINE_HOST ? UINT16_MAX : device & 0x7fff;
    return group << 44 | (uint64_t)place[class_] << 40 | engine;
}

static bool add_track(SpansTrack **tracks, uint32_t *n, SpansTrack track)
{
    SpansTrack *bigger = realloc(*tracks, ((size_t)*n + 1) * sizeof *bigger);
    if (!bigger) return false;
    *tracks = bigger;
    bigger[(*n)++] = track;
    return true;
}

/* The table from ids to tracks, made as long as there are ids. */
static bool widen(uint32_t **table, uint32_t *n, uint32_t wanted)
{
    if (*table && *n >= wanted) return true;
    uint32_t *bigger = realloc(*table, ((size_t)wanted + 1) * sizeof *bigger);
    if (!bigger) return false;
    uint32_t from = *table ? *n + 1 : 0;
    memset(bigger + from, 0, ((size_t)wanted + 1 - from) * sizeof *bigger);
    *table = bigger;
    *n = wanted;
    return true;
}

/* The track that *slot names; made when there is none. Returns its index, or UINT32_MAX when out of
 * memory. */
static uint32_t track_at(SpansTrack **tracks, uint32_t *n, uint32_t *slot, SpansTrack track)
{
    if (*slot) return *slot - 1;
    if (*n < MOST_TRACKS && !add_track(tracks, n, track)) return UINT32_MAX;
    *slot = *n;
    return *slot - 1;
}

static uint32_t track_of_op(Spans *s, SpansMode mode, uint32_t id)
{
    const Trace *t = s->trace;
    const TraceOp *op = &t->ops[id];
    struct SpansState *st = s->state;
    if (mode == SPANS_BY_STREAM) {
        SpansTrack track = {.kind = SPANS_STREAM, .ref = op->stream, .order = op->stream};
        return track_at(&s->tracks[mode], &s->n_tracks[mode], &st->stream_track[op->stream], track);
    }
    if (mode == SPANS_BY_DEVICE) {
        bool host = op->kind != TRACE_GRAPH && spans_class(t, id) == TRACE_ENGINE_HOST;
        uint32_t device = host ? 0 : op->engine ? t->engines[op->engine].device : op->device;
        SpansTrack track = {.kind = SPANS_DEVICE,
                            .ref = device,
                            .order = device ? device : UINT32_MAX};
        return track_at(&s->tracks[mode], &s->n_tracks[mode], &st->device_track[device], track);
    }
    if (op->kind == TRACE_GRAPH) { /* on no engine: above them all */
        SpansTrack track = {.kind = SPANS_GRAPHS};
        return track_at(&s->tracks[mode], &s->n_tracks[mode], &st->graph_track, track);
    }
    TraceEngineClass class_ = spans_class(t, id);
    uint32_t device = op->engine ? t->engines[op->engine].device : op->device;
    SpansTrack track = {.kind = op->engine ? SPANS_ENGINE : SPANS_CLASS,
                        .ref = op->engine ? op->engine : class_,
                        .order = engine_order(t, class_, device, op->engine)};
    uint32_t *slot = op->engine ? &st->engine_track[op->engine] : &st->class_track[class_];
    return track_at(&s->tracks[mode], &s->n_tracks[mode], slot, track);
}

static int compare_items(const void *left, const void *right)
{
    const Item *a = left, *b = right;
    if (a->track != b->track) return a->track < b->track ? -1 : 1;
    if (a->start_ns != b->start_ns) return a->start_ns < b->start_ns ? -1 : 1;
    if (a->end_ns != b->end_ns)
        return a->end_ns > b->end_ns ? -1 : 1; /* what encloses comes first */
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Sorts; what is nearly in order, as most traces are, in nearly linear time. */
static void sort_items(Item *items, uint32_t n)
{
    uint64_t moves = 0;
    for (uint32_t i = 1; i < n; i++) {
        if (compare_items(&items[i - 1], &items[i]) <= 0) continue;
        Item item = items[i];
        uint32_t at = i;
        do {
            items[at] = items[at - 1];
            at--;
        } while (at > 0 && compare_items(&items[at - 1], &item) > 0 &&
                 ++moves < 4 * (uint64_t)n + 64);
        items[at] = item;
        if (moves >= 4 * (uint64_t)n + 64) {
            qsort(items, n, sizeof *items, compare_items);
            return;
        }
    }
}

/* Puts a span into the first lane that is free when it starts. */
static bool place(SpansTrack *track, uint64_t start, uint64_t end, uint32_t id)
{
    uint32_t lane = 0;
    while (lane < track->n_lanes) {
        SpansLane *l = &track->lanes[lane];
        if (l->pile || l->n == 0 || l->end_ns[l->n - 1] <= start) break;
        lane++;
    }
    if (lane == track->n_lanes) {
        SpansLane *bigger = realloc(track->lanes, ((size_t)lane + 1) * sizeof *bigger);
        if (!bigger) return false;
        track->lanes = bigger;
        memset(&bigger[lane], 0, sizeof *bigger);
        bigger[lane].pile = lane + 1 == MOST_LANES;
        track->n_lanes++;
    }
    if (!append(&track->lanes[lane], start, end, id)) return false;
    track->n++;
    if (start > track->last_start_ns) track->last_start_ns = start;
    return true;
}

/* Everything of a track once more, with what is new: something has come late. */
static bool rebuild(SpansTrack *track, const Item *fresh, uint32_t n_fresh)
{
    Items all = {0};
    all.room = track->n + n_fresh;
    all.items = malloc((size_t)all.room * sizeof *all.items);
    if (!all.items) return false;
    for (uint32_t k = 0; k < track->n_lanes; k++) {
        const SpansLane *l = &track->lanes[k];
        for (uint32_t i = 0; i < l->n; i++) {
            all.items[all.n++] = (Item){l->start_ns[i], l->end_ns[i], l->id[i], 0};
        }
        release_lane(&track->lanes[k]);
    }
    for (uint32_t i = 0; i < n_fresh; i++) {
        all.items[all.n] = fresh[i];
        all.items[all.n++].track = 0;
    }
    free(track->lanes);
    track->lanes = NULL;
    track->n_lanes = track->n = 0;
    track->last_start_ns = 0;
    sort_items(all.items, all.n);
    bool ok = true;
    for (uint32_t i = 0; i < all.n && ok; i++) {
        ok = place(track, all.items[i].start_ns, all.items[i].end_ns, all.items[i].id);
    }
    free(all.items);
    return ok;
}

static int compare_u64(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The pile's ends in order, and what it covers. */
static bool settle(SpansLane *l, uint64_t now)
{
    uint64_t *ends = realloc(l->ends_ns, ((size_t)l->n + 1) * sizeof *ends);
    if (!ends) return false;
    l->ends_ns = ends;
    if (!l->cover) l->cover = calloc(1, sizeof *l->cover);
    if (!l->cover) return false;
    l->cover->n = l->cover->summed = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        SpansLane *c = l->cover;
        uint64_t end = ends[i] = end_of(l, i, now);
        if (c->n && l->start_ns[i] <= c->end_ns[c->n - 1]) {
            if (end > c->end_ns[c->n - 1]) c->end_ns[c->n - 1] = end;
        } else if (!append(c, l->start_ns[i], end, l->id[i])) {
            return false;
        }
    }
    qsort(ends, l->n, sizeof *ends, compare_u64);
    sum_lane(l->cover);
    l->settled = true;
    return true;
}

/* What came late, into its tracks. */
static bool take_late(SpansTrack *tracks, Items *late)
{
    sort_items(late->items, late->n);
    for (uint32_t first = 0, i = 0; i < late->n; first = i) {
        while (i < late->n && late->items[i].track == late->items[first].track) i++;
        if (!rebuild(&tracks[late->items[first].track], late->items + first, i - first))
            return false;
    }
    return true;
}

/* Into its track when it begins after what is there; else it is kept until all that is new has been
 * seen. */
static bool take(SpansTrack *tracks, Items *late, uint64_t start, uint64_t end, uint32_t id,
                 uint32_t track)
{
    if (track == UINT32_MAX) return false;
    if (end != TRACE_OPEN_NS && end < start) end = start;
    if (start >= tracks[track].last_start_ns) return place(&tracks[track], start, end, id);
    if (!grow((void **)&late->items, &late->room, late->n, sizeof *late->items)) return false;
    late->items[late->n++] = (Item){start, end, id, track};
    return true;
}

static bool keep(uint32_t **list, uint32_t *n, uint32_t *room, uint32_t id)
{
    if (!grow((void **)list, room, *n, sizeof **list)) return false;
    (*list)[(*n)++] = id;
    return true;
}

/* A span that was put in as open has ended. */
static void close_span(SpansTrack *track, uint64_t start, uint64_t end, uint32_t id)
{
    for (uint32_t k = 0; k < track->n_lanes; k++) {
        SpansLane *l = &track->lanes[k];
        uint32_t i = spans_find(l, start, id);
        if (i == l->n) continue;
        l->end_ns[i] = end < start ? start : end;
        l->settled = false;
        return;
    }
}

/* What is new. The items are those that came late. */
typedef struct Fresh {
    Items ops[SPANS_MODES], host;
    bool changed;
} Fresh;

static bool take_op(Spans *s, Fresh *f, SpansMode mode, uint32_t id)
{
    if (mode == SPANS_BY_DEVICE && !s->state->by_device) return true;
    const TraceOp *op = &s->trace->ops[id];
    uint32_t track = track_of_op(s, mode, id); /* may move the tracks */
    return take(s->tracks[mode], &f->ops[mode], op->start_ns, op->end_ns, id, track);
}

static bool take_ops(Spans *s, Fresh *f)
{
    const Trace *t = s->trace;
    struct SpansState *st = s->state;
    uint32_t kept = 0, n_open = st->n_open, not_started = 0;
    /* those that were open: bit 31 of the list says that it is in its lanes already */
    for (uint32_t k = 0; k < n_open; k++) {
        uint32_t entry = st->open_ops[k], id = entry & 0x7fffffff;
        const TraceOp *op = &t->ops[id];
        if (op->start_ns == TRACE_OPEN_NS) {
            not_started++;
        } else if (!(entry >> 31)) {
            f->changed = true;
            for (int mode = 0; mode < SPANS_MODES; mode++) {
                if (!take_op(s, f, (SpansMode)mode, id)) return false;
            }
            if (op->end_ns != TRACE_OPEN_NS) continue;
            entry |= 0x80000000u;
        } else if (op->end_ns != TRACE_OPEN_NS) {
            f->changed = true;
            for (int mode = 0; mode < SPANS_MODES; mode++) {
                if (mode == SPANS_BY_DEVICE && !st->by_device) continue;
                uint32_t track = track_of_op(s, (SpansMode)mode, id);
                if (track != UINT32_MAX)
                    close_span(&s->tracks[mode][track], op->start_ns, op->end_ns, id);
            }
            continue;
        }
        st->open_ops[kept++] = entry;
    }
    st->n_open = kept;
    while (st->ops < t->n_ops) {
        uint32_t id = ++st->ops;
        const TraceOp *op = &t->ops[id];
        if (!trace_op_is_shown(op)) continue;
        f->changed = true;
        if (op->start_ns != TRACE_OPEN_NS) {
            for (int mode = 0; mode < SPANS_MODES; mode++) {
                if (!take_op(s, f, (SpansMode)mode, id)) return false;
            }
        } else {
            not_started++;
        }
        if (op->start_ns == TRACE_OPEN_NS || op->end_ns == TRACE_OPEN_NS) {
            uint32_t entry = id | (op->start_ns != TRACE_OPEN_NS ? 0x80000000u : 0);
            if (!keep(&st->open_ops, &st->n_open, &st->room_open, entry)) return false;
        }
    }
    s->n_not_started = not_started;
    return true;
}

/* A second device has come: what was seen so far is put into its tracks. */
static bool take_devices(Spans *s, Fresh *f)
{
    struct SpansState *st = s->state;
    if (st->by_device || s->trace->n_devices < 2) return true;
    st->by_device = true;
    for (uint32_t id = 1; id <= st->ops; id++) {
        const TraceOp *op = &s->trace->ops[id];
        if (trace_op_is_shown(op) && op->start_ns != TRACE_OPEN_NS &&
            !take_op(s, f, SPANS_BY_DEVICE, id))
            return false;
    }
    return true;
}

/* Calls and ranges: those that took time, once they have ended; what is open is in its lane as
 * such. */
static bool take_host(Spans *s, Fresh *f, bool ranges)
{
    const Trace *t = s->trace;
    struct SpansState *st = s->state;
    uint32_t **list = ranges ? &st->open_ranges : &st->open_calls;
    uint32_t *n = ranges ? &st->n_ranges : &st->n_calls,
             *room = ranges ? &st->room_ranges : &st->room_calls;
    uint32_t *seen = ranges ? &st->ranges : &st->calls, total = ranges ? t->n_ranges : t->n_calls,
             kept = 0, old = *n;
#define FIELD(id, field) (ranges ? t->ranges[id].field : t->calls[id].field)
    for (uint32_t k = 0; k < old; k++) {
        uint32_t id = (*list)[k];
        uint64_t start = FIELD(id, start_ns), end = FIELD(id, end_ns);
        if (end == TRACE_OPEN_NS) {
            (*list)[kept++] = id;
            continue;
        }
        uint32_t thread = FIELD(id, thread),
                 slot = (ranges ? st->thread_ranges : st->thread_calls)[thread];
        f->changed = true;
        if (slot) close_span(&s->host[slot - 1], start, end, id);
    }
    *n = kept;
    while (*seen < total) {
        uint32_t id = ++*seen, thread = FIELD(id, thread);
        uint64_t start = FIELD(id, start_ns), end = FIELD(id, end_ns);
        if (start == TRACE_OPEN_NS || end <= start) continue;
        SpansTrack track = {.kind = ranges ? SPANS_RANGES : SPANS_CALLS,
                            .ref = thread,
                            .what = ranges ? SPANS_RANGE : SPANS_CALL,
                            .order = 2 * (uint64_t)thread + !ranges};
        uint32_t *slot = &(ranges ? st->thread_ranges : st->thread_calls)[thread];
        f->changed = true;
        uint32_t index = track_at(&s->host, &s->n_host, slot, track);
        if (!take(s->host, &f->host, start, end, id, index)) return false;
        if (end == TRACE_OPEN_NS && !keep(list, n, room, id)) return false;
    }
#undef FIELD
    return true;
}

static int compare_tracks(const void *left, const void *right)
{
    const SpansTrack *a = left, *b = right;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Tracks in their order, and the tables that name them right again. */
static void sort_tracks(Spans *s)
{
    struct SpansState *st = s->state;
    for (int mode = 0; mode < SPANS_MODES; mode++) {
        if (s->n_tracks[mode])
            qsort(s->tracks[mode], s->n_tracks[mode], sizeof **s->tracks, compare_tracks);
    }
    if (s->n_host) qsort(s->host, s->n_host, sizeof *s->host, compare_tracks);
    /* an id without a track of its own shares the last one; its slot stays as it is */
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE]; i++) {
        const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
        if (track->kind == SPANS_GRAPHS) st->graph_track = i + 1;
        else if (track->kind == SPANS_ENGINE) st->engine_track[track->ref] = i + 1;
        else st->class_track[track->ref] = i + 1;
    }
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_STREAM]; i++) {
        st->stream_track[s->tracks[SPANS_BY_STREAM][i].ref] = i + 1;
    }
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_DEVICE]; i++)
        st->device_track[s->tracks[SPANS_BY_DEVICE][i].ref] = i + 1;
    for (uint32_t i = 0; i < s->n_host; i++) {
        (s->host[i].kind == SPANS_RANGES ? st->thread_ranges : st->thread_calls)[s->host[i].ref] =
            i + 1;
    }
}

static void settle_tracks(Spans *s, SpansTrack *tracks, uint32_t n, uint64_t *from, uint64_t *to)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < tracks[i].n_lanes; k++) {
            SpansLane *l = &tracks[i].lanes[k];
            if (!l->n) continue;
            if (l->pile && !l->settled) settle(l, s->now_ns);
            else if (!l->pile) sum_lane(l);
            if (l->start_ns[0] < *from) *from = l->start_ns[0];
            uint64_t end =
                l->pile && l->settled ? l->ends_ns[l->n - 1] : end_of(l, l->n - 1, s->now_ns);
            if (end > *to) *to = end;
        }
    }
}

bool spans_update(Spans *s, bool *changed)
{
    const Trace *t = s->trace;
    struct SpansState *st = s->state;
    Fresh f = {.changed = s->now_ns != t->last_ns && (st->n_open || st->n_calls || st->n_ranges)};
    uint32_t before[SPANS_MODES + 1] = {s->n_tracks[0], s->n_tracks[1], s->n_tracks[2], s->n_host},
                                  threads = st->n_thread;
    s->now_ns = t->last_ns;
    bool ok = widen(&st->engine_track, &st->n_engine, t->n_engines) &&
              widen(&st->stream_track, &st->n_stream, t->n_streams) &&
              widen(&st->device_track, &st->n_device, t->n_devices) &&
              widen(&st->thread_calls, &threads, t->n_threads) &&
              widen(&st->thread_ranges, &st->n_thread, t->n_threads);
    ok = ok && take_devices(s, &f) && take_ops(s, &f) && take_host(s, &f, true) &&
         take_host(s, &f, false);
    for (int mode = 0; mode < SPANS_MODES; mode++) {
        ok = ok && take_late(s->tracks[mode], &f.ops[mode]);
        free(f.ops[mode].items);
    }
    ok = ok && take_late(s->host, &f.host);
    free(f.host.items);
    if (before[0] != s->n_tracks[0] || before[1] != s->n_tracks[1] || before[2] != s->n_tracks[2] ||
        before[3] != s->n_host)
        sort_tracks(s);
    uint64_t from = UINT64_MAX, to = 0;
    for (int mode = 0; mode < SPANS_MODES; mode++)
        settle_tracks(s, s->tracks[mode], s->n_tracks[mode], &from, &to);
    bool no_ops = from == UINT64_MAX;
    uint64_t ignored_from = UINT64_MAX, ignored_to = 0;
    settle_tracks(s, s->host, s->n_host, no_ops ? &from : &ignored_from,
                  no_ops ? &to : &ignored_to);
    s->from_ns = from == UINT64_MAX ? 0 : from;
    s->to_ns = to > s->from_ns ? to : s->from_ns + 1;
    if (changed) *changed = f.changed;
    return ok;
}

Spans *spans_new(const Trace *t)
{
    Spans *s = calloc(1, sizeof *s);
    if (s) s->state = calloc(1, sizeof *s->state);
    if (!s || !s->state) {
        free(s);
        return NULL;
    }
    s->trace = t;
    if (!spans_update(s, NULL)) {
        spans_free(s);
        return NULL;
    }
    return s;
}

static void free_tracks(SpansTrack *tracks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < tracks[i].n_lanes; k++) release_lane(&tracks[i].lanes[k]);
        free(tracks[i].lanes);
    }
    free(tracks);
}

void spans_free(Spans *s)
{
    if (!s) return;
    for (int mode = 0; mode < SPANS_MODES; mode++) free_tracks(s->tracks[mode], s->n_tracks[mode]);
    free_tracks(s->host, s->n_host);
    struct SpansState *st = s->state;
    free(st->open_ops);
    free(st->open_calls);
    free(st->open_ranges);
    free(st->engine_track);
    free(st->stream_track);
    free(st->device_track);
    free(st->thread_calls);
    free(st->thread_ranges);
    free(st);
    free(s);
}

bool spans_place(const Spans *s, SpansMode mode, uint32_t op, uint32_t *track, uint32_t *lane,
                 uint32_t *index)
{
    if (op == 0 || op > s->state->ops || s->trace->ops[op].start_ns == TRACE_OPEN_NS ||
        !trace_op_is_shown(&s->trace->ops[op]))
        return false;
    const TraceOp *o = &s->trace->ops[op];
    if (mode == SPANS_BY_DEVICE && !s->state->by_device) return false;
    bool host = o->kind != TRACE_GRAPH && spans_class(s->trace, op) == TRACE_ENGINE_HOST;
    uint32_t device = host ? 0 : o->engine ? s->trace->engines[o->engine].device : o->device;
    uint32_t slot = mode == SPANS_BY_STREAM   ? s->state->stream_track[o->stream]
                    : mode == SPANS_BY_DEVICE ? s->state->device_track[device]
                    : o->kind == TRACE_GRAPH  ? s->state->graph_track
                    : o->engine               ? s->state->engine_track[o->engine]
                                              : s->state->class_track[spans_class(s->trace, op)];
    if (!slot) return false;
    *track = slot - 1;
    const SpansTrack *t = &s->tracks[mode][*track];
    for (*lane = 0; *lane < t->n_lanes; ++*lane) {
        *index = spans_find(&t->lanes[*lane], o->start_ns, op);
        if (*index < t->lanes[*lane].n) return true;
    }
    return false;
}

/* ---- events in time ---- */

bool spans_next_event(const Spans *s, uint64_t ns, uint64_t *event)
{
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE]; i++) {
        const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
        for (uint32_t k = 0; k < track->n_lanes; k++) {
            const SpansLane *l = &track->lanes[k];
            uint32_t at = first_start(l, ns + 1, 0);
            if (at < l->n && l->start_ns[at] < best) best = l->start_ns[at];
            at = spans_first_after(s, l, ns);
            if (at < l->n && end_of(l, at, s->now_ns) > ns && end_of(l, at, s->now_ns) < best)
                best = end_of(l, at, s->now_ns);
        }
    }
    *event = best;
    return best != UINT64_MAX;
}

bool spans_previous_event(const Spans *s, uint64_t ns, uint64_t *event)
{
    uint64_t best = 0;
    bool found = false;
    for (uint32_t i = 0; ns > 0 && i < s->n_tracks[SPANS_BY_ENGINE]; i++) {
        const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
        for (uint32_t k = 0; k < track->n_lanes; k++) {
            const SpansLane *l = &track->lanes[k];
            /* the last to begin before ns, and what has ended before ns: it or the one before it */
            uint32_t at = first_start(l, ns, 0);
            for (uint32_t back = 0; back < 2 && at > 0; back++) {
                at--;
                uint64_t end = end_of(l, at, s->now_ns), late = end < ns ? end : l->start_ns[at];
                if (!found || late > best) best = late;
                found = true;
            }
        }
    }
    *event = best;
    return found;
}

/* ---- overlap ---- */

void spans_overlap_start(SpansOverlap *o, uint64_t from_ns, uint64_t to_ns)
{
    memset(o, 0, sizeof *o);
    o->from_ns = o->at_ns = from_ns;
    o->to_ns = to_ns;
}

void spans_overlap_go(const Spans *s, SpansOverlap *o, uint32_t steps)
{
    uint32_t begin[OVERLAP_LANES] = {0}; /* where each lane was in the step before: it does not go
                                            back */
    while (!o->done && steps > 0) {
        /* from at_ns to the next moment at which anything starts or ends, who is busy? */
        uint64_t next = o->to_ns, now = o->at_ns;
        uint32_t lane = 0, running = 0, kernels = 0;
        bool busy[TRACE_ENGINE_CLASSES] = {false};
        for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE]; i++) {
            const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
            if (track->kind == SPANS_GRAPHS) continue; /* its nodes are the work */
            TraceEngineClass class_ = track->kind == SPANS_ENGINE
                                          ? s->trace->engines[track->ref].class_
                                          : (TraceEngineClass)track->ref;
            for (uint32_t k = 0; k < track->n_lanes; k++) {
                const SpansLane *l =
                    track->lanes[k].pile ? track->lanes[k].cover : &track->lanes[k];
                if (!l) continue;
                uint32_t at = first_reaching(l, now, now + 1, s->now_ns,
                                             lane < OVERLAP_LANES ? begin[lane] : 0);
                if (lane < OVERLAP_LANES) begin[lane++] = at;
                while (at < l->n && end_of(l, at, s->now_ns) <= now)
                    at++; /* spans that take no time */
                if (at == l->n) continue;
                if (l->start_ns[at] <= now) {
                    busy[class_] = true;
                    running += class_ != TRACE_ENGINE_HOST;
                    kernels += class_ == TRACE_ENGINE_COMPUTE;
                    if (end_of(l, at, s->now_ns) < next) next = end_of(l, at, s->now_ns);
                } else if (l->start_ns[at] < next) {
                    next = l->start_ns[at];
                }
                steps -= steps > 0;
            }
        }
        for (int c = 0; c < TRACE_ENGINE_CLASSES; c++)
            if (busy[c]) o->class_ns[c] += next - now;
        if (running >= 1) o->any_ns += next - now;
        if (running >= 2) o->two_ns += next - now;
        if (running >= 3) o->three_ns += next - now;
        if (kernels >= 2) o->kernels_ns += next - now;
        o->at_ns = next;
        if (next >= o->to_ns) o->done = true;
    }
    if (o->at_ns >= o->to_ns) o->done = true;
}
