/* judge.h - one submission, from source to verdict: build, run on the virtual GPU or on a card, compare with the solution. */
#ifndef THREELANE_JUDGE_H
#define THREELANE_JUDGE_H
#include "common/ends.h"
#include "grader/build/build.h"
#include "grader/judge/checks.h"
#include "grader/box/runner.h"

typedef struct JudgeOptions {
    const char *source;         /* absolute path of the file to judge */
    bool keep_program;          /* the source is one of the course's own: its program may be cached */
    bool trusted;               /* believe nothing that the program says of itself: grader/TRUST.md */
    struct Sandbox *sandbox;    /* trusted, or on a card: the submission is compiled and run in it; NULL: as the caller */
    const char *model;          /* NULL: the exercise's */
    unsigned long long seed;    /* of the random input; 0: 1 */
    unsigned long long schedule;/* the seed of another legal schedule; 0: the canonical one */
    double seconds;             /* 0: 10, on a card 60 */
} JudgeOptions;

typedef struct Verdict {
    VerdictKind kind;
    Text message;               /* compiler's words, why it was stopped, or what is wrong with the exercise */
    size_t run;                 /* the run that the message is about */
    Evidence *evidence;         /* per run of the exercise */
    Job *jobs;                  /* how each run ended; output in jobs[i].output */
    char **trace_paths;         /* in the workshop's work folder */
    char *solution_trace;       /* the solution's first run, in the cache; NULL when there is none */
    CheckResult *checks;        /* NULL when nothing could be run */
    int points, points_possible;
    bool golden_printed;
    char *golden;
    char *source;               /* as compiled */
    char *program;              /* path of the visible run's program, while the workshop is open; NULL: not built */
} Verdict;

/* True when the verdict is filled in; false when interrupted. verdict_release either way. */
bool judge(Workshop *, const Exercise *, const JudgeOptions *, Verdict *);
void verdict_release(const Exercise *, Verdict *);

/* The model that a run is made on, as THREELANE_MODEL takes it; asked: the one asked for, or NULL. The caller frees. */
char *judge_model(const Exercise *, const ExerciseRun *, const char *asked);

/* Builds the solution, runs it as one run and renders its report; the golden text's source. False and one line.
 * The recording is released by the caller. */
bool judge_solution(Workshop *, const Exercise *, Recording *, char *error, size_t error_size);
#endif
