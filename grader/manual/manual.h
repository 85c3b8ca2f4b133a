/* manual.h - what the commands say of themselves, for man and for shells: manual pages, and what
 * Tab completes. All of it is made from the tables that `threelane help` is made from; what a page
 * says beyond them stands in manual_words.c. */
#ifndef THREELANE_MANUAL_H
#define THREELANE_MANUAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ManualOption {
    const char *name, *other; /* other: a second name, or NULL */
    const char *value;        /* as help names it ("FILE"); NULL: a flag */
    char *about;              /* the owner of the Manual frees */
    const char *make;         /* the variable of make that it is; NULL: none */
} ManualOption;

typedef struct ManualCommand {
    const char *name, *words, *summary;
    const char *group; /* "Students" */
    ManualOption *options;
    size_t n_options;
} ManualCommand;

typedef struct Manual {
    ManualCommand *commands; /* of one group after each other */
    size_t n_commands;
    const char *const *topics; /* of `threelane help`; NULL ends them */
    const char *const *models; /* built-in devices; NULL ends them */
} Manual;

/* Shells that completion is written for; NULL ends them. */
extern const char *const manual_shells[];

/* The page of a command, or, for NULL, threelane(1). */
void manual_page(FILE *, const Manual *, const ManualCommand *);
/* What a page says beyond the tables, as roff_text reads it; NULL: nothing is written yet. */
const char *manual_words(const char *command);
/* The completion script of one of manual_shells; false: there is no such shell. */
bool manual_completion(FILE *, const Manual *, const char *shell);
#endif
