/* answer.h - what happens then: questions (question.h) put to the program of a run (rerun.h), which
 * makes its calls again for each of them, all at once. */
#ifndef THREELANE_ANSWER_H
#define THREELANE_ANSWER_H
#include "grader/whatif/rerun.h"
#include "grader/whatif/question.h"
#include "grader/course/catalogue.h"

enum { ANSWER_HAZARDS = 16 };

typedef struct Answer {
    Trace *after;                 /* NULL: nothing was recorded, and trouble says why */
    uint32_t range;               /* in it: what is asked about */
    uint64_t before_ns, after_ns; /* how long that took, and takes then */
    uint32_t unfinished; /* operations of it that have not ended when the program ends then, and did
                            before: after_ns is no time that could be compared */
    Text trouble; /* it went another way, or did not end by itself: a sentence; empty: neither */
    uint32_t n_new, n_gone; /* hazards (errors) that are only in the one, or only in the other; as
                               many as fit, by their numbers in after and in before */
    uint32_t new[ANSWER_HAZARDS], gone[ANSWER_HAZARDS];
} Answer;

/* range: of before, 0: everything. catalogue: for parameters of exercises; NULL: they are refused.
 * keep: where the (first) answer's trace is left; NULL: nowhere. False and one line where a
 * question cannot be put; and where a signal stopped it (no line). answer_release each in either
 * case. */
bool answers_make(const Rerun *, const Trace *before, uint32_t range, const Catalogue *catalogue,
                  const Question *questions, size_t n, const char *keep, Answer *answers,
                  char *error, size_t error_size);
void answer_release(Answer *);

/* "12.0 units, then 6.0 units: 2 times as fast" */
const char *answer_times(const Answer *, const Trace *before, bool utf8, char *text, size_t size);
/* What is new, and what is gone: a line each; empty when neither. most: lines. */
void answer_hazards(const Answer *, const Trace *before, uint32_t most, Text *);

/* The parameter that `batches` means for the program; NULL: there is none. exercise_free is the
 * caller's; NULL where the program is of no exercise. */
Exercise *ask_exercise(const Rerun *, const Catalogue *, const char **batches);
#endif
