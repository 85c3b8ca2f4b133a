/* layout.h - where everything goes on a picture of a schedule, before anything is drawn.
 *
 * A Layout is rows of intervals: a row per engine that has work (kernels that overlap get rows of
 * their own), or per stream, then the host's: NVTX ranges and API calls that took time.
 * The launch of a graph is an item, too, a band over its nodes: in a row of its own above the
 * engines, or in its stream's rows above the nodes. layout_cells then says what a row shows in each
 * column of some width. Pure: no drawing, no terminal. Terminal, SVG and viewer draw from the same
 * rows.
 */
#ifndef THREELANE_LAYOUT_H
#define THREELANE_LAYOUT_H
#include "timeline/trace/labels.h"
#include "timeline/trace/trace.h"

typedef enum LayoutWhat { LAYOUT_OP, LAYOUT_CALL, LAYOUT_RANGE } LayoutWhat;

typedef struct LayoutItem {
    uint64_t start_ns, end_ns; /* start_ns <= end_ns; what is still open ends at the trace's last
                                  time */
    LayoutWhat what;
    uint32_t id; /* of the op, call or range */
} LayoutItem;

typedef struct LayoutRow {
    char title[64];  /* printable; "" in further rows of the same engine */
    bool host;       /* a row of the host: ranges and calls */
    uint32_t device; /* whose row it is, from 1; 0: of none, or of several */
    bool stacked;    /* items may overlap here: what did not fit in the rows above */
    LayoutItem *items;
    uint32_t n; /* by start_ns; in rows that are not stacked they do not overlap */
} LayoutRow;

typedef struct Layout {
    uint64_t start_ns, end_ns; /* the window that holds every item */
    uint32_t n_rows;
    LayoutRow *rows;
    uint32_t n_not_started; /* issued, but never seen to start: in no row */
    LayoutItem *items;      /* all rows' items, owned */
} Layout;

/* Rows for the labels' range. NULL when out of memory. An empty range gives no rows. */
Layout *layout_new(const Trace *, const Labels *, bool by_stream);
void layout_free(Layout *);
/* The band of a graph's launch, cut to the layout's window; false for another op, for one that has
 * not started, and outside the labels' range. */
bool layout_band(const Layout *, const Trace *, const Labels *, uint32_t op, LayoutItem *);

/* What a row shows in one column. Eighths count from the column's left edge, 0..8. */
typedef struct LayoutCell {
    uint32_t count;               /* items that touch the column */
    uint32_t first, last;         /* the first and last of them, indices into items (count > 0) */
    uint8_t first_from, first_to; /* the eighths that first covers */
    uint8_t last_from, last_to;   /* and last (the same item when count is 1) */
    uint8_t covered; /* eighths of the column's time that are busy, at least 1 when count > 0 */
    double busy_ns;  /* that time; in a stacked row, of the items that show */
} LayoutCell;

/* Fills cells[0..columns) for the window from_ns..to_ns. Every item in the window touches at least
 * one column. */
void layout_cells(const LayoutRow *, uint64_t from_ns, uint64_t to_ns, uint32_t columns,
                  LayoutCell *cells);

/* Ruler: a step of 1, 2 or 5 times a power of ten of unit_ns, the least that leaves at least
 * columns_apart columns between two marks. Returns it in units; *digits is how many decimals its
 * multiples need. */
double layout_step(uint64_t span_ns, uint64_t unit_ns, uint32_t columns, uint32_t columns_apart,
                   int *digits);

/* What is written into an item: an op's label, a range's name, a call's name without "cuda" or
 * "cu". Returns text. */
const char *layout_label(const Trace *, const Labels *, const LayoutItem *, char *text,
                         size_t text_size);
#endif
