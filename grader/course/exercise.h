/* exercise.h - an exercise file (EXERCISE.md) in memory. Reading checks everything that can be
 * checked without running anything: names, selectors, expressions, references. An Exercise owns all
 * it points to. */
#ifndef THREELANE_EXERCISE_H
#define THREELANE_EXERCISE_H
#include <stdbool.h>
#include <stddef.h>
#include "common/hash.h"
#include "common/text.h"
#include "grader/course/check_kinds.h"

#define EXERCISE_HINTS 3

typedef struct ExercisePair {
    char *name, *value;
    int line;
} ExercisePair;

typedef struct ExerciseRun {
    char *name;        /* runs[0] is "visible" */
    char *model;       /* NULL: the exercise's */
    ExercisePair *env; /* of CUDA's variables, those that it is made with */
    size_t n_env;
    char *look_for;       /* which hazards, besides errors, its checks ask about: a list of
                             THREELANE_CHECK; NULL: errors only */
    char *inside;         /* its checks ask what happens inside these kernels: a list of
                             THREELANE_INSIDE; NULL: none */
    ExercisePair *params; /* every parameter of the exercise, with this run's value */
    size_t n_params;
    char *label; /* what differs from the visible run: "with BATCHES=7"; "" for the visible run */
    int line;
    /* of a run that grading draws (hidden.h) */
    bool hidden;              /* what happens in it is no student's to know */
    char *open_label;         /* the label as exercise.ini has it */
    unsigned long long input; /* the seed of its random input */
} ExerciseRun;

/* Parameters for the machines of which a condition holds (model_condition.h); "card": for a real
 * GPU. */
typedef struct ExerciseOn {
    char *condition;
    ExercisePair *params;
    size_t n_params;
} ExerciseOn;

typedef struct ExerciseCheck {
    char *id, *title;
    CheckKind kind;
    int points, line;
    char *hints[EXERCISE_HINTS]; /* NULL where there is none (lint objects) */
    size_t *needs, n_needs;      /* indices of checks */
    size_t *runs, n_runs;        /* indices of runs, at least one */
    ExercisePair *keys;          /* what is particular to the kind */
    size_t n_keys;
} ExerciseCheck;

typedef struct Exercise {
    char *folder;                                   /* path of exNN-slug */
    char *id, *title, *level, *model, *todo, *show; /* show NULL: the whole run */
    char *predict; /* what to predict before the first step, a question; NULL: nothing is asked */
    char *batches; /* the parameter that `batches` of a what-if means; NULL: there is none */
    char *learned; /* what one has learned who passes, in a sentence; NULL: none is told */
    char *hint_deadlock, *hint_stop; /* what to look at when the program is stopped: nobody can go
                                        on, or anything else but a limit; NULL where there is none
                                      */
    char *options; /* of the compiler, for every source, a blank between them; NULL: none */
    int number, part, xp;
    int gpus; /* how many a machine has to have */
    ExerciseRun *runs;
    size_t n_runs;
    ExerciseOn *ons;
    size_t n_ons;
    ExerciseCheck *checks;
    size_t n_checks;
} Exercise;

/* Reads folder/exercise.ini. NULL and one line (file:line: what is wrong) when it is missing or not
 * right. */
Exercise *exercise_read(const char *folder, char *error, size_t error_size);
/* The same from memory; `name` stands in messages. */
Exercise *exercise_parse(const char *folder, const char *name, const char *text, size_t length,
                         char *error, size_t error_size);
/* Gives every run the parameters of the first [on CONDITION] that holds for the model it will run
 * on. asked: the model asked for, or NULL. What cannot be read as a model has none of these;
 * whoever runs it is told. */
void exercise_on_model(Exercise *, const char *asked);
/* Gives those of section `on` to the runs that have no model of their own: as they are on any
 * machine that it is for. */
void exercise_on_section(Exercise *, size_t on);
/* The model that a run is made on, as THREELANE_MODEL takes it; asked: the one asked for, or NULL.
 * The caller frees. */
char *exercise_model(const Exercise *, const ExerciseRun *, const char *asked);
/* True when the model asked for (NULL: none) is another machine than the exercise's own. */
bool exercise_elsewhere(const Exercise *, const char *asked);
/* The exercise as it is on a real GPU: the parameters of [on card]; runs on a model of their own
 * are left out, and so are the checks that only they, or the virtual GPU's hazard checker, could
 * decide. */
void exercise_on_card(Exercise *);
void exercise_free(Exercise *);
/* Adds all that changes what a check says: not what only counts (points, hints, xp, level). */
void exercise_hash(const Exercise *, Hash *);

/* Path of a file of the exercise ("solution.cu"); "" as the name: exNN.cu. The caller frees. */
char *exercise_file(const Exercise *, const char *name);
/* The value of a check's key, or NULL. */
const char *check_key(const ExerciseCheck *, const char *name);
/* Index of a run by name, or n_runs. */
size_t exercise_run(const Exercise *, const char *name, size_t length);
/* The value of a parameter in a run, or NULL. */
const char *run_param(const ExerciseRun *, const char *name);
/* Index of a check by id, or n_checks. */
size_t exercise_check(const Exercise *, const char *id);
int exercise_points(const Exercise *);

/* Adds to a run's label that it is on another model. */
void exercise_label_model(Text *label, const char *model);

/* A selector or a list of them is well formed; else false and why. */
bool selector_valid(const char *list, char *error, size_t error_size);
#endif
