/* judge.h - one submission, from source to verdict: build, run on the virtual GPU or on a card,
 * compare with the solution. */
#ifndef THREELANE_JUDGE_H
#define THREELANE_JUDGE_H
#include "common/exit_status.h"
#include "grader/box/outcome.h"
#include "grader/build/build.h"
#include "grader/judge/checks.h"
#include "grader/box/runner.h"

/* Why a verdict is what it is, where it is not the checks that decided: name, word in JSON. */
#define VERDICT_REASONS(REASON)                                                             \
    REASON(REASON_NONE, "")                                                                 \
    REASON(REASON_SOURCE, "source")       /* the compiler found errors in it */             \
    REASON(REASON_UNDEFINED, "undefined") /* it calls what is nowhere: Verdict.undefined */ \
    REASON(REASON_STATUS, "status")       /* it ended with a status of its own */           \
    REASON(REASON_STOPPED, "stopped")     /* the virtual GPU ended it: Verdict.outcome */   \
    REASON(REASON_SIGNAL, "signal")       /* it crashed */                                  \
    REASON(REASON_TIME, "time")                                                             \
    REASON(REASON_OUTPUT, "output")                                                         \
    REASON(REASON_MEMORY, "memory")                                                         \
    REASON(REASON_PROCESSES, "processes")                                                   \
    REASON(REASON_FILE, "file")                                                             \
    REASON(REASON_REPLAY, "replay")     /* its calls cannot be made again */                \
    REASON(REASON_INCIDENT, "incident") /* the player crashed: a fault of ours */           \
    REASON(REASON_MODEL, "model")       /* the device model asked for is none */            \
    REASON(REASON_HIDDEN, "hidden")     /* what it was in a hidden run is not told */       \
    REASON(REASON_CARD_FULL, "card full")                                                   \
    REASON(REASON_DISK_FULL, "disk full")                                                   \
    REASON(REASON_COURSE, "course") /* the exercise, its tools or the machine */
#define REASON_NAME(NAME, WORD) NAME,
typedef enum VerdictReason { VERDICT_REASONS(REASON_NAME) REASON_KINDS } VerdictReason;
extern const char *const verdict_reason_word[REASON_KINDS];

typedef struct JudgeOptions {
    const char *source;      /* absolute path of the file to judge */
    bool trusted;            /* believe nothing that the program says of itself: grader/TRUST.md */
    struct Sandbox *sandbox; /* trusted, or on a card: the submission is compiled and run in it;
                                NULL: as the caller */
    const char *model;       /* NULL: the exercise's */
    unsigned long long seed; /* of the random input, but for hidden runs; 0: 1 */
    unsigned long long schedule; /* the seed of another legal schedule; 0: the canonical one */
    double seconds;              /* 0: 10, on a card 60 */
} JudgeOptions;

typedef struct Verdict {
    VerdictKind kind;
    Text message; /* compiler's words, why it was stopped, or what is wrong with the exercise */
    size_t run;   /* the run that the message is about: one that is hidden only where all that are
                     not are fine */
    VerdictReason reason;
    char *undefined; /* the function that is nowhere to be found, or NULL */
    Outcome outcome; /* what the program of that run said of its end; all empty when it said nothing
                      */
    Evidence *evidence;   /* per run of the exercise */
    Job *jobs;            /* how each run ended; output in jobs[i].output */
    char **trace_paths;   /* in the workspace's work folder */
    char *solution_trace; /* the solution's first run, in the cache; NULL when there is none */
    CheckResult *checks;  /* NULL when nothing could be run */
    int points, points_possible;
    bool golden_printed;
    char *golden;
    char *source;  /* as compiled */
    Text again;    /* lines: the variables with which the visible run was made, on the virtual GPU
                      and in no box; empty: it was not */
    char *program; /* path of the visible run's program, while the workspace is open; NULL: not
                    * built
                    */
} Verdict;

/* True when the verdict is filled in; false when interrupted. verdict_release either way. */
bool judge(Workspace *, const Exercise *, const JudgeOptions *, Verdict *);
void verdict_release(const Exercise *, Verdict *);

/* Builds the solution, runs it as one run and renders its report; the golden text's source. False
 * and one line. The recording is released by the caller. */
bool judge_solution(Workspace *, const Exercise *, Recording *, char *error, size_t error_size);
#endif
