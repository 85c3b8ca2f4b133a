/* prediction.h - a schedule that somebody expects, as text, and how it differs from the one that
 * happened.
 *
 * The text is that of schedules in cells (schedule.h): lines "t=1: [K0] [H2D1]", rows of time, in
 * which operations start; what goes on there, [|], says nothing; "t=2..4: (idle)" and every line
 * that does not begin with "t=" is skipped, so that a golden text, or the tool's own drawing, is a
 * prediction, too. `#` ends a line. The order within a row is nothing that was predicted.
 *
 * The text may be anybody's: it is refused with a line, never more. */
#ifndef THREELANE_PREDICTION_H
#define THREELANE_PREDICTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "timeline/trace/labels.h"

enum { PREDICTION_CELLS = 20000, PREDICTION_ROWS = 1000000 };
#define PREDICTION_NONE UINT32_MAX

typedef struct PredictionCell {
    char *label;
    uint32_t row;
    int line; /* of the text, from 1 */
} PredictionCell;

typedef struct Prediction {
    PredictionCell *cells; /* in the order of the text */
    uint32_t n;
} Prediction;

/* False and one line ("line 3: ..."), with what was read so far. prediction_release in either
 * case. */
bool prediction_read(Prediction *, const char *text, size_t length, char *error, size_t error_size);
void prediction_release(Prediction *);

/* One operation that is elsewhere than it was put. */
typedef struct Surprise {
    uint32_t op;       /* 0: there is none of that label */
    const char *label; /* the prediction's, or the result's */
    uint32_t put, is;  /* rows; PREDICTION_NONE: it was left out, it did not start */
} Surprise;

typedef struct Outlook { /* a prediction held against what happened */
    uint32_t n_ops, n_right;
    Surprise *surprises; /* by the earlier of the two rows */
    uint32_t n;
    Prediction happened; /* owns labels of operations that were left out */
} Outlook;

/* NULL when memory is short. The prediction, the trace and its labels (of the range that was
 * predicted) must outlive it. */
Outlook *outlook_new(const Prediction *, const Trace *, const Labels *);
void outlook_free(Outlook *);
/* "You put K1 at t=2; it started at t=3: K1 waited 1.0 unit for H2D1: both are in stream 1
 * (ex43.cu:21)". Returns text. */
const char *outlook_say(const Outlook *, const Trace *, const Labels *, uint32_t surprise,
                        char *text, size_t size);

/* The lane that a label belongs to: "H2D", "Kernels" ... */
const char *prediction_lane(const char *label);
/* Empty rows to fill, and behind them, as a comment, the operations there are, by lane. 0, or -1
 * when the stream reports an error. */
int prediction_template(FILE *, const Prediction *operations, const char *of, uint32_t rows);
/* The cells as rows of text, in order of time. */
int prediction_write(FILE *, const Prediction *);
#endif
