/* other_model.h - a run on another device model than the exercise's: for looking, not for points.
 *
 * An exercise's checks say what its own machine shows. Another machine may have one copy engine, or
 * start everything late, and what cannot be reached there is no mistake. So where such a run fails,
 * the program is judged on the exercise's own model as well: what holds there and not here is told
 * as what differs, with no advice, and is not failed. */
#ifndef THREELANE_OTHER_MODEL_H
#define THREELANE_OTHER_MODEL_H
#include "grader/judge/judge.h"

/* Judges the same program on the exercise's own model, and puts into the verdict what follows:
 * state, points, kind. The exercise is read again, since sizes differ. False when interrupted. */
bool other_model_compare(Workspace *, const Exercise *, const JudgeOptions *, Verdict *);
#endif
