/* spans.h - a trace as rows of spans that can be drawn at any zoom, at a cost bounded by the
 * screen.
 *
 * A Spans holds tracks: one per engine, per stream, per device, or per host thread. A track has
 * lanes, in which spans do not overlap; what is busy with several things at once has several lanes
 * (and a last one, the pile, where they may overlap). Spans of a lane are sorted, so what a column
 * of the screen shows is found by bisection: how many spans there are, which are the first and the
 * last, how much of its time is busy. A million spans cost what ten cost.
 *
 * The launch of a graph is a span from the start of its first node to the end of its last: by
 * engine in a track of its own, by stream in a lane above its nodes'.
 *
 * Pure: no drawing, no clock. Times are the trace's nanoseconds. Spans that end before they start
 * count as ending where they start; spans that have not ended end now (the `now_ns` of a Spans, the
 * trace's last time). Every span that has started is in exactly one lane of each mode, and in every
 * window that it touches it touches a cell.
 */
#ifndef THREELANE_SPANS_H
#define THREELANE_SPANS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "timeline/trace/trace.h"

/* By device: only where there are several; else that mode has no tracks. */
typedef enum SpansMode { SPANS_BY_ENGINE, SPANS_BY_STREAM, SPANS_BY_DEVICE, SPANS_MODES } SpansMode;

typedef enum SpansWhat { SPANS_OP, SPANS_CALL, SPANS_RANGE } SpansWhat;

typedef struct SpansLane {
    uint32_t n, room;
    uint64_t *start_ns, *end_ns; /* by start; UINT64_MAX in end_ns: has not ended */
    uint32_t *id;                /* of the op, call or range */
    uint64_t *busy_ns;           /* every 16th: what those before it add up to */
    uint32_t summed;             /* busy_ns is right up to here */
    /* the pile only: all ends in order, and the times at which anything runs */
    bool pile, settled;
    uint64_t *ends_ns;
    struct SpansLane *cover;
} SpansLane;

typedef enum SpansKind {
    SPANS_ENGINE,
    SPANS_CLASS,
    SPANS_GRAPHS,
    SPANS_STREAM,
    SPANS_DEVICE,
    SPANS_CALLS,
    SPANS_RANGES
} SpansKind;

typedef struct SpansTrack {
    SpansKind kind;
    uint32_t ref; /* the engine, stream, device (0: host functions) or thread; SPANS_CLASS: a
                     TraceEngineClass without engine */
    SpansWhat what;
    uint64_t order; /* tracks stand in this order */
    SpansLane *lanes;
    uint32_t n_lanes;
    uint32_t n; /* spans in all lanes */
    uint64_t last_start_ns;
} SpansTrack;

typedef struct Spans {
    const Trace *trace;
    uint64_t now_ns;         /* where what has not ended ends */
    uint64_t from_ns, to_ns; /* from the first start to the last end of the operations (else of the
                                calls) */
    SpansTrack *tracks[SPANS_MODES];
    uint32_t n_tracks[SPANS_MODES]; /* operations, by order */
    SpansTrack *host;
    uint32_t n_host;          /* ranges and calls that took time */
    uint32_t n_not_started;   /* issued, but never seen to start */
    struct SpansState *state; /* private: what is still open */
} Spans;

/* Reads the trace once. NULL when out of memory. The trace must outlive it. */
Spans *spans_new(const Trace *);
void spans_free(Spans *);
/* After trace_read_more: takes what is new, at a cost that depends on what is new (and on what has
 * not ended). False when out of memory: the spans are then as complete as they could be made.
 * *changed (may be NULL): anything new. */
bool spans_update(Spans *, bool *changed);

/* ---- a lane ---- */

/* What a lane shows in one column of a window. Eighths count from the column's left edge, 0..8. */
typedef struct SpansCell {
    uint32_t count;       /* spans that touch it */
    uint32_t first, last; /* indices of the first and the last of them; in a pile only first is
                             exact */
    uint8_t first_from, first_to; /* the eighths that first covers */
    uint8_t last_from, last_to;
    uint8_t covered;   /* eighths of its time that are busy; at least 1 when count > 0 */
    bool begins, ends; /* first begins here; last ends here */
} SpansCell;

/* Fills cells[0..columns) for the window from_ns..to_ns (to_ns > from_ns). Time columns * log n. */
void spans_cells(const Spans *, const SpansLane *, uint64_t from_ns, uint64_t to_ns,
                 uint32_t columns, SpansCell *);
/* Adds another lane's cells to these: for a folded track. */
void spans_add_cells(SpansCell *to, const SpansCell *other, uint32_t columns);

/* Nanoseconds of the window in which the lane is busy. */
uint64_t spans_busy_ns(const Spans *, const SpansLane *, uint64_t from_ns, uint64_t to_ns);
/* The end of span i. */
uint64_t spans_end_ns(const Spans *, const SpansLane *, uint32_t i);
/* The first span that ends after ns or begins at or after it; n when there is none. */
uint32_t spans_first_after(const Spans *, const SpansLane *, uint64_t ns);
/* The first span that begins at or after ns; n when there is none. */
uint32_t spans_first_from(const SpansLane *, uint64_t ns);
/* The index of an element in the lane, or n. */
uint32_t spans_find(const SpansLane *, uint64_t start_ns, uint32_t id);

/* Where an operation is shown: its track and lane. False when it has not started. */
bool spans_place(const Spans *, SpansMode, uint32_t op, uint32_t *track, uint32_t *lane,
                 uint32_t *index);

/* What class of engine an operation runs on, with or without a record of the engine. */
TraceEngineClass spans_class(const Trace *, uint32_t op);

/* The next (or previous) moment after (before) ns at which an operation starts or ends; false when
 * there is none. */
bool spans_next_event(const Spans *, uint64_t ns, uint64_t *event_ns);
bool spans_previous_event(const Spans *, uint64_t ns, uint64_t *event_ns);

/* ---- how busy the engines are together, in pieces ---- */

typedef struct SpansOverlap {
    uint64_t from_ns, to_ns;
    uint64_t class_ns[TRACE_ENGINE_CLASSES]; /* an engine of this class is busy */
    uint64_t any_ns, two_ns, three_ns; /* at least so many operations run on the device, as the
                                          lanes show them: two kernels are two */
    uint64_t kernels_ns;               /* at least two of them are on compute engines */
    bool done;
    uint64_t at_ns; /* private: how far it has come */
} SpansOverlap;

void spans_overlap_start(SpansOverlap *, uint64_t from_ns, uint64_t to_ns);
/* Goes on for about so many steps (a step is a start or an end of a span); done is set when all has
 * been looked at. */
void spans_overlap_go(const Spans *, SpansOverlap *, uint32_t steps);
#endif
