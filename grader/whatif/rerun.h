/* rerun.h - the program of a run, kept beside its trace, so that it can make its calls again.
 *
 * Beside NAME.lane stand NAME.program, the file that ran, and NAME.again: a line "threelane-again
 * 1", then facts, a line each: "program MARK" (which file that is), "exercise exNN", "source PATH",
 * "env NAME=VALUE". A trace by itself names nothing that is executed: a program that is none of the
 * course's is given by who asks. */
#ifndef THREELANE_RERUN_H
#define THREELANE_RERUN_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"
#include "grader/box/runner.h"
#include "timeline/trace/trace.h"

enum { RERUN_VARIABLES = 64 };

typedef struct Rerun {
    char *program;              /* path */
    char *exercise, *source;    /* NULL: of none */
    char **argv;                /* as given, program first; NULL: the program alone. The caller's */
    char *env[RERUN_VARIABLES]; /* NULL-terminated; argv given: those that are added to the caller's
                                 */
} Rerun;

/* Keeps a program that ran (a link, or the file itself is moved) and what it needs to run so again;
 * env: lines. What cannot be kept is not there later, which is no error. */
void rerun_keep(const char *lane, const char *program, const char *exercise, const char *source,
                const char *env);
/* What is beside it belongs to another run. */
void rerun_forget(const char *lane);

/* The program of that trace. Only what rerun_keep has kept, in the course's state folder, is run:
 * what else lies beside a trace may be anybody's, and so may be what came with a folder. False and
 * one line when it is not there. rerun_release in either case. */
bool rerun_find(Rerun *, const char *lane, const char *state, char *error, size_t error_size);
/* A program that was given, with its arguments, on the machine of the trace. */
bool rerun_given(Rerun *, const Trace *, char **argv, char *error, size_t error_size);
void rerun_release(Rerun *);

/* One run of it, with a question. */
typedef struct RerunJob {
    const char *calls;   /* of Question */
    const char *model;   /* NULL: as it was */
    const char *program; /* NULL: the one that was kept */
    const char *where; /* the folder in which it leaves its files; NULL: that for temporary ones */
    /* filled in by rerun_start */
    char *folder, *trace, *outcome;
    char **env;
    char *args[2];
    Job job;
} RerunJob;

/* Makes the job ready; jobs_run runs it. False and one line. rerun_over in either case: the trace
 * is gone then. */
bool rerun_start(const Rerun *, RerunJob *, char *error, size_t error_size);
void rerun_over(RerunJob *);
#endif
