/* coordinator.h - grades a class by jobs of a Slurm: hands submissions out, takes verdicts in, and
 * puts them into the gradebook as if they had been judged here (docs/slurm.md).
 *
 * Threelane schedules nothing: it submits arrays of jobs, asks from time to time which of them
 * there still are, and hands out again what was lost with one. Whatever dies in between, a verdict
 * that was left in the shared folder counts, once; the next run of the same command finds it, and
 * the jobs that are still at work. */
#ifndef THREELANE_COORDINATOR_H
#define THREELANE_COORDINATOR_H
#include "grader/classroom/batch.h"

typedef struct CoordinatorOptions {
    const char *folder;  /* of this class alone, seen by every node; made, and removed when all is
                            done */
    const char *command; /* this command's path, the same on every node */
    const char *partition, *gpu_partition, *account, *time; /* NULL: Slurm's own */
    const char *more;                                       /* further words for sbatch, or NULL */
    unsigned cpus;                                          /* of a job */
    size_t chunk;                                           /* submissions of a job */
    unsigned tries;  /* jobs that may be lost with a submission before it is given up */
    size_t parallel; /* in a job; 0: by its processors */
} CoordinatorOptions;

/* As batch_run (batch.h): false and one line, or with an empty line when a signal stopped it. The
 * jobs are cancelled then, and what they have brought is recorded. */
bool coordinator_run(Batch *, const Inbox *, Gradebook *, const CoordinatorOptions *, char *error,
                     size_t error_size);
/* The second phase: every job on a node with a card. Which one it was stands in each verdict. */
bool coordinator_run_card(Batch *, const Inbox *, Gradebook *, const CoordinatorOptions *,
                          char *error, size_t error_size);
#endif
