/* reset.h - the untouched starter back, the student's file kept. */
#ifndef THREELANE_RESET_H
#define THREELANE_RESET_H
#include "grader/course/catalogue.h"
#include "grader/course/exercise.h"

typedef enum ResetState {
    RESET_DONE,
    RESET_SAME,   /* it is the untouched starter already */
    RESET_FAILED, /* nothing was changed; the line says why */
    RESET_BROKEN  /* the same, and it is the exercise's fault */
} ResetState;

/* What reset_do would meet: RESET_DONE means that there is something to replace. */
ResetState reset_check(const Exercise *, char *error, size_t error_size);
/* Replaces the exercise's file. The old one goes to a new, dated file first, whose path is *backup
 * (NULL when there was none; the caller frees). */
ResetState reset_do(const Catalogue *, const Exercise *, char **backup, char *error,
                    size_t error_size);
#endif
