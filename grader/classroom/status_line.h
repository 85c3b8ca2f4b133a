/* status_line.h - the line that says how far a class is: kept up to date on a terminal, else a line
 * every ten seconds. */
#ifndef THREELANE_STATUS_LINE_H
#define THREELANE_STATUS_LINE_H
#include <stdbool.h>
#include <stddef.h>
#include "common/terminal.h"

typedef struct StatusLine {
    const Terminal *to; /* NULL: nothing is shown */
    const char *where;  /* the card's name, or NULL */
    size_t total, done, passed, known;
    double started;  /* by background_clock */
    char aside[100]; /* what else there is to say, or "" */
    double shown;    /* its own */
} StatusLine;

void status_line_show(StatusLine *, bool last);
/* The line that is being kept up to date is cleared: something else is said. */
void status_line_clear(const StatusLine *);
#endif
