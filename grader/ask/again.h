/* again.h - the program of a run, kept beside its trace, so that it can make its calls again.
 *
 * Beside NAME.lane stand NAME.program, the file that ran, and NAME.again: a line "threelane-again
 * 1", then facts, a line each: "program MARK" (which file that is), "exercise exNN", "source PATH",
 * "env NAME=VALUE". A trace by itself names nothing that is executed: a program that is none of the
 * course's is given by who asks. */
#ifndef THREELANE_AGAIN_H
#define THREELANE_AGAIN_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"
#include "grader/box/runner.h"
#include "timeline/trace/trace.h"

enum { AGAIN_VARIABLES = 64 };

typedef struct Again {
    char *program;              /* path */
    char *exercise, *source;    /* NULL: of none */
    char **argv;                /* as given, program first; NULL: the program alone. The caller's */
    char *env[AGAIN_VARIABLES]; /* NULL-terminated; argv given: those that are added to the caller's
                                 */
} Again;

/* Keeps a program that ran (a link, or the file itself is moved) and what it needs to run so again;
 * env: lines. What cannot be kept is not there later, which is no error. */
void again_keep(const char *lane, const char *program, const char *exercise, const char *source,
                const char *env);
/* What is beside it belongs to another run. */
void again_forget(const char *lane);

/* The program of that trace. Only what again_keep has kept, in the course's state folder, is run:
 * what else lies beside a trace may be anybody's, and so may be what came with a folder. False and
 * one line when it is not there. again_release in either case. */
bool again_find(Again *, const char *lane, const char *state, char *error, size_t error_size);
/* A program that was given, with its arguments, on the machine of the trace. */
bool again_given(Again *, const Trace *, char **argv, char *error, size_t error_size);
void again_release(Again *);

/* One run of it, with a question. */
typedef struct AgainRun {
    const char *calls;   /* of Question */
    const char *model;   /* NULL: as it was */
    const char *program; /* NULL: the one that was kept */
    const char *where; /* the folder in which it leaves its files; NULL: that for temporary ones */
    /* filled in by again_start */
    char *folder, *trace, *outcome;
    char **env;
    char *args[2];
    Job job;
} AgainRun;

/* Makes the job ready; jobs_run runs it. False and one line. again_over in either case: the trace
 * is gone then. */
bool again_start(const Again *, AgainRun *, char *error, size_t error_size);
void again_over(AgainRun *);
#endif
