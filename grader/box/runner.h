/* runner.h - runs programs with limits, several at a time, and keeps what they print.
 *
 * Each job gets a process group of its own, /dev/null as input, one pipe for its output and error,
 * and no other descriptor. When its first process has ended, or a limit is reached, the whole group
 * is killed, and whatever left the group is found as an orphan and killed too.
 *
 * Memory is watched as resident pages, not limited as address space: the virtual GPU reserves a
 * large arena of addresses that it never touches. */
#ifndef THREELANE_RUNNER_H
#define THREELANE_RUNNER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/text.h"

struct Box;

typedef struct Limits {
    double seconds;        /* that it computes or waits (time_spent.h); not that others keep it from
                            * computing
                            */
    uint64_t memory_bytes; /* 0: no limit */
    uint64_t output_bytes; /* output and error together */
    uint64_t file_bytes;   /* of any file it writes; 0: no limit */
    double grace_seconds;  /* of the same kind, from being asked to end to being ended; 0: half a
                              second */
    unsigned processes; /* of the user, as RLIMIT_NPROC counts them; 0: no limit (a box has its own)
                         */
} Limits;

typedef enum JobEnd {
    JOB_NOT_STARTED, /* status: errno */
    JOB_EXITED,      /* status: exit status */
    JOB_SIGNALED,    /* status: signal */
    JOB_TIMEOUT,
    JOB_OUTPUT,
    JOB_MEMORY,
    JOB_FILE,
    JOB_PROCESSES
} JobEnd;

typedef struct Job {
    char *const *argv;  /* argv[0] is the path of the program */
    char *const *env;   /* NULL: the caller's */
    const char *folder; /* to run in; NULL: the current one (in a box: its scratch folder) */
    Limits limits;
    bool fixed_addresses;  /* no address space layout randomization: runs are the same, addresses
                              included */
    const struct Box *box; /* NULL: runs as the caller, with the caller's files (sandbox.h) */
    /* filled in */
    JobEnd end;
    int status;
    Text output;          /* at most limits.output_bytes */
    double seconds;       /* by the clock */
    double spent_seconds; /* what counts (time_spent.h), as it was last looked at */
} Job;

/* True when a limit stopped it. */
bool job_used_up(const Job *);

/* Runs all jobs, at most `parallel` at once. False when a signal (^C) stopped it: every job is dead
 * then, and jobs_interrupted says which signal. The caller releases each output. */
bool jobs_run(Job *jobs, size_t n, size_t parallel);
int jobs_interrupted(void);
/* From now on a signal that comes between two calls of jobs_run stops the next one, too, instead of
 * this process. */
void jobs_listen(void);
/* After a signal: what remains to be done for it may run jobs again, until the next signal. Returns
 * the one that came; jobs_interrupt brings it back. */
int jobs_resume(void);
void jobs_interrupt(int signal);

/* Processors this process may use, at least 1. */
size_t jobs_processors(void);
#endif
