/* arrivals.h - what is dropped into a folder, and when it is there whole.
 *
 * The kernel's notices say when to look; where they are blind (network folders) or used up, it
 * looks by itself every few seconds. What counts is what stat says of a hand-in's file: it has
 * arrived when that has stayed the same for a moment and nobody has the file open for writing. A
 * hand-in that is replaced arrives again. Nothing here waits, reads a source or prints. */
#ifndef THREELANE_ARRIVALS_H
#define THREELANE_ARRIVALS_H
#include <stdbool.h>
#include "grader/classroom/inbox.h"

typedef struct Arrivals Arrivals;

/* polling: look by itself even where the kernel would tell. SIGIO is ignored from here on. */
Arrivals *arrivals_new(const char *root, bool polling);
void arrivals_free(Arrivals *);
/* Becomes readable when something has happened; -1: it looks by itself. */
int arrivals_fd(const Arrivals *);

/* True when it is time to open the inbox anew and show it to arrivals_look. now: seconds of any
 * clock that does not go back. */
bool arrivals_due(Arrivals *, double now);
/* Call it before the inbox is opened: what comes during that is noticed afterwards. */
void arrivals_prepare(Arrivals *, double now);
/* The inbox stays the caller's, and is looked at until the next one is shown. True when somebody
 * has come or gone since the last one. */
bool arrivals_look(Arrivals *, const Inbox *, double now);

/* The next hand-in that has arrived and was not yet taken; none of a student's exercise that is
 * still being judged. NULL: there is none. */
const Handin *arrivals_next(Arrivals *);
/* It has been judged; what replaced it meanwhile may be taken. */
void arrivals_done(Arrivals *, const char *student, const char *exercise);
/* What is seen, but has not been taken, because it is still being written or another is judged. */
size_t arrivals_waiting(const Arrivals *);
#endif
