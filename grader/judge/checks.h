/* checks.h - every check of an exercise over the evidence of its runs, with the reason for what
 * failed.
 *
 * Reasons are sentences for someone who knows C but not CUDA; they name the operation as the lanes
 * label it, and the source line. Checks are pure functions of the evidence. */
#ifndef THREELANE_CHECKS_H
#define THREELANE_CHECKS_H
#include "grader/judge/evidence.h"

/* CHECK_OPEN: not judged, because the run was an explored one, whose times say nothing.
 * CHECK_OTHER_MODEL: does not hold on the machine that was asked for, but does on the exercise's
 * own (other_model.h). */
typedef enum CheckState {
    CHECK_PASS,
    CHECK_FAIL,
    CHECK_BLOCKED,
    CHECK_BROKEN,
    CHECK_OPEN,
    CHECK_OTHER_MODEL
} CheckState;

/* "pass", "fail" ...: the words of JSON and of gradebooks. "broken" for what is none. */
const char *check_state_word(int state);

typedef struct CheckResult {
    CheckState state; /* broken: the check itself cannot be judged; the exercise is at fault */
    char *cause;      /* why it failed or is broken; NULL when passed */
    char *detail;     /* lines of diff.h, or NULL */
    char *mistake;    /* failed: what its author did, in a few words that follow "who" and are the
                         same for all who did it: no number, line or name; or NULL */
    size_t run;       /* index of the run that decided */
    uint32_t op;      /* failed: the operation of that run that the cause is about; 0: none */
    const char *blocked_by; /* id of the check; NULL: the program did not run to its end */
    CheckScore score;       /* of a check with `zero` or `record`, judged in a run that is open */
    int share; /* failed: the part of its points that it earns all the same, in thousandths: 0 to
                  999 */
} CheckResult;

/* The points that a check earned: all, none, or by its share. */
int check_earned(const ExerciseCheck *, const CheckResult *);

/* evidence[i] belongs to exercise->runs[i]; results has n_checks elements. */
void checks_evaluate(const Exercise *, const Evidence *evidence, CheckResult *results);
void checks_release(const Exercise *, CheckResult *results);

/* True for kinds that hold on every legal schedule when they hold on one: no question of times or
 * of overlap. */
bool check_any_schedule(CheckKind);
/* For a run of another schedule as runs[0]: the first check of such a kind that fails there and
 * passed before; its result is filled in (the caller frees cause and detail). n_checks when there
 * is none. */
size_t checks_explored(const Exercise *, const Evidence *, const CheckResult *before,
                       CheckResult *);

/* The program's output holds most lines of the golden text: it was typed, not earned. */
bool checks_golden_printed(const Evidence *);
#endif
