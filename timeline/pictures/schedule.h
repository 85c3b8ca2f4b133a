/* schedule.h - a schedule as text, from a trace. One layout, three forms:
 *   cells  a row per time unit, a cell per operation (t=1: [K0  ] [H2D1])
 *   line   one operation after another ([H2D0][K0][D2H0]...)
 *   lanes  a row per engine or per stream, time from left to right
 *
 * A text schedule never claims a time that was not measured. Where the trace is not exact (meta
 * exact is not 1), a cell's row is the operation's depth in the partial order (stream order and
 * engine order), not rounded time. A host function that takes less than a quarter of a unit has its
 * place there, but is no step that others have to count.
 */
#ifndef THREELANE_SCHEDULE_H
#define THREELANE_SCHEDULE_H
#include <stdio.h>
#include "timeline/trace/trace.h"

typedef enum ScheduleForm { SCHEDULE_CELLS, SCHEDULE_LINE, SCHEDULE_LANES } ScheduleForm;

typedef struct ScheduleOptions {
    uint32_t range;    /* only operations issued inside this NVTX range; 0: all */
    int width;         /* columns to fill (lanes); below 20 a shorter form is chosen; 0: 80 */
    int colors;        /* 0 none, 8, 256 */
    bool utf8;         /* eighth blocks, else plain ASCII */
    bool by_stream;    /* lanes: rows are streams, else engines */
    uint64_t least_ns; /* lanes: at least so much time from left to right, so that two schedules are
                          drawn to one scale; 0: as much as it took */
    uint32_t most;     /* line: no more operations than that, and how many are left; 0: all */
    bool streams;      /* reasons: with the stream of each operation */
    bool times; /* cells: behind each row, after a tab, when it ran: its first start and last end in
                   ms */
} ScheduleOptions;

/* The label of an operation: kind and rank within the range ("H2D0", "K2"), or its given name. A
 * batch is numbered by the rank of its H2D's start; its kernel and D2H, later in the same stream,
 * inherit the number. Kernels with distinct names in a range are labelled by name. Returns label.
 * range 0: over the whole trace. */
const char *schedule_label(const Trace *, uint32_t range, uint32_t op, char *label,
                           size_t label_size);

/* Writes the reasons under a schedule: a line per op of the range, its time counted from the
 * range's start (in the trace's unit) and why it waited; lines longer than the width are wrapped.
 * most: write no more than that many, and how many are left (0: all). 0, or -1 when the stream
 * reports an error or memory is short. */
int schedule_write_waits(FILE *, const Trace *, const ScheduleOptions *, uint32_t most);

/* Writes the schedule; 0, or -1 when the stream reports an error or memory is short. No trailing
 * blank line.
 *
 * lanes: each line is at most width columns wide (1..1000), in every form that width allows. Column
 * 0 is the first start of the range. Where several operations share a column it shows how busy they
 * keep the engine (░▒▓, or .:%). Operations that were issued and never started are listed below the
 * lanes. cells and line do not depend on width. An operation longer than a unit goes on as [|] in
 * the rows below; rows that repeat are one line (t=2..7). */
int schedule_write(FILE *, const Trace *, ScheduleForm, const ScheduleOptions *);
/* The cells of a range as text, for who reads them again; the caller frees. NULL when memory is
 * short. */
char *schedule_cells(const Trace *, uint32_t range, size_t *length);
#endif
