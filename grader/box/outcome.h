/* outcome.h - what a program of the virtual GPU says of its own end, for whoever started it.
 *
 * THREELANE_OUTCOME names a file; the program adds a line for each fact, "key<tab>value", when it
 * is known: so a file that was cut off is true as far as it goes, and one that is not there says
 * nothing (a program that was killed, or that made no CUDA call). In values \ is \\, a line feed \n
 * and a tab \t. Keys that are not known are skipped.
 *
 *     stop      a word of EXIT_STATUS_OF_PROGRAMS (exit_status.h): the virtual GPU ended it, and
 *               why; without: it ended by itself
 *     site      file:line of that, where it is known
 *     text      that in words
 *     line      of a player that a signal ended: the line of the log that it was making again
 *     errors, notes     how many hazards were reported
 *     hazard    the first of them: its kind; headline: its first line
 *
 * It is the program's own word, and is believed no more than the rest of what it leaves
 * (grader/TRUST.md). */
#ifndef THREELANE_OUTCOME_H
#define THREELANE_OUTCOME_H
#include <stdbool.h>
#include "common/exit_status.h"

typedef struct Outcome {
    StopKind stop;            /* STOP_NONE: by itself, or it did not say */
    char *site, *text, *line; /* NULL: none */
    unsigned errors, notes;
    char *hazard, *headline; /* NULL: no hazard */
} Outcome;

/* False when there is no such file (the outcome is empty then). outcome_release either way. */
bool outcome_read(Outcome *, const char *path);
void outcome_release(Outcome *);
#endif
