/* other_model.c - see other_model.h. */
#include "grader/judge/other_model.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What the solution's own run says about each check of this machine. The caller releases. */
static CheckResult *of_solution(const Exercise *exercise, const Verdict *verdict)
{
    Evidence *evidence = memory_get(exercise->n_runs, sizeof *evidence);
    CheckResult *results = memory_get(exercise->n_checks, sizeof *results);
    for (size_t run = 0; run < exercise->n_runs; run++) {
        evidence[run] = verdict->evidence[run];
        evidence[run].got = evidence[run].expected;
        evidence[run].source = "solution.cu";
        evidence[run].complete = true;
    }
    checks_evaluate(exercise, evidence, results);
    free(evidence);
    return results;
}

/* Whether it holds is a question of the machine, and not of right or wrong: a race is one on
 * any. */
static bool of_the_machine(CheckKind kind)
{
    return !check_any_schedule(kind) || kind == CHECK_AFTER || kind == CHECK_COUNT ||
           kind == CHECK_DISTINCT;
}

static void differs(CheckResult *here, bool reachable)
{
    Text words = {0};
    text_add(&words, here->cause ? here->cause : "");
    if (!here->cause) text_add(&words, "Not looked at here, since something before it differs.");
    else if (reachable) text_add(&words, " On the exercise's own machine it holds.");
    else
        text_add(&words, " On this machine the solution does not reach it, either; on the "
                         "exercise's own it holds.");
    free(here->cause);
    here->cause = text_take(&words);
    here->state = CHECK_OTHER_MODEL;
    here->blocked_by = NULL;
}

static void compare(const Exercise *exercise, Verdict *verdict, const Verdict *home)
{
    CheckResult *solution = of_solution(exercise, verdict);
    verdict->kind = VERDICT_PASS;
    verdict->points_possible = exercise_points(exercise);
    verdict->points = 0;
    for (size_t i = 0; i < exercise->n_checks; i++) {
        CheckResult *here = &verdict->checks[i];
        const CheckResult *there = &home->checks[i];
        bool reachable = solution[i].state == CHECK_PASS;
        if (here->state == CHECK_FAIL && there->state == CHECK_PASS &&
            (!reachable || of_the_machine(exercise->checks[i].kind))) {
            differs(here, reachable);
        } else if (here->state == CHECK_BLOCKED && here->blocked_by) {
            /* what it waits for differs, or has failed: then what the exercise's own machine says
             * of it counts */
            if (there->state == CHECK_PASS) {
                differs(here, reachable);
            } else {
                here->state = there->state;
                here->blocked_by =
                    there->blocked_by
                        ? exercise->checks[exercise_check(exercise, there->blocked_by)].id
                        : NULL;
                here->run = there->run;
                if (there->cause)
                    here->cause = memory_format("%s (on %s)", there->cause, exercise->model);
                if (there->detail) here->detail = memory_copy(there->detail);
            }
        }
        verdict->points += check_earned(&exercise->checks[i], here);
        if (here->state == CHECK_OTHER_MODEL)
            verdict->points_possible -= exercise->checks[i].points;
        else if (here->state != CHECK_PASS && here->state != CHECK_OPEN)
            verdict->kind = VERDICT_FAIL;
    }
    checks_release(exercise, solution);
    free(solution);
}

bool other_model_compare(Workspace *workspace, const Exercise *exercise,
                         const JudgeOptions *options, Verdict *verdict)
{
    char error[PATH_MAX + 500];
    if (verdict->kind != VERDICT_FAIL || !verdict->checks ||
        !exercise_elsewhere(exercise, options->model))
        return true;
    Exercise *own = exercise_read(exercise->folder, error, sizeof error);
    if (!own) return true; /* it has just been edited: the verdict stays as it is */
    exercise_on_model(own, NULL);
    JudgeOptions at_home = *options;
    Verdict home = {0};
    at_home.model = NULL;
    bool done = own->n_checks != exercise->n_checks || judge(workspace, own, &at_home, &home);
    if (done && home.checks && home.kind <= VERDICT_FAIL) compare(exercise, verdict, &home);
    verdict_release(own, &home);
    exercise_free(own);
    return done;
}
