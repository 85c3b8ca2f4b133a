/* confine.h - one run of a submission, as a job in a box: what it sees of the grader's files, and what leaves it.
 *
 * On the virtual GPU the log leaves the box through a descriptor; the player makes the evidence of it. On a card the
 * program runs under `threelane-gpu trace`, which is in the box as well, and trace, results and values leave it. */
#ifndef THREELANE_GRADER_CONFINE_H
#define THREELANE_GRADER_CONFINE_H
#include "grader/card.h"
#include "grader/runner.h"
#include "grader/sandbox.h"

enum { CONFINED_OUTPUTS = 3, CONFINED_FILES = 8, CONFINED_WORDS = 12 };

typedef struct ConfineOptions {
    Sandbox *sandbox;
    const char *program, *folder;       /* folder: an empty one of the caller's */
    const char *model;
    unsigned long long seed;
    const char *log;                    /* files that are made for what leaves the box: the log, */
    const Card *card;                   /* or, on a card (NULL: on the virtual GPU), these */
    const char *trace, *results, *values;
} ConfineOptions;

typedef struct Confined {
    Box box;
    BoxFile files[CONFINED_FILES];
    int outputs[CONFINED_OUTPUTS];
    char *argv[CONFINED_WORDS], *env[CONFINED_WORDS];
    char *made[CONFINED_FILES];         /* paths that are freed with it */
} Confined;

/* Makes job, which has its limits, run in a box; the Confined has to last as long as the job. False: errno.
 * confined_release either way. */
bool confine(Confined *, Job *job, const ConfineOptions *);
/* It has ended: whatever it did to its outputs, we may read them. */
void confined_ended(const Confined *);
void confined_release(Confined *);
#endif
