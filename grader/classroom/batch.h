/* batch.h - grades a class: an inbox into a gradebook, several submissions at a time.
 *
 * Each submission is compiled and run in a sandbox, and judged without trust (grader/TRUST.md), in
 * a process of its own, with a folder of its own; what it leaves is a summary and a picture. A
 * judging process that dies is a grader error for that submission and nothing for the others. What
 * the gradebook knows already is not judged again. */
#ifndef THREELANE_BATCH_H
#define THREELANE_BATCH_H
#include "common/limits.h"
#include "grader/box/card.h"
#include "grader/course/catalogue.h"
#include "grader/classroom/gradebook.h"
#include "grader/box/sandbox.h"
#include "common/terminal.h"

typedef struct BatchExercise {
    Exercise *exercise;
    char fingerprint[33]; /* of all that goes into its verdicts but the submission */
    bool pictured;        /* the gradebook has its solution's schedule */
    Exercise *on_card;    /* as it is judged there; NULL before batch_use_card */
    char card_fingerprint[33];
    bool sound; /* its solution passes there, in the same box */
} BatchExercise;

typedef struct BatchOptions {
    size_t parallel; /* 0: twice as many as there are processors, since a box is often waited for */
    unsigned long long seed;    /* of random input and of hidden parameters */
    unsigned long long attempt; /* of one submission that is judged by itself; 0: the first */
    bool same_draw;    /* each attempt has the hidden parameters of the first one: else its own */
    double seconds;    /* a run may take; 0: LIMIT_RUN_SECONDS */
    const char *model; /* NULL: the exercises' */
    bool unsafe;       /* where no sandbox works: without one */
    const Terminal *progress; /* a line that is kept up to date, or lines now and then; NULL: none
                               */
} BatchOptions;

typedef struct Batch {
    const Catalogue *catalogue;
    char tools[33]; /* names the compiler, the library and this command: those of another build are
                       others */
    BatchExercise *exercises;
    size_t n_exercises;
    BatchOptions options;
    Sandbox sandbox; /* SANDBOX_NONE: unsafe */
    /* counts; of the phase on a card once that has begun */
    size_t judged, known, broken;
    const Card *card; /* NULL: the first phase */
} Batch;

/* Reads the exercises (ids; n 0: all), and opens the sandbox: one that keeps at least files apart
 * (Landlock) must work, unless options->unsafe. False and one line. */
bool batch_open(Batch *, const Catalogue *, const char *const *ids, size_t n, const BatchOptions *,
                char *error, size_t error_size);
void batch_close(Batch *);
BatchExercise *batch_exercise(Batch *, const char *id);

/* Judges what the gradebook does not know yet. False and one line when the gradebook cannot be
 * written, or with an empty line when a signal stopped it: everything judged so far is recorded. */
bool batch_run(Batch *, const Inbox *, Gradebook *, char *error, size_t error_size);

/* ---- the steps of it, for those who judge elsewhere (grader/cluster) ---- */

/* One hand-in that has no verdict yet. */
typedef struct BatchItem {
    const BatchExercise *exercise;
    const Handin *handin; /* NULL: the caller knows whose it is */
    Text source;
    unsigned attempt; /* of this student at this exercise, from 1 */
    char *problem;    /* why it cannot be judged, or NULL */
} BatchItem;
void batch_item_release(BatchItem *);

/* What came of one. */
typedef struct BatchJudged {
    Summary summary;
    char *svg, *reference, *sandbox; /* reference: the solution's schedule; or NULL */
} BatchJudged;
void batch_judged_release(BatchJudged *);

/* The exercises as they are now go into the gradebook. */
bool batch_settle(Batch *, Gradebook *, char *error, size_t error_size);
/* False when the gradebook knows it already (and counts it). */
bool batch_look(Batch *, const Inbox *, Gradebook *, const Handin *, BatchItem *);
/* A verdict without judging. */
void batch_refuse(const BatchItem *, VerdictKind, const char *words, BatchJudged *);
/* Counts it and puts it into the gradebook. */
bool batch_record(Batch *, Gradebook *, const BatchItem *, const BatchJudged *, char *error,
                  size_t error_size);

typedef enum BatchNext {
    BATCH_ITEM,  /* an item; one without an exercise is none, and the next one is asked for */
    BATCH_LATER, /* none at the moment */
    BATCH_END    /* there are no more */
} BatchNext;

/* Where items come from and what becomes of them. */
typedef struct BatchWork {
    void *data;
    BatchNext (*next)(void *, BatchItem *);
    bool (*done)(void *, BatchItem *, BatchJudged *); /* false: stop */
    bool (*beat)(void *); /* several times a second; false: stop. NULL: nothing */
    int wake;             /* readable: `next` may have something now; -1: nothing is */
} BatchWork;
/* Several at a time. False when `done` or a signal stopped it. */
bool batch_judge_many(Batch *, const BatchWork *);

/* ---- the second phase: on a real GPU, beside the grades ----
 *
 * What ran on the virtual GPU (pass or fail) is built by nvcc and run on the card, one submission
 * at a time, in a box that has the devices; its record is judged by the exercise as
 * exercise_on_card makes it. The record is written in the program's own process: evidence for a
 * person, never points. An exercise's solution has to pass there first, in the same box, and again
 * after a submission that did not come to its end: what is the card's fault, or the sandbox's, is
 * nobody's verdict. */

/* From here on the batch is for this card, which is the caller's. The sandbox is opened anew. The
 * gradebook may be NULL: what it knows is not counted anew. False and one line. */
bool batch_use_card(Batch *, const Card *, Gradebook *, char *error, size_t error_size);
/* Judges what the gradebook does not know yet for this card. As batch_run; an error is also a
 * solution that does not pass on the card. */
bool batch_run_card(Batch *, const Inbox *, Gradebook *, char *error, size_t error_size);
/* One of them, here and now. False and one line: nothing can be said about submissions on this
 * card; or an empty line: a signal stopped it. */
bool batch_judge_on_card(Batch *, BatchExercise *, const Text *source, BatchJudged *, char *error,
                         size_t error_size);

/* One submission, here and now, without a gradebook. svg may be NULL. False when a signal stopped
 * it. */
bool batch_judge_one(Batch *, BatchExercise *, const Text *source, Summary *, char **svg,
                     char **sandbox);
#endif
