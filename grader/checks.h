/* checks.h - every check of an exercise over the evidence of its runs, with the reason for what failed.
 *
 * Reasons are sentences for someone who knows C but not CUDA; they name the operation as the lanes label it, and the
 * source line. Checks are pure functions of the evidence. */
#ifndef THREELANE_GRADER_CHECKS_H
#define THREELANE_GRADER_CHECKS_H
#include "grader/evidence.h"

typedef enum CheckState { CHECK_PASS, CHECK_FAIL, CHECK_BLOCKED, CHECK_BROKEN } CheckState;

typedef struct CheckResult {
    CheckState state;           /* broken: the check itself cannot be judged; the exercise is at fault */
    char *cause;                /* why it failed or is broken; NULL when passed */
    char *detail;               /* lines of diff.h, or NULL */
    size_t run;                 /* index of the run that decided */
    const char *blocked_by;     /* id of the check; NULL: the program did not run to its end */
} CheckResult;

/* evidence[i] belongs to exercise->runs[i]; results has n_checks elements. */
void checks_evaluate(const Exercise *, const Evidence *evidence, CheckResult *results);
void checks_release(const Exercise *, CheckResult *results);

/* The program's output holds most lines of the golden text: it was typed, not earned. */
bool checks_golden_printed(const Evidence *);
#endif
