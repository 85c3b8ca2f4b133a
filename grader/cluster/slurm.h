/* slurm.h - what is asked of a Slurm: to take an array of jobs, which of them there still are, and
 * to drop some.
 *
 * Its commands are run (sbatch, squeue, scancel), as a person would; jobs are known by their names,
 * since a number may be lost with a controller that dies before it has written it down. Nothing
 * here waits for a job. */
#ifndef THREELANE_SLURM_H
#define THREELANE_SLURM_H
#include <stdbool.h>
#include <stddef.h>

typedef struct Slurm {
    char *sbatch, *squeue, *scancel;
} Slurm;

/* Finds the commands. False and one line when this is no machine to submit from. */
bool slurm_open(Slurm *, char *error, size_t error_size);
void slurm_close(Slurm *);

typedef enum SlurmAnswer {
    SLURM_DONE,
    SLURM_REFUSED, /* error: in its own words */
    SLURM_SILENT   /* its controller does not answer, or a signal came: error says which command */
} SlurmAnswer;

/* What an array of jobs is to get. Texts may be NULL where it is not said otherwise. */
typedef struct SlurmWants {
    const char *name, *script, *folder; /* must be; folder: to run in, where log-NAME.INDEX goes */
    unsigned count;                     /* jobs: their indices are 0 .. count - 1 */
    const char *partition, *account, *time;
    const char *exclude; /* nodes, with commas between */
    const char *more;    /* further words for sbatch, split at blanks */
    unsigned cpus;       /* of a job */
    bool gpu;            /* one for each job */
} SlurmWants;
SlurmAnswer slurm_submit(const Slurm *, const SlurmWants *, char *error, size_t error_size);

/* A job of an array; of those that have ended, the ones that Slurm still knows (some minutes). */
typedef struct SlurmTask {
    char *name, *id; /* id: as scancel takes it */
    char *node;      /* where it runs, or "" */
    char *why;       /* it waits: Slurm's word for why, else "" */
    unsigned index;
    bool runs;
    bool stuck; /* Slurm has given up starting it, and holds it */
    bool ended;
    bool taken; /* it ended because its node died, or was needed for others: not by its own doing */
} SlurmTask;
typedef struct SlurmTasks {
    SlurmTask *items;
    size_t n;
} SlurmTasks;
/* This user's jobs of these names (commas between), in one question. */
SlurmAnswer slurm_list(const Slurm *, const char *names, SlurmTasks *, char *error,
                       size_t error_size);
void slurm_forget(SlurmTasks *);

/* Jobs by their names, or one by its id: the other is NULL. */
SlurmAnswer slurm_cancel(const Slurm *, const char *names, const char *id, char *error,
                         size_t error_size);

/* For tests: a line of squeue as it is asked for here. False: it is none. */
bool slurm_read_task(char *line, SlurmTask *);
#endif
