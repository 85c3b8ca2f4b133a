/* confine.h - one run of a submission, or of the player that makes its calls again, as a job in a
 * box: what it sees of the grader's files, and what leaves it.
 *
 * On the virtual GPU the log leaves the box through a descriptor. The player gets that log as a
 * descriptor that can only be read, in a box of its own, which the evidence leaves through others
 * (confine_player): so a log that finds a hole in the player is where it was before. On a card
 * `threelane-gpu trace`, in the box, becomes the program with the tracer in it; trace, results and
 * values leave the box. The trace's source lines are found afterwards (confine_sites), since that
 * reads the program itself: in a box as well, without the card. */
#ifndef THREELANE_CONFINE_H
#define THREELANE_CONFINE_H
#include "grader/box/card.h"
#include "grader/box/runner.h"
#include "grader/box/sandbox.h"

enum { CONFINED_FDS = 5, CONFINED_FILES = 8, CONFINED_WORDS = 20 };

typedef struct ConfineOptions {
    Sandbox *sandbox;
    const char *program, *folder; /* folder: an empty one of the caller's */
    const char *model;
    unsigned long long seed;
    char *const *env; /* further variables, NAME=VALUE and NULL at the end; NULL: none */
    const char *log;  /* files that are made for what leaves the box: the log, */
    const Card *card; /* or, on a card (NULL: on the virtual GPU), these */
    const char *trace, *results, *values;
    /* of a player, which reads `log`: */
    const char *outcome;        /* made as well */
    const char *source, *named; /* the submission, and what messages call it; */
    const char *harness;        /* both are read for the names of variables only */
} ConfineOptions;

typedef struct Confined {
    Box box;
    BoxFile files[CONFINED_FILES];
    int fds[CONFINED_FDS];
    size_t n_fds;
    char *argv[CONFINED_WORDS], *env[CONFINED_WORDS];
    char *made[CONFINED_FILES]; /* paths that are freed with it */
} Confined;

/* Makes job, which has its limits, run in a box; the Confined has to last as long as the job.
 * False: errno. confined_release either way. */
bool confine(Confined *, Job *job, const ConfineOptions *);
/* The same for the player: it reads the log, and its evidence leaves the box. */
bool confine_player(Confined *, Job *job, const ConfineOptions *);
/* Makes job, which has its limits, find the source lines of what the run recorded on a card. */
void confine_sites(Confined *, Job *job);
/* It has ended: whatever it did to its outputs, we may read them. */
void confined_ended(const Confined *);
void confined_release(Confined *);
#endif
