/* follow_class.h - a folder that is watched: what is dropped into it is judged as soon as it is
 * there whole, and told.
 *
 * The gradebook and the pages are the ones of a class (grader/classroom), and at each moment those
 * of some moment before. A hand-in that is replaced is judged again, as its student's next attempt;
 * of one that is still being judged the newer waits, so that the last word is the newest's. */
#ifndef THREELANE_FOLLOW_CLASS_H
#define THREELANE_FOLLOW_CLASS_H
#include <stdio.h>
#include "grader/classroom/batch.h"

typedef struct FollowClassOptions {
    const char *root; /* the folder, or the zip file */
    bool polling;
    bool json;  /* a verdict is told as an object in a line (grader/VERDICT.md), else in words */
    FILE *to;   /* where verdicts are told, as soon as they are in the gradebook */
    FILE *talk; /* where it is said that it waits */
    /* opens the inbox as the class reads it: false and one line. One with nothing in it is one */
    bool (*open)(void *, Inbox *, char *error, size_t error_size);
    /* writes the report of what the gradebook has: false and one line */
    bool (*report)(void *, const Inbox *, char *error, size_t error_size);
    void *data;
} FollowClassOptions;

/* Returns true when a signal ends it: everything told is in the report then. False and one line
 * when something cannot be read or written. */
bool follow_class_run(Batch *, Gradebook *, const FollowClassOptions *, char *error,
                      size_t error_size);
#endif
