/* expect.h - predict, then run: what was expected of an exercise, in a file of its folder, held
 * against what happened. */
#ifndef THREELANE_EXPECT_H
#define THREELANE_EXPECT_H
#include "grader/course/exercise.h"
#include "timeline/pictures/prediction.h"
#include "timeline/trace/trace.h"

enum { EXPECT_SURPRISES = 6 }; /* as many are told; one often has the others behind it */

/* Where a prediction of the exercise stands: predict.txt beside its source. The caller frees. */
char *expect_file(const Exercise *);
/* A line "You expected 9 of 12 operations of `pipelined` where they were.", then a line for each
 * surprise; or a line that says why it cannot be read. NULL when there is no such file. The caller
 * frees. */
char *expect_words(const char *file, const Trace *, const char *show);

/* The operations of the range (NULL: of all) of a run; or those that the golden text shows, when
 * trace is NULL. False when there are none. prediction_release in either case. */
bool expect_operations(Prediction *, const Trace *, const Exercise *);
/* Writes an empty prediction there, over nothing that exists: 0, or an errno. */
int expect_begin(const char *file, const Prediction *operations, const Exercise *);
#endif
