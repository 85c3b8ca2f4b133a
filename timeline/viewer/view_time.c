/* view_time.c - the time axis of a View: which column of the picture shows which time. Where idle
 * time is folded, the window is several pieces, and all that knows columns asks here. */
#include <string.h>

#include "timeline/viewer/view_internal.h"

enum {
    FOLDED = 9, /* columns of a piece of idle time: how long it is fits in */
    LOOKS = 4,  /* idle time is looked for so often, each time at what is left */
    GRID = 400,
};

uint32_t view_columns(const View *v)
{
    return v->picture_columns > 8 ? (uint32_t)v->picture_columns : 60;
}

int view_column(const View *v, uint64_t ns)
{
    const Piece *p = v->pieces, *last = v->pieces + v->n_pieces - 1;
    if (ns < p->from_ns) return -1;
    while (p < last && ns >= p->to_ns) p++;
    double at = p->x + (double)(ns - p->from_ns) * p->columns / (double)(p->to_ns - p->from_ns);
    return at > 100000 ? 100000 : (int)(at + 1e-9);
}

double view_ns_at(const View *v, double column)
{
    const Piece *p = v->pieces, *last = v->pieces + v->n_pieces - 1;
    while (p < last && column >= p->x + p->columns) p++;
    return (double)p->from_ns +
           (column - p->x) * (double)(p->to_ns - p->from_ns) / (p->columns ? p->columns : 1);
}

void view_cells(const View *v, const Row *row, uint32_t lane, SpansCell *cells)
{
    const SpansLane *l = view_row_lane(v, row, lane);
    for (int i = 0; i < v->n_pieces; i++) {
        const Piece *p = &v->pieces[i];
        uint64_t from = view_to_side(v, row->side, p->from_ns),
                 to = view_to_side(v, row->side, p->to_ns);
        if (p->idle && row->side == 0 && !row->host)
            memset(cells + p->x, 0, (size_t)p->columns * sizeof *cells);
        else
            spans_cells(v->sides[row->side].spans, l, from, to > from ? to : from + 1,
                        (uint32_t)p->columns, cells + p->x);
    }
}

/* ---- folding ---- */

typedef struct Gap {
    uint64_t from_ns, to_ns;
} Gap;

/* Is an operation of one of the runs at work at this time, or starts there? *next: when the next
 * one starts; *before: when the last one ended. */
static bool is_busy(const View *v, uint64_t ns, uint64_t *before, uint64_t *next)
{
    bool busy = false;
    *before = 0;
    *next = UINT64_MAX;
    for (uint8_t side = 0; side <= v->comparing && !busy; side++) {
        const Spans *s = v->sides[side].spans;
        uint64_t at = view_to_side(v, side, ns);
        for (uint32_t i = 0; i < s->n_tracks[SPANS_BY_ENGINE]; i++) {
            const SpansTrack *track = &s->tracks[SPANS_BY_ENGINE][i];
            for (uint32_t k = 0; k < track->n_lanes; k++) {
                const SpansLane *l =
                    track->lanes[k].pile ? track->lanes[k].cover : &track->lanes[k];
                uint32_t after = l ? spans_first_after(s, l, at) : 0;
                if (!l || !l->n) continue;
                if (after < l->n) {
                    uint64_t start = view_from_side(v, side, l->start_ns[after]);
                    if (start <= ns) busy = true;
                    else if (start < *next) *next = start;
                }
                if (after > 0) {
                    uint64_t end = view_from_side(v, side, spans_end_ns(s, l, after - 1));
                    if (end > *before) *before = end;
                }
            }
        }
    }
    return busy;
}

/* Idle time in from..to that is longer than `least`: at most `room` gaps, in order. A gap that is
 * longer than a grid column is never missed. */
static int find_gaps(const View *v, uint64_t from, uint64_t to, uint64_t least, Gap *gaps, int room)
{
    int n = 0;
    uint64_t step = (to - from) / GRID + 1;
    for (uint64_t at = from; at < to && n < room;) {
        uint64_t before, next;
        if (is_busy(v, at, &before, &next)) {
            at += step;
            continue;
        }
        uint64_t start = before > from ? before : from, end = next < to ? next : to;
        if (end - start >= least && end > start) gaps[n++] = (Gap){start, end};
        at = end > at ? end + 1 : at + step;
    }
    return n;
}

/* The window as pieces of work and folded idle time. */
static void fold(View *v)
{
    enum { SHARE = 8 }; /* what is idle longer than this part of the rest is folded */
    Gap gaps[PIECES / 2 - 1];
    int n = 0, most = (int)(sizeof gaps / sizeof *gaps);
    uint64_t left = v->to_ns - v->from_ns;
    int fit = (int)view_columns(v) / 2 / FOLDED;
    if (most > fit) most = fit;

    for (int look = 0; look < LOOKS; look++) {
        Gap found[PIECES];
        n = find_gaps(v, v->from_ns, v->to_ns, left / SHARE + 1, found, most);
        uint64_t idle = 0;
        for (int i = 0; i < n; i++) {
            gaps[i] = found[i];
            idle += found[i].to_ns - found[i].from_ns;
        }
        uint64_t rest = v->to_ns - v->from_ns - idle;
        if (rest >= left || n == most) break;
        left = rest;
    }
    uint64_t idle = 0;
    for (int i = 0; i < n; i++) idle += gaps[i].to_ns - gaps[i].from_ns;
    if (!n || idle >= v->to_ns - v->from_ns) return;

    double rest = (double)(v->to_ns - v->from_ns - idle),
           columns = (double)view_columns(v) - n * FOLDED, done = 0;
    v->n_pieces = 0;
    uint64_t at = v->from_ns;
    int x = 0;
    for (int i = 0; i <= n; i++) {
        uint64_t end = i < n ? gaps[i].from_ns : v->to_ns;
        if (end > at) {
            done += (double)(end - at);
            int until = (int)(done / rest * columns + 0.5) + i * FOLDED;
            if (until <= x) until = x + 1;
            if (i == n || until > (int)view_columns(v)) until = (int)view_columns(v);
            if (until > x) v->pieces[v->n_pieces++] = (Piece){at, end, x, until - x, false};
            x = until;
        }
        if (i < n && x + FOLDED <= (int)view_columns(v)) {
            v->pieces[v->n_pieces++] = (Piece){gaps[i].from_ns, gaps[i].to_ns, x, FOLDED, true};
            x += FOLDED;
            at = gaps[i].to_ns;
        }
    }
    Piece *last = &v->pieces[v->n_pieces - 1];
    last->columns = (int)view_columns(v) - last->x;
    last->to_ns = v->to_ns;
}

void view_pieces(View *v)
{
    uint32_t columns = view_columns(v);
    uint64_t now = v->sides[0].spans->now_ns;
    if (v->n_pieces && v->pieces_of.from_ns == v->from_ns && v->pieces_of.to_ns == v->to_ns &&
        v->pieces_of.columns == columns && v->pieces_of.fold == v->fold_idle &&
        v->pieces_of.now_ns == now)
        return;
    v->pieces[0] = (Piece){v->from_ns, v->to_ns, 0, (int)columns, false};
    v->n_pieces = 1;
    if (v->fold_idle) fold(v);
    v->pieces_of.from_ns = v->from_ns;
    v->pieces_of.to_ns = v->to_ns;
    v->pieces_of.columns = columns;
    v->pieces_of.fold = v->fold_idle;
    v->pieces_of.now_ns = now;
}
