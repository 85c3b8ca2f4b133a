/* analysis.h - what a trace says: intervals, overlaps, makespans and the reason for every wait.
 * Pure functions over a Trace: nothing here prints. What allocates says so. An interval that was
 * still open when the trace ended counts up to the trace's last time. */
#ifndef THREELANE_ANALYSIS_H
#define THREELANE_ANALYSIS_H
#include "timeline/trace/labels.h"
#include "timeline/trace/trace.h"

/* Selectors, measures and the two functions below know no ranges of a student's (TraceRange.by): in
 * an exercise a range is the harness's word for what happens inside it. */
bool analysis_range_counts(const Trace *, uint32_t range);
/* A range to look at, and not to judge by: the harness's if there is one of that name, else a
 * student's. */
uint32_t analysis_range_to_show(const Trace *, const char *name);
/* The first range of that name, or 0; the nth (from 0) with analysis_range_nth. */
uint32_t analysis_range(const Trace *, const char *name);
uint32_t analysis_range_nth(const Trace *, const char *name, uint32_t nth);

/* The time that every picture of a range shows, and from whose start pictures and sentences count:
 * from the first start to the last end of the work issued in it and of the ranges inside it. Range
 * 0: of the whole run. False (and 0, 0) when nothing has started. */
bool analysis_window(const Trace *, uint32_t range, uint64_t *from_ns, uint64_t *to_ns);
/* How long that is. */
uint64_t analysis_window_ns(const Trace *, uint32_t range);

/* From the first start to the last end of the range's work (markers excluded); 0 when there is
 * none. */
uint64_t analysis_makespan_ns(const Trace *, uint32_t range);

/* Nanoseconds in which one engine was busy with work of the range; in which at least `least`
 * engines were busy at once. Both allocate while they count; 0 when out of memory. */
uint64_t analysis_engine_busy_ns(const Trace *, uint32_t range, uint32_t engine);
uint64_t analysis_engines_busy_ns(const Trace *, uint32_t range, uint32_t least);

/* One sentence: why the op did not start earlier, in the trace's unit, with the source line of its
 * own issue: "H2D1 waited 1.0 unit for K0: both are in stream 1 (ex43.cu:21)". "H2D0 did not wait"
 * when it started as it was issued. Returns text. Numbers the range's ops on each call: for many
 * ops, make the labels once (labels.h) and use analysis_explain_with, which takes time independent
 * of the trace's size. */
const char *analysis_explain(const Trace *, uint32_t range, uint32_t op, char *text,
                             size_t text_size);
const char *analysis_explain_with(const Trace *, const Labels *, uint32_t op, char *text,
                                  size_t text_size);

/* The cause that decided (the last to end), or NULL when it did not wait. */
const TraceCause *analysis_decisive_cause(const Trace *, uint32_t op);

/* The call that kept the host from issuing op earlier: the last of its thread that took time
 * before, if what it waited for on the device is known. Returns the operation whose end let it
 * return, or 0; *call: the call, or 0. Looks at a limited number of calls and operations before
 * op. */
uint32_t analysis_held(const Trace *, uint32_t op, uint32_t *call);

/* Does a report of the checker concern work that was issued inside this range? */
bool analysis_hazard_in(const Trace *, const TraceHazard *, uint32_t range);

/* The unit in which a time of about this length is read best: the trace's own, or where that is the
 * millisecond, one from nanoseconds to hours. */
typedef struct AnalysisUnit {
    uint64_t ns;
    const char *name;
} AnalysisUnit;
AnalysisUnit analysis_unit(const Trace *, uint64_t span_ns);

/* A time in that unit, for people: "1.0 unit", "2.0 units", "0.25 ms", "2.9 us". Returns text. */
const char *analysis_time(const Trace *, uint64_t ns, char *text, size_t text_size);
/* How many times b (above 0) goes into a, in three digits and never with an exponent: "1.33", "2",
 * "1500". Returns text. */
const char *analysis_ratio(uint64_t a, uint64_t b, char *text, size_t text_size);

/* The line that an operation comes from: of a graph's node, where it was captured or added, else
 * that of the call that issued it. */
TraceSite analysis_op_site(const Trace *, uint32_t op);
/* The same in words: "file.cu:12", or "captured at file.cu:12, launched at file.cu:30"; "" when
 * unknown. Returns text. */
const char *analysis_op_place(const Trace *, uint32_t op, char *text, size_t text_size);
/* The kind of engine that an operation ran on, or would have. */
TraceEngineClass analysis_class(const Trace *, const TraceOp *);
/* A site as "file.cu:12", directories left out; "" when unknown. Returns text. */
const char *analysis_site(TraceSite, char *text, size_t text_size);

/* ---- sets of intervals ---- */

typedef enum AnalysisWhat { ANALYSIS_OP, ANALYSIS_CALL, ANALYSIS_RANGE } AnalysisWhat;

typedef struct AnalysisInterval {
    uint64_t start_ns, end_ns; /* start_ns <= end_ns */
    AnalysisWhat what;
    uint32_t id; /* of the op, call or range */
} AnalysisInterval;

typedef struct AnalysisSet {
    uint32_t n;
    AnalysisInterval *items; /* 0..n-1, by start_ns, then id; never NULL */
} AnalysisSet;

/* The intervals that a selector names. Selector: what[:name][@range]
 *   what   h2d d2h d2d h2h p2p memset kernel hostfn, work (all of these), node (of these, what a
 *          graph launched), graph (launches of graphs), call, wait, range
 *   name   of the kernel (or named op), call or range; `*` stands for any text, also in the middle
 *   range  keeps what was issued (calls, ranges: began) while an NVTX range of that name was open
 * Ops that have not started are not in the set. Allocates; NULL and one line in error when the
 * selector is wrong or memory is short. An empty set is not an error. */
AnalysisSet *analysis_select(const Trace *, const char *selector, char *error, size_t error_size);
void analysis_set_free(AnalysisSet *);

/* Nanoseconds covered by the set; overlaps counted once. */
uint64_t analysis_set_busy_ns(const AnalysisSet *);
/* From the first start to the last end. */
uint64_t analysis_set_span_ns(const AnalysisSet *);
/* Nanoseconds in which every one of the sets is busy at once; *first_ns (may be NULL) is when that
 * first was so. */
uint64_t analysis_together_ns(const AnalysisSet *const *sets, size_t n, uint64_t *first_ns);
/* Nanoseconds that the two share. */
uint64_t analysis_shared_ns(const AnalysisInterval *, const AnalysisInterval *);

/* Whole-text match; `*` in the pattern stands for any text. */
bool analysis_match(const char *pattern, const char *text);
/* The same for the name of a CUDA call. A call of the driver API is also known by the name that the
 * runtime gives its like: cuStreamSynchronize is a cuda*Synchronize. */
bool analysis_match_call(const char *pattern, const char *name);
#endif
