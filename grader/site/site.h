/* site.h - the course as pages for a browser: lessons with figures that answer, exercises, calls,
 * words, search. Static files beside each other; nothing in them asks for anything from elsewhere,
 * and they work from a disk.
 *
 * What is in it: lessons/course.ini (the map), lessons/NAME.md, exercises/, lessons/calls.ini (the
 * cards of the calls); CONTRIBUTING.md says how to add to them. */
#ifndef THREELANE_SITE_H
#define THREELANE_SITE_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/course/catalogue.h"

typedef struct SiteOptions {
    const char *folder;  /* where the pages go; made if it is not there */
    const char *figures; /* a folder of NAME.lane and NAME.show, as `TRACES=folder
                            lessons/figures/draw` leaves them; a figure that is not there is the
                            lesson's text, and so are all with NULL */
    bool solutions;      /* a page for each solution, too */
} SiteOptions;

typedef struct SiteWritten {
    size_t pages, figures, texts; /* texts: figures without a trace */
} SiteWritten;

/* Writes all pages. False and one line when something of the course cannot be read, or a page not
 * be written; pages that are there already are the old ones or the new ones, never half. */
bool site_write(const Catalogue *, const SiteOptions *, SiteWritten *, char *error,
                size_t error_size);
#endif
