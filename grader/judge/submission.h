/* submission.h - one file handed in for an exercise: judged, its trace kept, progress recorded.
 *
 * What `threelane run` prints and `threelane watch` draws is what is left here. */
#ifndef THREELANE_SUBMISSION_H
#define THREELANE_SUBMISSION_H
#include "common/limits.h"
#include "grader/course/catalogue.h"
#include "grader/judge/explore.h"
#include "grader/judge/judge.h"
#include "grader/judge/summary.h"

typedef struct Submission {
    const Catalogue *catalogue;
    const Exercise *exercise; /* exercise_on_model has been called, or exercise_on_card */
    const char *src;          /* NULL: the exercise's own file */
    const char *model;        /* NULL: the exercise's */
    const char *predict;      /* where a prediction stands; NULL: predict.txt beside the source */
    bool gpu;                 /* on this machine's GPU: card number `card` */
    unsigned card;
    unsigned long long seed;     /* of the random input; 0: 1 */
    unsigned long long schedule; /* the seed of another legal schedule; 0: the canonical one */
    unsigned long long explore; /* how many other schedules to try once the canonical one has run to
                                   its end */
    double seconds;             /* 0: LIMIT_RUN_SECONDS */
    bool trusted;               /* as in JudgeOptions; in a sandbox where there is one */
    bool unsafe;                /* trusted: not in a sandbox */
    int trace_to;               /* a descriptor that gets a copy of the trace, or -1 */
    /* filled in; zero before */
    Verdict verdict; /* its trace_paths are gone */
    Summary summary;
    Exploration exploration; /* .asked is 0 when there was none */
    char *explored_trace; /* where the trace of the schedule that broke something was kept, or NULL
                           */
} Submission;

/* True when verdict and summary are filled in. False with *status and one line; with an empty line
 * when a signal stopped it. submission_release either way. */
bool submission_judge(Submission *, VerdictKind *status, char *error, size_t error_size);
void submission_release(Submission *);
#endif
