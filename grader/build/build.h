/* build.h - makes programs out of exercises: the harness and one source, compiled by tlcc, or by
 * nvcc for a real GPU, with a run's parameters.
 *
 * Harness objects and solutions are kept in a cache, named by a hash of everything that went in
 * (sources, headers, parameters, tools). The object of a student's file is kept by its text
 * (store.h), unless it may read other files than its header and the compiler's. */
#ifndef THREELANE_BUILD_H
#define THREELANE_BUILD_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"
#include "grader/build/workspace.h"

/* BUILD_TIMEOUT, BUILD_LIMIT: a student's source that the compiler does not come to an end with, or
 * not with the memory there is. */
typedef enum BuildState {
    BUILD_OK,
    BUILD_STUDENT_ERROR,
    BUILD_HARNESS_ERROR,
    BUILD_TOOL_ERROR,
    BUILD_TIMEOUT,
    BUILD_LIMIT
} BuildState;

typedef struct Build {
    const Exercise *exercise;
    const ExerciseRun *run;
    const char *source; /* absolute path; of a solution, as build_solution says */
    bool keep;          /* cache the program: for sources whose includes are known (solutions) */
    bool seamed; /* a student's: with the seam between it and the harness, so that what either did
                    can be told apart; without, where the exercise allows none */
    bool boxed;  /* seamed, and to be judged without trust (grader/TRUST.md): program keeps a log,
                    player plays it */
    struct Sandbox *sandbox; /* boxed: the source is compiled in it; NULL: like all others */
    double seconds;          /* that the compiler may take in a sandbox; 0: 30 */
    /* filled in */
    BuildState state;
    char *program; /* path; the workspace's folders own the file */
    char *player;  /* boxed: path of the exercise's player with these parameters; else NULL */
    char key[33];  /* names program and parameters; equal keys are equal programs */
    Text output;   /* what the compiler said */
} Build;

/* Makes all of them, in parallel. False when interrupted. build_release each. */
bool builds_make(Workspace *, Build *builds, size_t n);
void build_release(Build *);
/* Compiles a source by itself, without debug information: what `threelane pack` makes of a
 * solution. False when interrupted; state and output as from builds_make. */
bool build_object(Workspace *, Build *, const char *object);

/* What the solution of an exercise is built from with a run's parameters: solution.cu, or where
 * there is none (a course packed for students: `threelane pack`) an object for these parameters,
 * whether it exists or not. The caller frees. */
char *build_solution(const Exercise *, const ExerciseRun *);
#endif
