/* compare.h - two runs of one program side by side: what a device model predicted, and what a card
 * did. Pure: it needs two traces and nothing else, and nothing here prints.
 *
 * Operations are matched stream by stream, in order of issue, by kind, bytes, kernel and shape;
 * streams by what was done in them, those with the same work in order of creation. Where the two
 * runs did different things there is no comparison, but a sentence that says where they part.
 *
 * Times of either run count from its first start, so that a difference is one of the schedule.
 */
#ifndef THREELANE_COMPARE_H
#define THREELANE_COMPARE_H
#include "timeline/trace/trace.h"

enum { COMPARE_BREACHES = 8 }; /* as many are kept as examples */
#define COMPARE_WHOLE ""       /* a range: all of the program, first launches and all */

typedef struct ComparePair {
    uint32_t predicted, measured;            /* ops of the two traces */
    int64_t start_error_ns, length_error_ns; /* predicted less measured */
} ComparePair;

/* An operation that began before one that CUDA puts before it had ended. sync: the later is not an
 * operation, but a cudaDeviceSynchronize that returned (its call). */
typedef struct CompareBreach {
    bool of_measured, sync;
    uint32_t before, after;
} CompareBreach;

typedef struct CompareSide {
    uint32_t range; /* what was compared: this range, or (0) from first_op on */
    uint32_t first_op;
    uint64_t begin_ns, makespan_ns;
    uint64_t overlap_ns; /* two engines or more busy at once */
    uint32_t breaches;
} CompareSide;

typedef struct Compare {
    CompareSide predicted, measured;
    bool warm; /* what was compared began after a warm-up (or is a range) */
    ComparePair *pairs;
    uint32_t n_pairs;      /* by measured start */
    double makespan_error; /* predicted / measured - 1 */
    double overlap_error;  /* difference of the two shares of the makespan, 0..1 */
    uint64_t start_error_median_ns, start_error_most_ns;
    uint32_t start_error_most_pair;
    uint64_t inversions; /* pairs that started in another order, which CUDA leaves open */
    CompareBreach breaches[COMPARE_BREACHES];
    uint32_t n_breaches;
} Compare;

/* range: the NVTX range to compare (its first occurrence in either trace); COMPARE_WHOLE: from the
 * first operation's start to the last one's end; NULL: the range
 * "measured" where both have one, else everything after the warm-up: from the first operation on by
 * which every kernel that follows has been launched before and the host has waited for it
 * (Compare.warm says whether there is such a point; else everything). NULL, and one line in error,
 * when the runs do not match, one lacks the range or work in it, an operation did not end, or
 * memory is short. The traces must outlive it. */
Compare *compare_new(const Trace *predicted, const Trace *measured, const char *range, char *error,
                     size_t error_size);
void compare_free(Compare *);
#endif
