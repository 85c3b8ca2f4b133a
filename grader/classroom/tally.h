/* tally.h - the line that says how far a class is: kept up to date on a terminal, else a line every
 * ten seconds. */
#ifndef THREELANE_TALLY_H
#define THREELANE_TALLY_H
#include <stdbool.h>
#include <stddef.h>
#include "common/terminal.h"

typedef struct Tally {
    const Terminal *to; /* NULL: nothing is shown */
    const char *where;  /* the card's name, or NULL */
    size_t total, done, passed, known;
    double started;  /* by background_clock */
    char aside[100]; /* what else there is to say, or "" */
    double shown;    /* its own */
} Tally;

void tally_show(Tally *, bool last);
/* The line that is being kept up to date is cleared: something else is said. */
void tally_clear(const Tally *);
#endif
