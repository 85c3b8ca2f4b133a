/* explore.h - other legal schedules of a program that was judged: the first that changes its
 * results, or breaks a check that holds whatever the order and the times, is found, with the seed
 * that shows it again. */
#ifndef THREELANE_EXPLORE_H
#define THREELANE_EXPLORE_H
#include "grader/judge/judge.h"

typedef struct Exploration {
    unsigned long long asked, ran; /* schedules */
    unsigned long long seed;       /* of the first that broke something; 0: none did */
    char *what;                    /* then: what broke, a sentence or two */
    char *failure;                 /* why it could not go on, or NULL */
    double seconds;                /* by the clock */
} Exploration;

/* Runs the exercise's visible run of a judged program with the seeds 1 to n, on all processors. The
 * program must have run to its end on the canonical schedule (verdict->jobs[0]). False when a
 * signal stopped it. exploration_release either way. */
bool explore_program(Workspace *, const Exercise *, const JudgeOptions *, const Verdict *,
                     unsigned long long n, Exploration *);
void exploration_release(Exploration *);
#endif
